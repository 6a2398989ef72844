#include "os/cores/core_lease.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace tightwire::os {
namespace {

// Only this user can have made it, or lock any of it.
bool is_of_user_alone(const struct stat& status) {
  return S_ISREG(status.st_mode) && status.st_uid == ::geteuid() && status.st_nlink == 1 &&
         (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

}  // namespace

// In memory, where locks take no time and are this machine's: folders for temporary files may be
// on the network. Not closed at the end, when helpers may still be there.
CoreLeases& CoreLeases::of_process() {
  static auto& leases = *new CoreLeases("/dev/shm/tightwire-cores-" + std::to_string(::geteuid()));
  return leases;
}

bool CoreLeases::take(int core) {
  std::call_once(opened_, [this] { open(); });
  std::atomic<bool>& taken = taken_[static_cast<std::size_t>(core)];
  if (taken.exchange(true, std::memory_order_acquire)) return false;
  if (lock(F_WRLCK, core)) return true;
  taken.store(false, std::memory_order_release);
  return false;
}

void CoreLeases::give_back(int core) {
  static_cast<void>(lock(F_UNLCK, core));
  taken_[static_cast<std::size_t>(core)].store(false, std::memory_order_release);
}

void CoreLeases::open() {
  constexpr int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
  FileDescriptor file(::open(path_.c_str(), flags, S_IRUSR | S_IWUSR));
  struct stat status {};
  if (!file.open() || ::fstat(file.get(), &status) != 0 || !is_of_user_alone(status)) return;
  // A program that has closed its output, or is about to open it anew, would print into the file.
  // Nothing is locked yet, or closing one of the two would end that.
  if (file.get() <= STDERR_FILENO) {
    file = FileDescriptor(::fcntl(file.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (!file.open()) return;
  }
  device_ = status.st_dev;
  number_ = status.st_ino;
  file_ = std::move(file);
}

// Programs that close all files may have one of their own by its number.
bool CoreLeases::is_open_still() const {
  struct stat status {};
  return file_.open() && ::fstat(file_.get(), &status) == 0 && status.st_dev == device_ &&
         status.st_ino == number_;
}

// False only if another process has the core.
bool CoreLeases::lock(short type, int core) const {
  if (!is_open_still()) return true;
  struct flock byte {};
  byte.l_type = type;
  byte.l_whence = SEEK_SET;
  byte.l_start = core;
  byte.l_len = 1;
  return ::fcntl(file_.get(), F_SETLK, &byte) == 0 || (errno != EACCES && errno != EAGAIN);
}

}  // namespace tightwire::os
