#include "collective/range.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "collective/failure.h"

namespace tightwire::collective {
namespace {

// Several independent minima and maxima, so that one value's compare need not wait for the last.
template <class T>
Range range_of_values(std::span<const std::byte> bytes) {
  constexpr std::size_t lanes = 16;
  constexpr T limit = std::numeric_limits<T>::max();
  std::array<T, lanes> low;
  std::array<T, lanes> high;
  low.fill(limit);
  high.fill(-limit);
  const auto take = [&](const std::byte* at, std::size_t lane) {
    T value;
    std::memcpy(&value, at, sizeof value);
    const bool finite = std::fabs(value) <= limit;
    low[lane] = finite && value < low[lane] ? value : low[lane];
    high[lane] = finite && value > high[lane] ? value : high[lane];
  };
  const std::size_t count = bytes.size() / sizeof(T);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      take(bytes.data() + (i + lane) * sizeof(T), lane);
    }
  }
  for (; i < count; ++i) take(bytes.data() + i * sizeof(T), 0);
  return {static_cast<double>(*std::min_element(low.begin(), low.end())),
          static_cast<double>(*std::max_element(high.begin(), high.end()))};
}

}  // namespace

Range range_of(codec::ElementType type, std::span<const std::byte> values) {
  return type == codec::ElementType::float32 ? range_of_values<float>(values)
                                             : range_of_values<double>(values);
}

Range agreed_range(const Range& own, MPI_Comm comm) {
  std::array<double, 2> extremes{-own.smallest, own.largest};
  check(PMPI_Allreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_DOUBLE, MPI_MAX, comm));
  return {-extremes[0], extremes[1]};
}

}  // namespace tightwire::collective
