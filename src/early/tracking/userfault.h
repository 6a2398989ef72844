// The few calls of userfaultfd(2) that both guards need.
#pragma once

#include <string>

#include "early/tracking/pages.h"
#include "os/file_descriptor.h"

namespace tightwire::early::userfault {

struct Opened {
  os::FileDescriptor file;
  std::string reason;  // why there is none
};

// With `kernel_faults` also writes by system calls are handed to the holder of the descriptor; that
// takes a privilege. `features` are those of the kernel's API.
[[nodiscard]] Opened open_with(bool kernel_faults, std::uint64_t features);

// For write protection.
[[nodiscard]] bool watch(const os::FileDescriptor& file, const Range& pages);
void release(const os::FileDescriptor& file, const Range& pages);
[[nodiscard]] bool set_protection(const os::FileDescriptor& file, const Range& pages, bool on);

}  // namespace tightwire::early::userfault
