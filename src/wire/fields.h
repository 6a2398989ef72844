// Fields of what goes over the wire, at any alignment.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace tightwire::wire {

template <class T>
void put(std::span<std::byte> bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

template <class T>
[[nodiscard]] T get(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace tightwire::wire
