// What a CUDA device makes of one field within one bound: whether it is what the processor makes of
// it, and how fast.
#pragma once

#include <string>

#include "fields/fields.h"

namespace tightwire::bench {

struct Outcome {
  std::string row;        // of the CSV
  bool right = true;      // all bytes, and within the bound
  std::string different;  // where the first bytes are that are not
};

// The names of its columns.
extern const char* const measurement_columns;

// `relative` is the bound as a part of the field's range. Throws std::runtime_error where the
// device fails.
[[nodiscard]] Outcome measure(const fields::Field& field, double relative, int rounds);

}  // namespace tightwire::bench
