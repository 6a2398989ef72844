// A pattern of communication that is measured: what all ranks do together, once.
#pragma once

#include <memory>
#include <string_view>

#include "calibrate/measure/plain_mpi.h"
#include "p2p/values.h"
#include "support/measure.h"

namespace tightwire::p2p_bench {

using bench::Functions;

// How a pattern's time is told.
enum class Unit : std::uint8_t { microseconds, megabytes_a_second, messages_a_second };

class Pattern {
 public:
  virtual ~Pattern() = default;

  [[nodiscard]] virtual Unit unit() const = 0;
  // What the time of one perform() is divided by, or divides: messages or bytes that it stands for.
  [[nodiscard]] virtual double amount() const = 0;
  virtual void perform(const Functions& functions) = 0;

  // Overwrites what perform() receives, so that one that does nothing is noticed.
  virtual void spoil() = 0;
  // After perform(): the largest error of what this rank received.
  [[nodiscard]] virtual double largest_error() const = 0;
};

inline constexpr std::string_view all_patterns[] = {
    "latency",      "bandwidth",     "bibandwidth",   "message-rate",
    "halo7-packed", "halo7-derived", "halo27-packed", "halo27-derived"};

// `bytes` is the size of a message; of a halo, that of a face. The values' bytes are at least that.
[[nodiscard]] std::unique_ptr<Pattern> make_pattern(std::string_view name, std::size_t bytes,
                                                    const Values& values);

// pairs.cpp: between ranks 0 and 1
[[nodiscard]] std::unique_ptr<Pattern> make_pair_pattern(std::string_view name, std::size_t bytes,
                                                         const Values& values);
// halo.cpp: among all
[[nodiscard]] std::unique_ptr<Pattern> make_halo(bool corners, bool derived, std::size_t bytes,
                                                 const Values& values);

}  // namespace tightwire::p2p_bench
