// What early compression did in this process.
#pragma once

#include <cstdint>

namespace tightwire::early {

struct Statistics {
  std::uint64_t sends = 0;         // of tracked buffers
  std::uint64_t chunks = 0;        // in them
  std::uint64_t ready = 0;         // taken as they were
  std::uint64_t recompressed = 0;  // encoded at the send
  std::uint64_t wasted = 0;        // encoded early, then written to
  std::uint64_t strengthened = 0;  // ready, and with the stronger codec
  std::uint64_t faults = 0;
  double fault_seconds = 0;
  double hidden_seconds = 0;     // encoding time of the ready chunks
  double helper_seconds = 0;     // that the helper spent encoding
  std::uint64_t buffers = 0;     // tracked at some time
  std::uint64_t left_alone = 0;  // beyond the limit, or in memory that cannot be tracked
  std::uint64_t given_up = 0;    // tracking did not pay
};

}  // namespace tightwire::early
