// What docs/user/accuracy.md promises of values that `bounded` encodes alone, by the simplest code
// that says it: an oracle, which shares nothing with the encoder.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "codec/error_bound.h"

namespace tightwire::codec {

// By the rule of fill values, with gaps that are larger by `margin`: then rounding does not decide.
template <class T>
class FillRule {
 public:
  FillRule(std::span<const T> values, double bound, long double margin = 1 + 1e-9L)
      : values_(values), margin_(margin) {
    find_ends();
    if (!high_.empty()) others_ = {low_[0], high_[0]};
    for (std::size_t high = 0; high < kept; ++high) {
      for (std::size_t low = 0; low < kept; ++low) {
        if (high + low != 0) take_if_fills(high, low, bound);
      }
    }
  }

  [[nodiscard]] bool is_fill(T value) const {
    return std::find(fills_.begin(), fills_.end(), value) != fills_.end();
  }

  // What a relative bound is a part of: from the smallest to the largest of all others, or of all
  // where others are all the same.
  [[nodiscard]] std::pair<T, T> range() const {
    if (high_.empty() || others_.first < others_.second) return others_;
    return {low_[0], high_[0]};
  }

 private:
  static constexpr std::size_t kept = 4;
  using Wide = long double;

  // The different numbers at both ends, from outside; fewer than `kept` where there are no more.
  void find_ends() {
    for (auto [ends, sign] : {std::pair{&high_, T{1}}, std::pair{&low_, T{-1}}}) {
      T last = std::numeric_limits<T>::infinity();
      while (ends->size() < kept) {
        T next = -std::numeric_limits<T>::infinity();
        for (const T value : values_) {
          const T number = sign * value;
          if (number < last && number > next) next = number;
        }
        if (std::isinf(next)) break;
        ends->push_back(sign * next);
        last = next;
      }
    }
  }

  [[nodiscard]] bool repeats(T value) const {
    return std::count(values_.begin(), values_.end(), value) > 1;
  }

  void take_if_fills(std::size_t high, std::size_t low, double bound) {
    if (high >= high_.size() || low >= low_.size()) return;
    const Wide top = high_[high];
    const Wide bottom = low_[low];
    if (top < bottom) return;
    Wide width = top - bottom;
    if (width == 0) {
      if (high > 1 || low > 1) return;
      width = std::abs(top);
    }
    const Wide gap = margin_ * std::max(4 * width, 8 * Wide{bound});
    if (high > 0 && !(high_[high - 1] - top > gap && repeats(high_[high - 1]))) return;
    if (low > 0 && !(bottom - low_[low - 1] > gap && repeats(low_[low - 1]))) return;
    take(high, low, top - bottom);
  }

  // Of several choices the one that leaves others the nearest to each other; of two that are as
  // good, only what both say.
  void take(std::size_t high, std::size_t low, Wide width) {
    if (width > least_width_) return;
    std::vector<T> fills(high_.begin(), high_.begin() + static_cast<std::ptrdiff_t>(high));
    fills.insert(fills.end(), low_.begin(), low_.begin() + static_cast<std::ptrdiff_t>(low));
    if (width == least_width_) {
      std::erase_if(fills, [&](T value) { return !is_fill(value); });
    }
    fills_ = std::move(fills);
    least_width_ = width;
    others_ = {low_[low], high_[high]};
  }

