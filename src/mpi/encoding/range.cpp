#include "mpi/encoding/range.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "mpi/error.h"

namespace tightwire::mpi {
namespace {

// Plain loops over independent lanes, which the compiler turns into vector code.
template <class T>
Range range_of_values(std::span<const std::byte> bytes) {
  constexpr std::size_t lanes = 32;
  constexpr T limit = std::numeric_limits<T>::max();
  std::array<T, lanes> values{};
  std::array<T, lanes> low;
  std::array<T, lanes> high;
  low.fill(limit);
  high.fill(-limit);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof values) {
    const std::size_t size = std::min(sizeof values, bytes.size() - at);
    std::memcpy(values.data(), bytes.data() + at, size);
    // The last, shorter group keeps values of the one before, or repeats its own first.
    if (at == 0 && size < sizeof values) {
      std::fill(values.begin() + static_cast<std::ptrdiff_t>(size / sizeof(T)), values.end(),
                values[0]);
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const bool finite = std::fabs(values[lane]) <= limit;
      const T upwards = finite ? values[lane] : limit;
      const T downwards = finite ? values[lane] : -limit;
      low[lane] = upwards < low[lane] ? upwards : low[lane];
      high[lane] = downwards > high[lane] ? downwards : high[lane];
    }
  }
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

}  // namespace tightwire::mpi
