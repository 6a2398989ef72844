// Threads of ours must not run the program's signal handlers: a thread inherits what is blocked.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace tightwire::os {

// Blocks all signals of the calling thread as long as it lives; to be made before a thread is
// started.
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

}  // namespace tightwire::os
