// Tests of strictness must not round themselves.
#pragma once

#include <cmath>

namespace tightwire::codec {

// Whether |a - b| > bound in real arithmetic. Compile without contraction.
inline bool differs_by_more(double a, double b, double bound) {
  double difference = a - b;
  const double b_part = a - difference;
  const double a_part = difference + b_part;
  double error = (a - a_part) + (b_part - b);  // a - b == difference + error exactly (Knuth's 2Sum)
  if (difference < 0) {
    difference = -difference;
    error = -error;
  }
  // Rounding is monotone and the bound representable, so only equality needs the error.
  return difference > bound || (difference == bound && error > 0);
}

}  // namespace tightwire::codec
