// Which messages an audit measures the network with: few and small ones, no more than it takes to
// be certain or than a budget in time allows.
#pragma once

#include <cstddef>
#include <vector>

namespace tightwire::audit {

// All ranks that measure together decide alike, since they decide by the slowest one's time.
// Begins with small messages. A switch or a shaper lets a first burst through faster than what
// comes after: what comes before the burst is over is not believed while there is time.
class ProbePlan {
 public:
  // What may be spent at the end of a run that took so long; both in seconds.
  [[nodiscard]] static double budget(double run_seconds);

  // Both in seconds; the budget holds but for the last messages, which begin within it.
  ProbePlan(double budget, double latency) : budget_(budget), latency_(latency) {}

  static constexpr std::size_t largest = std::size_t{256} << 10;

  // Bytes of the next message; 0: it is enough.
  [[nodiscard]] std::size_t next_bytes() const;
  // What such a message took: the slowest rank of all, and this one.
  void count(double slowest_seconds, double own_seconds);

  // As this rank's messages were; bytes per second.
  [[nodiscard]] double bandwidth() const;

 private:
  struct Round {
    std::size_t bytes;
    double seconds;
    double own_seconds;
    bool tells;  // begun behind the burst, and long enough
  };

  [[nodiscard]] double seconds_per_byte(const Round& round, double seconds) const;
  [[nodiscard]] bool last_two_agree() const;
  // Enough that agree, of those that tell: what was held up is not among them. Else empty.
  [[nodiscard]] std::vector<Round> agreeing() const;
  [[nodiscard]] std::vector<Round> like_the_last() const;
  [[nodiscard]] bool is_enough() const;

  double budget_;
  double latency_;
  double spent_ = 0;
  std::size_t sent_ = 0;
  std::vector<Round> rounds_;
};

}  // namespace tightwire::audit
