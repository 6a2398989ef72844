// Waiting for what no function of MPI waits for.
#pragma once

#include <sched.h>

namespace tightwire::p2p {

// Between two looks at something that is not complete.
class SpinThenYield {
 public:
  void pause() {
    constexpr int spins = 100;
    if (++looks_ > spins) sched_yield();
  }

 private:
  int looks_ = 0;
};

}  // namespace tightwire::p2p
