// In place of the library of that name where it is missing: as much of it as bench/fields wants,
// for lengths that are powers of two. Fields differ from those made with it by rounding.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <vector>

template <class T>
class kissfft {
 public:
  using Complex = std::complex<T>;

  kissfft(std::size_t length, bool inverse) : turns_(length / 2) {
    const double whole = (inverse ? 2 : -2) * std::numbers::pi;
    for (std::size_t i = 0; i < turns_.size(); ++i) {
      const double angle = whole * static_cast<double>(i) / static_cast<double>(length);
      turns_[i] = {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
    }
  }

  void transform(const Complex* from, Complex* to) const { halve(from, 1, to, turns_.size() * 2); }

 private:
  // Of `length` numbers that lie `stride` apart (Cooley and Tukey).
  void halve(const Complex* from, std::size_t stride, Complex* to, std::size_t length) const {
    if (length < 2) {
      *to = *from;
      return;
    }
    const std::size_t half = length / 2;
    halve(from, 2 * stride, to, half);
    halve(from + stride, 2 * stride, to + half, half);
    for (std::size_t i = 0; i < half; ++i) {
      const Complex even = to[i];
      const Complex odd = to[half + i] * turns_[i * stride];
      to[i] = even + odd;
      to[half + i] = even - odd;
    }
  }

  std::vector<Complex> turns_;
};
