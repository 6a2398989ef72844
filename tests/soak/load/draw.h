// Numbers that all ranks draw alike, and contents that tell where they come from.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace load {

inline std::uint64_t mixed(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t end) { return (state_ = mixed(state_)) % end; }

  // As many small ones as large ones: from 1 to `most`, evenly by their logarithm.
  int count(int most) {
    const double exponent = std::log(most) * static_cast<double>(below(1 << 20)) / (1 << 20);
    return std::max(1, static_cast<int>(std::exp(exponent)));
  }

 private:
  std::uint64_t state_;
};

// Values of one rank in one operation: small whole numbers, so that sums are exact in any order;
// some compress, some do not.
template <class Number>
std::vector<Number> values(std::uint64_t operation, int rank, int count) {
  std::vector<Number> result(static_cast<std::size_t>(count));
  const std::uint64_t seed = mixed(operation * 1000 + static_cast<std::uint64_t>(rank));
  const bool smooth = seed % 2 == 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::uint64_t value = smooth ? seed / 2 + i / 8 : mixed(seed + i);
    result[i] = static_cast<Number>(value % 1024);
  }
  return result;
}

}  // namespace load
