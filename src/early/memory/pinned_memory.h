// Whether this process has memory pinned for devices: they write to it past the page tables.
#pragma once

#include "os/file_descriptor.h"

namespace tightwire::early {

// Counts what lasts (VmPin: RDMA registrations, io_uring's fixed buffers), not I/O under way.
// Thread safe; not to be asked by a forked child.
class PinnedMemory {
 public:
  PinnedMemory();
  // Costs some 3 microseconds. False where the system does not tell.
  [[nodiscard]] bool any() const;

 private:
  os::FileDescriptor status_;
};

}  // namespace tightwire::early
