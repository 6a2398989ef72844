// Where the time of one call went, on one rank.
#pragma once

#include <chrono>

namespace tightwire::comparison {

// Seconds. What is hidden behind something else (a transfer while the codec works) counts nowhere.
struct Breakdown {
  double compress = 0;     // encoding and decoding
  double communicate = 0;  // inside MPI, waiting included
  double reduce = 0;       // adding, where it is a step of its own
  double other = 0;        // copies, bookkeeping
};

// Runs `work` and adds the time it took to `seconds`.
template <class Work>
decltype(auto) timed(double& seconds, Work&& work) {
  struct Stop {
    double& seconds;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    ~Stop() {
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
  } const stop{seconds};
  return work();
}

}  // namespace tightwire::comparison
