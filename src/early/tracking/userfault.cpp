#include "early/tracking/userfault.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>

#include "early/tracking/kernel_interface.h"

// The kernel's requests are unsigned, its flags signed.
// NOLINTBEGIN(hicpp-signed-bitwise)

namespace tightwire::early::userfault {
namespace {

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif

int open_file(bool kernel_faults) {
  const int flags = O_CLOEXEC | O_NONBLOCK;
  if (!kernel_faults)
    return static_cast<int>(syscall(SYS_userfaultfd, flags | UFFD_USER_MODE_ONLY));
  const int number = static_cast<int>(syscall(SYS_userfaultfd, flags));
  if (number >= 0) return number;
#ifdef USERFAULTFD_IOC_NEW
  const os::FileDescriptor device(::open("/dev/userfaultfd", O_RDWR | O_CLOEXEC));
  if (device.open()) return ioctl(device.get(), USERFAULTFD_IOC_NEW, flags);
#endif
  return -1;
}

}  // namespace

Opened open_with(bool kernel_faults, std::uint64_t features) {
  os::FileDescriptor file(open_file(kernel_faults));
  if (!file.open())
    return {os::FileDescriptor(), std::string("userfaultfd is refused: ") + std::strerror(errno)};
  uffdio_api api{};
  api.api = UFFD_API;
  api.features = features;
  if (ioctl(file.get(), UFFDIO_API, &api) != 0 || (api.features & features) != features)
    return {os::FileDescriptor(), "the kernel's userfaultfd lacks the feature"};
  return {std::move(file), {}};
}

bool watch(const os::FileDescriptor& file, const Range& pages) {
  uffdio_register request{};
  request.range = {pages.begin, pages.size()};
  request.mode = UFFDIO_REGISTER_MODE_WP;
  return ioctl(file.get(), UFFDIO_REGISTER, &request) == 0;
}

void release(const os::FileDescriptor& file, const Range& pages) {
  uffdio_range request{pages.begin, pages.size()};
  // Fails where some of it is gone; then page by page of what is left would be of no use either,
  // for protection of a page outlives nothing but its first write.
  ioctl(file.get(), UFFDIO_UNREGISTER, &request);
}

bool set_protection(const os::FileDescriptor& file, const Range& pages, bool on) {
  uffdio_writeprotect request{};
  request.range = {pages.begin, pages.size()};
  request.mode = on ? UFFDIO_WRITEPROTECT_MODE_WP : 0;
  return ioctl(file.get(), UFFDIO_WRITEPROTECT, &request) == 0;
}

}  // namespace tightwire::early::userfault

// NOLINTEND(hicpp-signed-bitwise)
