// Times candidates against each other: one round times each of them once, and rounds repeat, so
// that what disturbs the machine disturbs all alike. A library that finishes one benchmark before
// it begins the next (Google Benchmark) cannot do that.
#pragma once

#include <functional>

#include "candidate.h"
#include "errors.h"
#include "fields/fields.h"

namespace tightwire::bench {

struct Measurement {
  const Candidate* candidate = nullptr;
  double compress_seconds = 0;  // medians, of processor time
  double expand_seconds = 0;
  std::size_t encoded_size = 0;
  Errors errors;  // of a lossy candidate
  std::optional<double> constant_blocks;
};

struct Effort {
  int rounds = 11;
  double patience = 0.25;  // seconds; what takes longer sits out all but the first 3 rounds
};

// `bound` is absolute. Throws std::runtime_error where a lossless candidate changes a byte.
[[nodiscard]] std::vector<Measurement> measure(const std::vector<const Candidate*>& candidates,
                                               const fields::Field& field, double bound,
                                               const Effort& effort,
                                               const std::function<void(int)>& each_round);

}  // namespace tightwire::bench
