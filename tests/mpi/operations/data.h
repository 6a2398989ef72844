// The data that the checks move.
#pragma once

#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace operations {

struct Type {
  const char* name;
  MPI_Datatype handle;
  std::size_t size;
  bool floating;
};

inline const Type types[] = {{"int", MPI_INT, sizeof(int), false},
                             {"float", MPI_FLOAT, sizeof(float), true},
                             {"double", MPI_DOUBLE, sizeof(double), true}};

// `count` smooth values, different on every rank, as bytes.
inline std::vector<unsigned char> values(const Type& type, std::size_t count, int rank) {
  std::vector<unsigned char> bytes(count * type.size);
  for (std::size_t i = 0; i < count; ++i) {
    const double smooth = std::sin(0.01 * static_cast<double>(i) + rank) * 1.5;
    const auto single = static_cast<float>(smooth);
    const auto whole = static_cast<int>(1000 * smooth) + rank;
    unsigned char* place = &bytes[i * type.size];
    if (!type.floating) {
      std::memcpy(place, &whole, sizeof whole);
    } else if (type.size == sizeof(float)) {
      std::memcpy(place, &single, sizeof single);
    } else {
      std::memcpy(place, &smooth, sizeof smooth);
    }
  }
  return bytes;
}

// Room for `count` values and some more that nobody may touch.
inline std::vector<unsigned char> room(const Type& type, std::size_t count) {
  return std::vector<unsigned char>(count * type.size + 64, 0xa5);
}

}  // namespace operations