  std::span<const T> values_;
  Wide margin_;
  std::vector<T> high_;
  std::vector<T> low_;
  std::vector<T> fills_;
  Wide least_width_ = std::numeric_limits<Wide>::infinity();
  std::pair<T, T> others_;  // from the smallest to the largest
};

// Integers in the bits of floating-point numbers.
template <class T>
class BitsRule {
 public:
  explicit BitsRule(std::span<const T> values) {
    constexpr T least_normal = std::numeric_limits<T>::min();
    constexpr T half_of_digits = std::bit_cast<T>(BitsOf<T>{1} << (digits - 1) / 2);
    constexpr T next_to_subnormals = sizeof(T) == 4 ? T(0x1p-100) : T(0x1p-960);
    constexpr T on_the_way = sizeof(T) == 4 ? T(0x1p-74) : T(0x1p-256);
    double low = 0;
    double high = 0;
    double next = 0;
    double normal = 0;
    double above = 0;
    double larger = 0;
    for (const T value : values) {
      const T number = std::abs(value);
      if (std::isnan(number) || number == 0) continue;
      ++(number < half_of_digits ? low
         : number < least_normal ? high
         : number < tiny         ? normal
         : number < on_the_way   ? above
                                 : larger);
      if (number >= least_normal && number < next_to_subnormals) ++next;
    }
    const double subnormal = low + high;
    const bool reached = larger == 0 || above >= normal / 32;
    const bool decays = subnormal < 16
                            ? next >= 2 * subnormal
                            : next >= subnormal / 8 && std::min(low, high) >= subnormal / 16;
    all_exact_ = subnormal > 0 && !(reached && decays);
    tiny_exact_ = normal > 0 && !reached;
  }

  [[nodiscard]] bool is_exact(T value) const {
    return all_exact_ || (tiny_exact_ && std::abs(value) < tiny);
  }

 private:
  static constexpr int digits = std::numeric_limits<T>::digits;
  static constexpr T tiny = sizeof(T) == 4 ? T(0x1p-100) : T(0x1p-511);

  bool all_exact_ = false;
  bool tiny_exact_ = false;
};

// Whole numbers beside others, and alone.
template <class T>
class WholeRule {
 public:
  WholeRule(std::span<const T> values, double bound, const FillRule<T>& fills) : bound_(bound) {
    std::array<double, digits> whole{};
    std::array<double, digits> all{};
    for (const T value : values) {
      const T number = std::abs(value);
      if (!(number >= std::numeric_limits<T>::min() && number < end)) continue;
      if (fills.is_fill(value)) continue;
      const bool is_whole = std::trunc(number) == number;
      broken_ |= !is_whole;
      if (number < 1) continue;
      const auto exponent = static_cast<std::size_t>(std::ilogb(number));
      ++all[exponent];
      if (is_whole) ++whole[exponent];
    }
    for (std::size_t exponent = 0; exponent + 1 < digits; ++exponent) {
      const auto bits = static_cast<double>(digits - 1 - exponent);
      const double by_chance = all[exponent] / std::exp2(bits);
      on_purpose_ |= whole[exponent] > 8 * by_chance;
      on_purpose_ |= whole[exponent] == all[exponent] && whole[exponent] * bits >= 32;
      any_ |= whole[exponent] > 0;
    }
  }

  [[nodiscard]] bool is_exact(T value) const {
    if (!any_ || !(std::abs(value) < end) || value == 0) return false;
    if (!broken_) return bound_ < 1 && std::trunc(value) == value;
    const T parts = bound_ < 0.125 ? value * 4 : value;
    return on_purpose_ && std::trunc(parts) == parts;
  }

 private:
  static constexpr std::size_t digits = std::numeric_limits<T>::digits;
  static constexpr T end = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52);

  double bound_;
  bool any_ = false;
  bool broken_ = false;
  bool on_purpose_ = false;
};

template <class T>
class Promise {
 public:
  Promise(std::span<const T> values, double bound)
      : bound_(bound), fills_(values, bound), bits_(values), whole_(values, bound, fills_) {}

  // What is broken; nullptr if nothing is.
  [[nodiscard]] const char* broken_by(T original, T decoded) const {
    using Bits = BitsOf<T>;
    if (std::bit_cast<Bits>(original) == std::bit_cast<Bits>(decoded)) return nullptr;
    if (!std::isfinite(original)) return "what is no number is exact";
    if (!within_bound(original, decoded, bound_)) return "the bound holds";
    if (fills_.is_fill(original)) return "fill values are exact";
    if (bits_.is_exact(original)) return "integers in bits are exact";
    if (whole_.is_exact(original)) return "whole numbers are exact";
    return nullptr;
  }

 private:
  double bound_;
  FillRule<T> fills_;
  BitsRule<T> bits_;
  WholeRule<T> whole_;
};

}  // namespace tightwire::codec
