// Cutting contiguous bytes whose element type only the sender knows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "mpi/partition.h"

namespace tightwire::mpi {

// Cuts fall on multiples of the largest element, so they are right for every type.
inline constexpr std::size_t largest_element = 16;

// In bytes.
[[nodiscard]] constexpr Part byte_range(std::size_t size, std::size_t parts, std::size_t index) {
  const std::size_t units = (size + largest_element - 1) / largest_element;
  const Part p = part_of({0, units}, parts, index);
  const std::size_t begin = std::min(p.begin * largest_element, size);
  return {begin, std::min(p.count * largest_element, size - begin)};
}

template <class Byte>
[[nodiscard]] std::span<Byte> byte_part(std::span<Byte> values, std::size_t parts,
                                        std::size_t index) {
  const Part range = byte_range(values.size(), parts, index);
  return values.subspan(range.begin, range.count);
}

[[nodiscard]] constexpr std::size_t longest_byte_part(std::size_t size, std::size_t parts) {
  const std::size_t units = (size + largest_element - 1) / largest_element;
  return longest_part(units, parts) * largest_element;
}

}  // namespace tightwire::mpi
