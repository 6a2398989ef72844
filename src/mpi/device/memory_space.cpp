#include "mpi/device/memory_space.h"

#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "mpi/device/driver.h"

namespace tightwire::mpi {
namespace {

// From the lowest to the highest address of a device's memory so far: what is elsewhere, as most
// memory of the host, costs no question more.
std::atomic<std::uintptr_t> lowest{UINTPTR_MAX};
std::atomic<std::uintptr_t> highest{0};

void remember(std::uintptr_t address) {
  for (std::uintptr_t known = lowest.load(); address < known;) {
    if (lowest.compare_exchange_weak(known, address)) break;
  }
  for (std::uintptr_t known = highest.load(); address > known;) {
    if (highest.compare_exchange_weak(known, address)) break;
  }
}

// Asked of the system, which does not mind.
bool is_readable(const void* address) {
  char byte = 0;
  const iovec here{&byte, 1};
  const iovec there{const_cast<void*>(address), 1};
  return ::process_vm_readv(::getpid(), &here, 1, &there, 1, 0) == 1 || errno != EFAULT;
}

}  // namespace

MemorySpace memory_space_of(const void* address) {
  const bool on_device = address != nullptr && driver::place_of(address).on_device;
  if (on_device) remember(reinterpret_cast<std::uintptr_t>(address));
  return on_device ? MemorySpace::device : MemorySpace::host;
}

bool was_freed(const void* address) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  const bool among = place >= lowest.load(std::memory_order_relaxed) &&
                     place <= highest.load(std::memory_order_relaxed);
  return among && !is_readable(address);
}

bool may_have_devices() {
  return driver::is_loaded() || ::access("/dev/nvidiactl", F_OK) == 0 ||
         ::access("/dev/dxg", F_OK) == 0;  // Windows' Linux
}

}  // namespace tightwire::mpi
