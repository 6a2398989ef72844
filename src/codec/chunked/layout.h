// The fixed parts of a chunked stream; see docs/dev/format.md, "Chunked streams".
#pragma once

#include "codec/codec.h"

namespace tightwire::codec::chunked {

inline constexpr std::uint8_t format_version = 1;
inline constexpr std::size_t header_size = 24;
inline constexpr std::size_t index_entry_size = 8;

// How a row of values is cut: all chunks are equally long, but for the last.
struct Cut {
  std::uint64_t count = 0;             // values
  std::uint64_t values_per_chunk = 1;  // at least 1

  [[nodiscard]] std::uint64_t chunks() const {
    return count / values_per_chunk + (count % values_per_chunk != 0);
  }
  [[nodiscard]] std::uint64_t first(std::uint64_t chunk) const { return chunk * values_per_chunk; }
  [[nodiscard]] std::uint64_t values_in(std::uint64_t chunk) const {
    const std::uint64_t rest = count - first(chunk);
    return rest < values_per_chunk ? rest : values_per_chunk;
  }
};

struct Header {
  Id codec = Id::raw;
  ElementType type = ElementType::bytes;
  Cut cut;
};

void write_header(const Header& header, std::byte* out);
// Checks every field against its range, the version, and that the index fits into `encoded`.
[[nodiscard]] Error read_header(std::span<const std::byte> encoded, Header& header);

// Where the bytes of the first chunk start.
[[nodiscard]] inline std::size_t payload_offset(const Cut& cut) {
  return header_size + static_cast<std::size_t>(cut.chunks()) * index_entry_size;
}

// The index: where each chunk ends, counted from the start of the payload.
void write_end(std::byte* stream, std::uint64_t chunk, std::uint64_t end);
[[nodiscard]] std::uint64_t read_end(const std::byte* stream, std::uint64_t chunk);

}  // namespace tightwire::codec::chunked
