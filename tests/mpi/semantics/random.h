// Pseudo-random choices of a schedule: the same on every rank for the same seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace semantics {

// splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
  }

  // 0 to n - 1; n is at least 1.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }

  // Both ends included.
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }

  bool chance(unsigned percent) { return below(100) < percent; }

  template <class T>
  T of(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }

  template <class T>
  const T& of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace semantics
