// Which cores helpers stand on, among all processes of one user on this machine.
//
// A lease is a lock on the core's byte of a file that those processes share, so the kernel ends it
// with the process. It is the process's own (F_SETLK), not the open file's (F_OFD_SETLK): the child
// of a fork has no part in it, neither keeps it alive nor gives it up. So the helpers of one
// process are kept apart by flags, and it has one of these for a file: closing that file ends all
// its leases there. Where the file cannot be had, helpers of other processes are not known of.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <utility>

#include "os/file_descriptor.h"

namespace tightwire::os {

// Thread safe.
class CoreLeases {
 public:
  // The file is opened, and made if need be, when a core is first taken; one that others could
  // have put there is not used.
  explicit CoreLeases(std::string path) : path_(std::move(path)) {}
  // What all helpers of this process share.
  [[nodiscard]] static CoreLeases& of_process();

  // False if a helper has the core, of this process or another. A few microseconds.
  [[nodiscard]] bool take(int core);
  void give_back(int core);

 private:
  void open();
  [[nodiscard]] bool is_open_still() const;
  [[nodiscard]] bool lock(short type, int core) const;

  const std::string path_;
  std::once_flag opened_;
  FileDescriptor file_;
  dev_t device_ = 0;  // of the file
  ino_t number_ = 0;
  std::array<std::atomic<bool>, CPU_SETSIZE> taken_{};  // by helpers of this process
};

}  // namespace tightwire::os
