// How far what ranks received is from what is right.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tightwire::scale {

struct Errors {
  double largest = 0;  // infinite if there is a NaN
  double squares = 0;  // their sum
  double values = 0;   // of how many

  void add(double received, double right) {
    const double error = std::fabs(received - right);
    const bool is_number = !std::isnan(error);
    largest = is_number ? std::max(largest, error) : HUGE_VAL;
    squares += is_number ? error * error : HUGE_VAL;
    values += 1;
  }
};

}  // namespace tightwire::scale
