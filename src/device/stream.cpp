#include "device/stream.h"

namespace tightwire::device {

using codec::ElementType;
using codec::Error;
using codec::bounded::Header;

namespace {

std::size_t values_per_chunk(ElementType type) {
  return chunk_bytes / codec::element_size(type);
}

}  // namespace

codec::chunked::Header stream_header(ElementType type, std::size_t count) {
  return {codec::Id::bounded, type, {count, values_per_chunk(type)}};
}

std::span<const std::byte> Chunks::at(std::uint64_t chunk) const {
  const std::size_t payload = codec::chunked::payload_offset(header.cut);
  const std::uint64_t start = chunk == 0 ? 0 : codec::chunked::read_end(encoded.data(), chunk - 1);
  const std::uint64_t end = codec::chunked::read_end(encoded.data(), chunk);
  return encoded.subspan(payload + start, end - start);
}

Error open(std::span<const std::byte> encoded, ElementType type, std::size_t count,
           Chunks& chunks) {
  codec::chunked::Header& stream = chunks.header;
  if (const Error error = codec::chunked::read_header(encoded, stream); error != Error::none) {
    return error;
  }
  const codec::chunked::Header expected = stream_header(type, count);
  if (stream.codec != expected.codec || stream.type != expected.type ||
      stream.cut.count != expected.cut.count ||
      stream.cut.values_per_chunk != expected.cut.values_per_chunk) {
    return Error::damaged;
  }
  chunks.encoded = encoded;
  std::uint64_t start = 0;
  for (std::uint64_t chunk = 0; chunk < stream.cut.chunks(); ++chunk) {
    const std::uint64_t end = codec::chunked::read_end(encoded.data(), chunk);
    const std::uint64_t plain = stream.cut.values_in(chunk) * codec::element_size(type);
    if (end < start || end - start > plain) return Error::damaged;
    start = end;
  }
  const std::size_t payload = codec::chunked::payload_offset(stream.cut);
  return start == encoded.size() - payload ? Error::none : Error::damaged;
}

bool has_grid_of_profile(const Header& header) {
  return header.grid == codec::bounded::GridKind::given ||
         header.grid == codec::bounded::GridKind::derived;
}

bool is_of_profile(const Header& header, ElementType type, std::uint64_t count) {
  return has_grid_of_profile(header) && header.type == type && header.components == 1 &&
         header.rows.length == 0 && header.count == count;
}

Error open_stream(std::span<const std::byte> encoded, ElementType type, std::size_t count,
                  Header& header) {
  if (!codec::is_floating_point(type)) return Error::unsupported_type;
  Chunks chunks;
  header.type = type;
  if (const Error error = open(encoded, type, count, chunks); error != Error::none) return error;
  const codec::chunked::Cut cut = chunks.header.cut;
  for (std::uint64_t chunk = 0; chunk < cut.chunks(); ++chunk) {
    const std::uint64_t values = cut.values_in(chunk);
    const auto bytes = chunks.at(chunk);
    if (bytes.size() == values * codec::element_size(type)) continue;
    Header first;
    if (codec::bounded::read_header(bytes, first) != Error::none) return Error::damaged;
    if (!is_of_profile(first, type, values)) return Error::damaged;
    header = first;
    return Error::none;
  }
  return Error::none;
}

}  // namespace tightwire::device
