// Pages and ranges of addresses.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tightwire::early {

using Bytes = std::span<const std::byte>;
using Address = std::uintptr_t;

// [begin, end)
struct Range {
  Address begin = 0;
  Address end = 0;
  [[nodiscard]] bool empty() const { return begin >= end; }
  [[nodiscard]] std::size_t size() const { return empty() ? 0 : end - begin; }
  bool operator==(const Range&) const = default;
};

[[nodiscard]] inline std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

[[nodiscard]] inline Address address_of(Bytes bytes) {
  return reinterpret_cast<Address>(bytes.data());
}

// Every page that holds one of the bytes.
[[nodiscard]] inline Range pages_of(Bytes bytes) {
  const Address mask = ~static_cast<Address>(page_size() - 1);
  const Address begin = address_of(bytes);
  if (bytes.empty()) return {begin & mask, begin & mask};
  return {begin & mask, (begin + bytes.size() + page_size() - 1) & mask};
}

}  // namespace tightwire::early
