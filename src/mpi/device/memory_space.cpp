#include "mpi/device/memory_space.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <atomic>

namespace tightwire::mpi {
namespace {

// cuda.h: CUresult cuPointerGetAttribute(void*, CUpointer_attribute, CUdeviceptr).
using GetAttribute = int (*)(void*, int, std::uintptr_t);
constexpr int memory_type = 2;            // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
constexpr unsigned type_of_a_device = 2;  // CU_MEMORYTYPE_DEVICE

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

GetAttribute find_cuda() {
  // Never closed: it stays where it is found.
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  return driver == nullptr ? nullptr
                           : reinterpret_cast<GetAttribute>(dlsym(driver, "cuPointerGetAttribute"));
}

GetAttribute cuda() {
  static std::atomic<GetAttribute> known{nullptr};
  static std::atomic<std::uint64_t> looked_at{0};
  if (const GetAttribute found = known.load(std::memory_order_acquire)) return found;
  const std::uint64_t now = loads();
  if (looked_at.load(std::memory_order_relaxed) == now) return nullptr;
  known.store(find_cuda(), std::memory_order_release);
  looked_at.store(now, std::memory_order_relaxed);
  return known.load(std::memory_order_acquire);
}

}  // namespace

MemorySpace memory_space_of(const void* address) {
  const GetAttribute get = address == nullptr ? nullptr : cuda();
  unsigned type = 0;
  // It knows nothing of what is the processor's alone, and says that that is no valid value.
  const bool on_device = get != nullptr &&
                         get(&type, memory_type, reinterpret_cast<std::uintptr_t>(address)) == 0 &&
                         type == type_of_a_device;
  return on_device ? MemorySpace::device : MemorySpace::host;
}

bool may_have_devices() {
  return cuda() != nullptr || ::access("/dev/nvidiactl", F_OK) == 0;
}

}  // namespace tightwire::mpi
