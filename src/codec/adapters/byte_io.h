// Little-endian fields in byte buffers; reading is bounds-checked.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace tightwire::codec {

static_assert(std::endian::native == std::endian::little, "the formats are written as in memory");

template <class T>
void append(std::vector<std::byte>& bytes, const T& value) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof(T));
}

inline void append_leb128(std::vector<std::byte>& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<std::byte>(value | 0x80));
  bytes.push_back(static_cast<std::byte>(value));
}

// Takes fields off the front of `bytes`; false, and nothing taken, where it does not hold one.
template <class T>
[[nodiscard]] bool take(std::span<const std::byte>& bytes, T& value) {
  if (bytes.size() < sizeof(T)) return false;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes = bytes.subspan(sizeof(T));
  return true;
}

[[nodiscard]] inline bool take_leb128(std::span<const std::byte>& bytes, std::uint64_t& value) {
  value = 0;
  for (unsigned i = 0; i < bytes.size() && i < 9; ++i) {  // 63 bits: more than any count
    value |= (std::to_integer<std::uint64_t>(bytes[i]) & 0x7f) << (7 * i);
    if ((bytes[i] & std::byte{0x80}) == std::byte{0}) {
      bytes = bytes.subspan(i + 1);
      return true;
    }
  }
  return false;
}

}  // namespace tightwire::codec
