// Whether a message that is only moved is worth compressing, by what its sender alone knows.
#pragma once

#include <cstddef>

#include "policy/call.h"

namespace tightwire::policy {

// How a rank passes messages on.
struct Passage {
  double link = 0;  // bytes per second
  bool pipelined = false;
  double coding_speedup = 1;  // of what is pipelined, by helpers
  double look = 0;            // seconds for each byte, before it is encoded: for its range
  double latency = 0;         // of a message of few bytes, in seconds; 0: not known
};

// Time for one byte of a message on its way through a rank, in seconds: one decode and one encode,
// and the transfer of what is left of it at that ratio. Pipelined they overlap, so the slower one
// counts; else they add up.
[[nodiscard]] double compressed_cost(codec::Id codec, double ratio, const Passage& passage);
[[nodiscard]] double raw_cost(double link);
// The same where it is predicted from earlier messages, which both sides keep: of a message of so
// many bytes.
[[nodiscard]] double cost_in_time(codec::Id codec, double ratio, const Passage& passage,
                                  std::size_t bytes);

// Sums on their way around a ring, in a frame of `size` bytes.
struct SumsOnTheirWay {
  codec::ElementType type = codec::ElementType::float32;
  std::size_t bytes = 0;  // of the values
  std::size_t size = 0;
  bool pipelined = false;
  double link = 0;  // bytes per second
};
// Whether they are at their receiver clearly sooner if they are predicted from those of earlier
// calls and shrink by that ratio; infinite: if anything could make them so.
[[nodiscard]] bool sums_pay_in_time(const SumsOnTheirWay& sums, double ratio);

// True if the plan is raw, or costs clearly less than a raw message would.
[[nodiscard]] bool is_profitable(const Plan& plan, double ratio, const Passage& passage);

}  // namespace tightwire::policy
