// Signals that must not reach a thread for a while.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <ctime>

namespace tightwire::os {

// Blocks all signals of the calling thread as long as it lives; to be made before a thread is
// started. Threads of ours must not run the program's signal handlers, and a thread inherits what
// is blocked.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

// To write beyond the process's limit of file sizes is an error of the calling thread's, as on a
// full disk, and does not end the process.
class FileLimitReturns {
 public:
  FileLimitReturns() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
  }
  ~FileLimitReturns() {
    const std::timespec at_once{};
    if (!was_pending_) sigtimedwait(&signal_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileLimitReturns(const FileLimitReturns&) = delete;
  FileLimitReturns& operator=(const FileLimitReturns&) = delete;

 private:
  sigset_t signal_;
  sigset_t before_;
  bool was_pending_;
};

}  // namespace tightwire::os
