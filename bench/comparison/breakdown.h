// Where the time of one call went, on one rank.
#pragma once

#include <chrono>
#include <span>
#include <vector>

namespace tightwire::comparison {

// Seconds. What is hidden behind something else (a transfer while the codec works) counts nowhere.
struct Breakdown {
  double compress = 0;     // encoding
  double merge = 0;        // adding; where that is one pass with decoding and encoding, the pass
  double decompress = 0;   // decoding
  double communicate = 0;  // inside MPI, but for `wait`; all of MPI's own collectives
  double wait = 0;         // until something has come or gone; MPI also moves data then
  double other = 0;        // the rest: copies, bookkeeping
  bool plain = false;      // the call went to MPI as it was
};

inline constexpr double Breakdown::*all_parts[] = {&Breakdown::compress,   &Breakdown::merge,
                                                   &Breakdown::decompress, &Breakdown::communicate,
                                                   &Breakdown::wait,       &Breakdown::other};

[[nodiscard]] double sum(const Breakdown& breakdown);

struct TimedCall {
  double seconds = 0;
  Breakdown parts;

  // What no other part has.
  void set_other() { parts.other = 0, parts.other = seconds - sum(parts); }
};

// Which of several times is their median.
[[nodiscard]] std::size_t median_place(std::span<const double> seconds);

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
