// How values are to be encoded so that a bound does not change what is no measurement.
//
// docs/user/accuracy.md promises, of one encoding: whole numbers that stand beside others come back
// as they were, and so do integers stored in the bits of floating-point numbers;
// docs/dev/format.md, "What writers do", says how.
#pragma once

#include "codec/codec.h"

namespace tightwire::codec::bounded {

struct Treatment {
  double error_bound = 0;   // at most the one asked for
  bool tiny_exact = false;  // -0 and subnormals are kept bit for bit; else they are values
};

// `parameters` are those of one encoding alone (terms is 1) and have been checked. Reads all
// values.
[[nodiscard]] Treatment treatment_of(ElementType type, std::span<const std::byte> values,
                                     const Parameters& parameters);

}  // namespace tightwire::codec::bounded
