// Signals that must not reach a thread for a while.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <ctime>
#include <initializer_list>

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

// What hinders a write, no reader any more or the process's limit of file sizes, is an error of the
// calling thread's, as a full disk is, and does not end the process.
class WriteErrorsReturn {
 public:
  WriteErrorsReturn() {
    sigemptyset(&signals_);
    for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&signals_, signal);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
    // Those that others have sent are left for them.
    sigset_t pending;
    sigpending(&pending);
    for (const int signal : {SIGPIPE, SIGXFSZ}) {
      if (sigismember(&pending, signal) == 1) sigdelset(&signals_, signal);
    }
  }
  ~WriteErrorsReturn() {
    const std::timespec at_once{};
    while (sigtimedwait(&signals_, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WriteErrorsReturn(const WriteErrorsReturn&) = delete;
  WriteErrorsReturn& operator=(const WriteErrorsReturn&) = delete;

 private:
  sigset_t signals_;
  sigset_t before_;
};

}  // namespace tightwire::os
