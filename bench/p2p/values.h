// What the messages hold.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace tightwire::p2p_bench {

struct Values {
  MPI_Datatype type = MPI_DATATYPE_NULL;  // MPI_FLOAT or MPI_DOUBLE
  std::size_t size = 0;                   // of one value, in bytes
  double range = 0;                       // largest less smallest
  std::vector<std::byte> bytes;
};

inline constexpr std::string_view all_fields[] = {"smooth", "turbulence", "noise"};

// smooth: plane waves, doubles. turbulence: velocity of decaying turbulence, floats. noise: uniform
// doubles, which no codec makes smaller. `bytes` is a power of two; small messages are the start of
// a larger field.
[[nodiscard]] Values make_values(std::string_view field, std::size_t bytes, int rank);

// The largest difference between values of the same kind.
[[nodiscard]] double largest_error(const Values& kind, const std::byte* a, const std::byte* b,
                                   std::size_t bytes);

}  // namespace tightwire::p2p_bench
