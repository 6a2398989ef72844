#include "device/host_codec.h"

#include <array>
#include <cstring>
#include <memory>

#include "codec/bounded/fitted_grid.h"
#include "codec/bounded/header_grid.h"
#include "codec/chunked/layout.h"
#include "codec/float_environment.h"
#include "device/kernels/decode.h"
#include "device/kernels/encode.h"

namespace tightwire::device {
namespace {

using codec::ElementType;
using codec::Error;
using codec::Result;
using codec::bounded::Header;

using HeaderBytes = std::array<std::uint8_t, header_size>;

template <class T>
constexpr ElementType type_of = sizeof(T) == 4 ? ElementType::float32 : ElementType::float64;

HeaderBytes bytes_of(Header header, std::uint64_t count) {
  header.count = count;
  HeaderBytes bytes;
  codec::bounded::write_header(header, reinterpret_cast<std::byte*>(bytes.data()));
  return bytes;
}

std::size_t values_per_chunk(ElementType type) {
  return chunk_bytes / codec::element_size(type);
}

codec::chunked::Header stream_header(ElementType type, std::size_t count) {
  return {codec::Id::bounded, type, {count, values_per_chunk(type)}};
}

std::uint8_t* bytes(std::byte* from) {
  return reinterpret_cast<std::uint8_t*>(from);
}
const std::uint8_t* bytes(const std::byte* from) {
  return reinterpret_cast<const std::uint8_t*>(from);
}

template <class T>
Result encode_values(HostLanes& lanes, const Header& header, std::span<const T> values,
                     std::span<std::byte> out) {
  const codec::chunked::Header stream = stream_header(header.type, values.size());
  codec::chunked::write_header(stream, out.data());
  const auto grid = codec::bounded::grid_to_encode<T>(header);
  const auto memory = std::make_unique<ChunkMemory<T>>();
  const std::size_t payload = codec::chunked::payload_offset(stream.cut);
  std::size_t end = payload;
  for (std::uint64_t chunk = 0; chunk < stream.cut.chunks(); ++chunk) {
    const auto count = static_cast<unsigned>(stream.cut.values_in(chunk));
    const HeaderBytes head = bytes_of(header, count);
    encode_chunk(lanes, values.data() + stream.cut.first(chunk), count, grid, head.data(), *memory,
                 [&](std::uint32_t size) {
                   std::uint8_t* const place = bytes(out.data()) + end;
                   end += size;
                   return place;
                 });
    codec::chunked::write_end(out.data(), chunk, end - payload);
  }
  return {Error::none, end};
}

// Of a stream whose index has been checked.
template <class T>
Error decode_one(HostLanes& lanes, std::span<const std::byte> encoded, std::span<T> values,
                 ChunkMemory<T>& memory) {
  if (encoded.size() == values.size_bytes()) {
    std::memcpy(values.data(), encoded.data(), encoded.size());
    return Error::none;
  }
  Header header;
  if (codec::bounded::read_header(encoded, header) != Error::none) return Error::damaged;
  const bool of_profile = header.grid == codec::bounded::GridKind::given &&
                          header.type == type_of<T> && header.components == 1 &&
                          header.rows.length == 0 && header.count == values.size();
  if (!of_profile) return Error::damaged;
  const HeaderBytes head = bytes_of(header, header.count);
  const bool sound =
      decode_chunk(lanes, bytes(encoded.data()), static_cast<std::uint32_t>(encoded.size()),
                   static_cast<unsigned>(values.size()), codec::bounded::grid_of<T>(header),
                   head.data(), memory, values.data());
  return sound ? Error::none : Error::damaged;
}

template <class T>
Result decode_values(HostLanes& lanes, std::span<const std::byte> encoded, std::span<T> values) {
  codec::chunked::Header stream;
  if (const Error error = codec::chunked::read_header(encoded, stream); error != Error::none) {
    return {error, 0};
  }
  const codec::chunked::Header expected = stream_header(type_of<T>, values.size());
  if (stream.codec != expected.codec || stream.type != expected.type ||
      stream.cut.count != expected.cut.count ||
      stream.cut.values_per_chunk != expected.cut.values_per_chunk) {
    return {Error::damaged, 0};
  }
  const auto memory = std::make_unique<ChunkMemory<T>>();
  const auto payload = encoded.subspan(codec::chunked::payload_offset(stream.cut));
  std::uint64_t start = 0;
  for (std::uint64_t chunk = 0; chunk < stream.cut.chunks(); ++chunk) {
    const std::uint64_t end = codec::chunked::read_end(encoded.data(), chunk);
    const auto part = values.subspan(stream.cut.first(chunk), stream.cut.values_in(chunk));
    if (end < start || end > payload.size() || end - start > part.size_bytes()) {
      return {Error::damaged, 0};
    }
    const Error error = decode_one(lanes, payload.subspan(start, end - start), part, *memory);
    if (error != Error::none) return {error, 0};
    start = end;
  }
  if (start != payload.size()) return {Error::damaged, 0};
  return {Error::none, values.size_bytes()};
}

template <class T>
codec::bounded::FittedGrid grid_between(double error_bound, double smallest, double largest) {
  codec::FillValues fills;
  fills.others = {smallest, largest};
  const std::array<T, 2> ends{static_cast<T>(smallest), static_cast<T>(largest)};
  return codec::bounded::fit_grid<T>(error_bound, fills,
                                     codec::Sample::of<T>(std::as_bytes(std::span(ends))));
}

template <class T, class Byte>
auto as_values(std::span<Byte> from) {
  using Value = std::conditional_t<std::is_const_v<Byte>, const T, T>;
  return std::span(reinterpret_cast<Value*>(from.data()), from.size() / sizeof(T));
}

}  // namespace

Header header_for(ElementType type, double error_bound, double smallest, double largest) {
  Header header;
  header.type = type;
  const codec::bounded::FittedGrid grid =
      type == ElementType::float32 ? grid_between<float>(error_bound, smallest, largest)
                                   : grid_between<double>(error_bound, smallest, largest);
  header.grid = codec::bounded::GridKind::none;
  if (grid.usable) put_into(header, grid);
  return header;
}

std::size_t max_encoded_size(ElementType type, std::size_t count) {
  return codec::chunked::payload_offset(stream_header(type, count).cut) +
         count * codec::element_size(type);
}

Result encode(HostLanes lanes, const Header& header, std::span<const std::byte> values,
              std::span<std::byte> out) {
  if (!codec::is_floating_point(header.type)) return {Error::unsupported_type, 0};
  const std::size_t size = codec::element_size(header.type);
  if (header.grid != codec::bounded::GridKind::given || values.size() % size != 0) {
    return {Error::bad_parameter, 0};
  }
  if (out.size() < max_encoded_size(header.type, values.size() / size)) {
    return {Error::output_too_small, 0};
  }
  const codec::FloatEnvironment environment;
  if (header.type == ElementType::float32) {
    return encode_values(lanes, header, as_values<float>(values), out);
  }
  return encode_values(lanes, header, as_values<double>(values), out);
}

Result decode(HostLanes lanes, ElementType type, std::span<const std::byte> encoded,
              std::span<std::byte> values) {
  if (!codec::is_floating_point(type)) return {Error::unsupported_type, 0};
  if (values.size() % codec::element_size(type) != 0) return {Error::damaged, 0};
  const codec::FloatEnvironment environment;
  if (type == ElementType::float32) return decode_values(lanes, encoded, as_values<float>(values));
  return decode_values(lanes, encoded, as_values<double>(values));
}

}  // namespace tightwire::device
