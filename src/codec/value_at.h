// A value of an unaligned buffer of them.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace tightwire::codec {

template <class V>
[[nodiscard]] V value_at(std::span<const std::byte> values, std::size_t index) {
  V value;
  std::memcpy(&value, values.data() + index * sizeof(V), sizeof(V));
  return value;
}

}  // namespace tightwire::codec
