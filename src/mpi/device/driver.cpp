#include "mpi/device/driver.h"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <atomic>
#include <mutex>

#include "mpi/device/idle_streams.h"

namespace tightwire::mpi::driver {
namespace {

using DevicePointer = std::uintptr_t;
using Context = void*;
using Stream = void*;

// cuda.h: CUDA_MEMCPY2D.
struct Copy2d {
  struct Side {
    std::size_t x = 0;
    std::size_t y = 0;
    unsigned type = 0;
    void* host = nullptr;
    DevicePointer device = 0;
    void* array = nullptr;
    std::size_t pitch = 0;
  };
  Side from;
  Side to;
  std::size_t width = 0;
  std::size_t height = 0;
};
constexpr unsigned on_host = 1;            // CU_MEMORYTYPE_HOST
constexpr unsigned on_device = 2;          // CU_MEMORYTYPE_DEVICE
constexpr unsigned stream_of_its_own = 1;  // CU_STREAM_NON_BLOCKING
constexpr unsigned for_all_contexts = 1;   // CU_MEMHOSTALLOC_PORTABLE
constexpr int no_function = 500;           // CUDA_ERROR_NOT_FOUND
constexpr std::size_t largest_pitch = 0x7FFFFFFF;

// CUpointer_attribute, in the order of Answers.
constexpr std::array<int, 4> attributes = {
    1,  // CONTEXT
    2,  // MEMORY_TYPE
    8,  // IS_MANAGED
    9,  // DEVICE_ORDINAL
};
struct Answers {
  Context context = nullptr;
  unsigned type = 0;
  unsigned managed = 0;
  int device = 0;
};

// cuda.h. What is not there stays nullptr.
struct Table {
  int (*attributes)(unsigned, const int*, void**, DevicePointer) = nullptr;
  int (*push)(Context) = nullptr;
  int (*pop)(Context*) = nullptr;
  int (*primary)(Context*, int) = nullptr;
  int (*make_stream)(Stream*, unsigned) = nullptr;
  int (*free_stream)(Stream) = nullptr;
  int (*wait)(Stream) = nullptr;
  int (*to_host)(void*, DevicePointer, std::size_t, Stream) = nullptr;
  int (*to_device)(DevicePointer, const void*, std::size_t, Stream) = nullptr;
  int (*copy_2d)(const Copy2d*, Stream) = nullptr;
  int (*allocate)(void**, std::size_t, unsigned) = nullptr;
  int (*free)(void*) = nullptr;
  int (*error_name)(int, const char**) = nullptr;

  // Without these it is too old. The others are wanted where they are used.
  [[nodiscard]] bool can_copy() const {
    return push != nullptr && pop != nullptr && make_stream != nullptr && free_stream != nullptr &&
           wait != nullptr && to_host != nullptr && to_device != nullptr;
  }
};

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

}  // namespace

bool is_loaded() {
  return table() != nullptr;
}

Place place_of(const void* address) {
  const Table* const driver = table();
  if (driver == nullptr || driver->attributes == nullptr) return {};
  Answers answers;
  std::array<void*, attributes.size()> at = {&answers.context, &answers.type, &answers.managed,
                                             &answers.device};
  // Of what is the host's alone it knows nothing, and says so by zeros.
  const int code = driver->attributes(attributes.size(), attributes.data(), at.data(),
                                      reinterpret_cast<DevicePointer>(address));
  if (code != 0) return {};
  return {.on_device = answers.type == on_device && answers.managed == 0,
          .context = answers.context,
          .device = answers.device};
}

Copies::Copies(const Place& place) {
  try {
    open(place);
    check(table()->wait(nullptr), "waiting for its default stream");
  } catch (...) {
    close();
    throw;
  }
}

Copies::Copies(const Place& place, Unordered /*tag*/) {
  try {
    open(place);
  } catch (...) {
    close();
    throw;
  }
}

Copies::~Copies() {
  close();
}

// The thread may have made no context its own: the memory's is taken.
void Copies::open(const Place& place) {
  if (table() == nullptr || !table()->can_copy()) check(no_function, "looking for its copies");
  if (Context const context = context_of(place)) {
    check(table()->push(context), "entering the memory's context");
    pushed_ = true;
    context_ = context;
  }
  if (context_ != nullptr) stream_ = idle_streams().take(context_);
  if (stream_ == nullptr) {
    check(table()->make_stream(&stream_, stream_of_its_own), "making a stream");
  }
}

void Copies::close() noexcept {
  const bool kept =
      context_ != nullptr && stream_ != nullptr && idle_streams().keep(context_, stream_);
  if (stream_ != nullptr && !kept) table()->free_stream(stream_);
  Context context = nullptr;
  if (pushed_) table()->pop(&context);
}

namespace {

bool is_plane(const Rows& rows) {
  return rows.rows > 1 && rows.stride > 0 && static_cast<std::size_t>(rows.stride) >= rows.bytes &&
         static_cast<std::size_t>(rows.stride) <= largest_pitch && table()->copy_2d != nullptr;
}

Copy2d plane(const Rows& rows, bool to_host) {
  Copy2d copy;
  Copy2d::Side& host = to_host ? copy.to : copy.from;
  Copy2d::Side& device = to_host ? copy.from : copy.to;
  host.type = on_host;
  host.host = rows.host;
  device.type = on_device;
  device.device = reinterpret_cast<DevicePointer>(rows.device);
  host.pitch = device.pitch = static_cast<std::size_t>(rows.stride);
  copy.width = rows.bytes;
  copy.height = rows.rows;
  return copy;
}

// At once where the driver can, else copy_row(device, host) for each row.
template <class CopyRow>
void copy(const Rows& rows, bool to_host, Stream stream, CopyRow copy_row) {
  const char* const doing = to_host ? "copying to the host" : "copying to the device";
  if (is_plane(rows)) {
    const Copy2d all = plane(rows, to_host);
    return check(table()->copy_2d(&all, stream), doing);
  }
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::ptrdiff_t by = static_cast<std::ptrdiff_t>(i) * rows.stride;
    check(copy_row(reinterpret_cast<DevicePointer>(rows.device + by), rows.host + by), doing);
  }
}

}  // namespace

void Copies::to_host(const Rows& rows) {
  copy(rows, true, stream_, [&](DevicePointer device, std::byte* host) {
    return table()->to_host(host, device, rows.bytes, stream_);
  });
}

void Copies::to_device(const Rows& rows) {
  copy(rows, false, stream_, [&](DevicePointer device, std::byte* host) {
    return table()->to_device(device, host, rows.bytes, stream_);
  });
}

void Copies::wait() {
  check(table()->wait(stream_), "waiting for copies");
}

void* allocate_pinned(const Place& place, std::size_t bytes) noexcept try {
  const Table* const driver = table();
  if (driver == nullptr || driver->allocate == nullptr || driver->free == nullptr) return nullptr;
  Context context = context_of(place);
  if (context != nullptr && driver->push(context) != 0) return nullptr;
  void* memory = nullptr;
  const int code = driver->allocate(&memory, bytes, for_all_contexts);
  if (context != nullptr) driver->pop(&context);
  return code == 0 ? memory : nullptr;
} catch (const Error&) {
  return nullptr;
}

void free_pinned(void* memory) noexcept {
  if (const Table* const driver = table()) driver->free(memory);
}

}  // namespace tightwire::mpi::driver
