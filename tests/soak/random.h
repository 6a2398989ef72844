// A small fast generator (SplitMix64; Steele, Lea, Flood, OOPSLA 2014): the soak makes billions of
// numbers, and a case is named by one seed.
#pragma once

#include <cmath>
#include <cstdint>

namespace tightwire::soak {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Uniform in [0, n); n > 0. The bias is of no account here.
  std::uint64_t below(std::uint64_t n) { return bits() % n; }

  // Uniform in [0, 1).
  double fraction() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  // Uniform in [low, high).
  double between(double low, double high) { return low + (high - low) * fraction(); }

  // Bell-shaped enough: twelve uniforms, Irwin and Hall's.
  double bell() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += fraction();
    return sum;
  }

 private:
  std::uint64_t state_;
};

}  // namespace tightwire::soak
