// What stands before the tiles and the integers of a coded encoding; see docs/dev/format.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tightwire::codec::bounded {

struct CodedHead {
  std::uint64_t tiles_size = 0;  // in bytes; 0: the grid holds all values
  std::uint64_t residuals = 0;   // values that the grid holds
};
inline constexpr std::size_t coded_head_size = 16;

void write_coded_head(const CodedHead& head, std::byte* out);
// False: damaged, also where the tiles do not fit.
[[nodiscard]] bool read_coded_head(std::span<const std::byte> body, CodedHead& head);

}  // namespace tightwire::codec::bounded
