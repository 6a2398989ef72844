// Simulated time for work that is done for real: the simulator's own clock stands still while a
// rank computes.
#pragma once

#include "comparison/baselines/coder.h"
#include "scale/costs.h"
#include "scale/speedups.h"

namespace tightwire::scale {

// What work costs a rank, and how much less where several threads share it.
struct Price {
  Costs costs;
  Speedups speedups;
  std::size_t threads = 1;  // of a rank
  // Of a core, for each byte of a frame that it carries to the network or from there; 0 where the
  // network does that by itself.
  double carry_per_byte = 0;
};

// From here on this rank is charged for every piece of work of Tightwire's codecs.
void charge_codecs(const Price& price);

// While it lives, so many threads work at once: each piece takes its part of their time together.
class AtOnce {
 public:
  explicit AtOnce(std::size_t threads);
  ~AtOnce();
  AtOnce(const AtOnce&) = delete;
  AtOnce& operator=(const AtOnce&) = delete;
};

// While it lives, the codecs' work is that of one of so many threads, and is summed up, not
// charged.
class OfOneThread {
 public:
  explicit OfOneThread(std::size_t threads);
  ~OfOneThread();
  OfOneThread(const OfOneThread&) = delete;
  OfOneThread& operator=(const OfOneThread&) = delete;

  [[nodiscard]] double coding() const { return coding_; }
  // What carries the frames to the network, or from there, whoever encodes or decodes them.
  [[nodiscard]] double carrying() const { return carrying_; }
  void add(double coding, double carrying);

 private:
  AtOnce at_once_;
  double coding_ = 0;
  double carrying_ = 0;
};

// How many times as fast so many threads encode and decode the same values as one.
[[nodiscard]] double speedup_of_coding(std::size_t threads);

void charge_seconds(double seconds);

// For adding `bytes` of values to others in memory.
void charge_adding(std::size_t bytes);

// A baseline's coder that is charged for: a rank's threads share each piece that is large enough.
[[nodiscard]] std::unique_ptr<comparison::Coder> charged(std::unique_ptr<comparison::Coder> coder,
                                                         const Price& price);

}  // namespace tightwire::scale
