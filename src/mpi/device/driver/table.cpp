#include "mpi/device/driver/table.h"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <atomic>
#include <mutex>
#include <string>

namespace tightwire::mpi::driver {
namespace {

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

// Never closed: it stays where it is found.
const Table* load() {
  void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  static Table table;
  find(library, "cuPointerGetAttributes", table.attributes);
  find(library, "cuCtxPushCurrent_v2", table.push);
  find(library, "cuCtxPopCurrent_v2", table.pop);
  find(library, "cuDevicePrimaryCtxRetain", table.primary);
  find(library, "cuStreamCreate", table.make_stream);
  find(library, "cuStreamDestroy_v2", table.free_stream);
  find(library, "cuStreamSynchronize", table.wait);
  find(library, "cuStreamQuery", table.ask);
  find(library, "cuEventCreate", table.make_event);
  find(library, "cuEventDestroy_v2", table.free_event);
  find(library, "cuEventRecord", table.record);
  find(library, "cuEventSynchronize", table.wait_for_event);
  find(library, "cuMemcpyDtoHAsync_v2", table.to_host);
  find(library, "cuMemcpyHtoDAsync_v2", table.to_device);
  find(library, "cuMemcpy2DAsync_v2", table.copy_2d);
  find(library, "cuMemHostAlloc", table.allocate);
  find(library, "cuMemFreeHost", table.free);
  find(library, "cuGetErrorName", table.error_name);
  return &table;
}

// How many libraries the process has loaded so far: a program may load CUDA at any time.
std::uint64_t loads() {
  std::uint64_t count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<std::uint64_t*>(result) = info->dlpi_adds;
        return 1;
      },
      &count);
  return count;
}

}  // namespace

const Table* table() {
  static std::atomic<const Table*> known{nullptr};
  static std::atomic<std::uint64_t> looked_at{0};
  static std::mutex mutex;
  if (const Table* found = known.load(std::memory_order_acquire)) return found;
  const std::uint64_t now = loads();
  if (looked_at.load(std::memory_order_relaxed) == now) return nullptr;
  const std::scoped_lock lock(mutex);
  if (known.load(std::memory_order_relaxed) == nullptr) {
    known.store(load(), std::memory_order_release);
    looked_at.store(now, std::memory_order_relaxed);
  }
  return known.load(std::memory_order_relaxed);
}

void check(int code, const char* doing) {
  if (code == 0) return;
  std::string text = "error " + std::to_string(code) + " of CUDA's driver";
  const char* name = nullptr;
  if (table() != nullptr && table()->error_name != nullptr &&
      table()->error_name(code, &name) == 0 && name != nullptr) {
    text += " (" + std::string(name) + ")";
  }
  throw Error{code, text + " while " + doing};
}

// What comes from a pool of the driver's has no context: the device's own one serves. It is
// retained once, for good, as the program's runtime does.
Context context_of(const Place& place) {
  if (place.context != nullptr || table()->primary == nullptr) return place.context;
  static std::mutex mutex;
  static std::array<Context, 64> kept{};
  const std::scoped_lock lock(mutex);
  const auto number = static_cast<std::size_t>(place.device);
  if (number >= kept.size()) return nullptr;
  if (kept[number] == nullptr) {
    check(table()->primary(&kept[number], place.device), "asking for a device's context");
  }
  return kept[number];
}

IdleStreams& idle_streams() {
  static auto* const streams = new IdleStreams;
  return *streams;
}

}  // namespace tightwire::mpi::driver
