// One chunk, as serial and parallel coding share it.
#pragma once

#include "codec/chunked/chunked.h"

namespace tightwire::codec::chunked {

// What encode_chunk() needs for a chunk of `count` values.
[[nodiscard]] std::size_t max_chunk_size(const Codec& codec, ElementType type, std::size_t count);

// The codec's encoding where that is smaller than the values, else the values.
Result encode_chunk(const Codec& codec, ElementType type, std::span<const std::byte> values,
                    const Parameters& parameters, std::span<std::byte> out);

// The header of a stream; Error::none if the arguments are sound.
[[nodiscard]] Error make_header(const Codec& codec, ElementType type,
                                std::span<const std::byte> values, std::size_t values_per_chunk,
                                std::size_t out_size, Header& header);

// The part of all `values` that belongs to a chunk.
template <class Byte>
[[nodiscard]] std::span<Byte> chunk_of(std::span<Byte> values, const Header& header,
                                       std::uint64_t chunk) {
  const std::size_t size = element_size(header.type);
  return values.subspan(header.cut.first(chunk) * size, header.cut.values_in(chunk) * size);
}

}  // namespace tightwire::codec::chunked
