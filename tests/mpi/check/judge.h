// Whether a reduced floating-point value is right, given what every rank put in.
#pragma once

#include <cmath>
#include <limits>
#include <span>

namespace check {

// The sum of doubles and floats as an unevaluated sum of two doubles: exact for floats of like
// size, else good to some 100 bits (two-sum: Knuth, TAOCP 2, 4.2.2).
class ExactSum {
 public:
  void add(double x) {
    const double sum = high_ + x;
    const double part = sum - high_;
    low_ += (high_ - (sum - part)) + (x - part);
    high_ = sum;
  }
  [[nodiscard]] double value() const { return high_ + low_; }

 private:
  double high_ = 0;
  double low_ = 0;
};

enum class FloatOp : unsigned char { sum, min, max, prod };

struct Allowed {
  double error = 0;               // the bound, 0 for none
  bool per_contribution = false;  // sums of N terms: N x error
};

struct Verdict {
  bool right = true;
  bool exact = true;  // no further off than MPI's own rounding
};

template <class T>
Verdict judge_sum(std::span<const T> terms, T result, const Allowed& allowed) {
  bool nan = false;
  bool plus = false;
  bool minus = false;
  ExactSum off;
  long double magnitude = 0;
  for (const T x : terms) {
    nan |= std::isnan(x);
    plus |= std::isinf(x) && x > 0;
    minus |= std::isinf(x) && x < 0;
    magnitude += std::abs(static_cast<long double>(x));
    off.add(-static_cast<double>(x));
  }
  if (nan || (plus && minus)) {
    return {.right = std::isnan(result)};
  }
  if (plus || minus) {
    return {.right = std::isinf(result) && (result > 0) == plus};
  }
  // An intermediate sum may overflow or not, as the order has it.
  if (magnitude > static_cast<long double>(std::numeric_limits<T>::max())) {
    return {};
  }
  if (!std::isfinite(result)) {
    return {.right = false};
  }
  off.add(static_cast<double>(result));
  const double error = std::abs(off.value());
  const auto terms_added = static_cast<double>(terms.size() - 1);
  const double rounding = terms_added * static_cast<double>(std::numeric_limits<T>::epsilon()) / 2 *
                          static_cast<double>(magnitude);
  double limit = allowed.error * (allowed.per_contribution ? static_cast<double>(terms.size()) : 1);
  // Where the type itself is about as coarse as the bound, no library could keep the bound alone.
  if (rounding > limit / 4) {
    limit += rounding;
  }
  return {.right = error <= limit, .exact = error <= rounding};
}

template <class T>
Verdict judge_extreme(bool least, std::span<const T> terms, T result, const Allowed& allowed) {
  bool nan = false;
  T expected = terms.front();
  for (const T x : terms) {
    nan |= std::isnan(x);
    expected = (least ? x < expected : x > expected) ? x : expected;
  }
  // MPI does not say what becomes of NaN; it must be one of what went in.
  if (nan) {
    bool one_of_them = std::isnan(result);
    for (const T x : terms) {
      one_of_them |= x == result || std::abs(x - result) <= allowed.error;
    }
    return {.right = one_of_them};
  }
  const bool exact = result == expected;
  return {.right = exact || std::abs(static_cast<double>(result) - static_cast<double>(expected)) <=
                                allowed.error,
          .exact = exact};
}

template <class T>
Verdict judge_product(std::span<const T> terms, T result, const Allowed& allowed) {
  long double product = 1;
  long double widened = 1;
  for (const T x : terms) {
    product *= x;
    widened *= std::abs(static_cast<long double>(x)) + allowed.error;
  }
  const long double size = std::abs(product);
  const long double rounding =
      static_cast<long double>(terms.size()) * std::numeric_limits<T>::epsilon() / 2 * size +
      std::numeric_limits<T>::denorm_min();
  const long double limit =
      (allowed.per_contribution ? widened - size : static_cast<long double>(allowed.error));
  const long double error = std::abs(result - product);
  return {.right = error <= std::max(limit, rounding), .exact = error <= rounding};
}

template <class T>
Verdict judge(FloatOp op, std::span<const T> terms, T result, const Allowed& allowed) {
  switch (op) {
    case FloatOp::sum:
      return judge_sum(terms, result, allowed);
    case FloatOp::prod:
      return judge_product(terms, result, allowed);
    default:
      return judge_extreme(op == FloatOp::min, terms, result, allowed);
  }
}

}  // namespace check
