#include "device/host_codec.h"

#include <array>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "codec/bounded/header_grid.h"
#include "codec/chunked/layout.h"
#include "codec/float_environment.h"
#include "device/kernels/combine.h"
#include "device/kernels/decode.h"
#include "device/kernels/encode.h"
#include "device/stream.h"

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

std::uint8_t* bytes(std::byte* from) {
  return reinterpret_cast<std::uint8_t*>(from);
}
const std::uint8_t* bytes(const std::byte* from) {
  return reinterpret_cast<const std::uint8_t*>(from);
}

// Writes a stream chunk by chunk.
class Writer {
 public:
  Writer(const codec::chunked::Header& header, std::span<std::byte> out)
      : out_(out), payload_(codec::chunked::payload_offset(header.cut)), end_(payload_) {
    codec::chunked::write_header(header, out.data());
  }

  // Where the next chunk goes.
  std::uint8_t* place(std::uint32_t size) {
    std::uint8_t* const place = bytes(out_.data()) + end_;
    end_ += size;
    codec::chunked::write_end(out_.data(), chunk_++, end_ - payload_);
    return place;
  }
  [[nodiscard]] std::size_t size() const { return end_; }

 private:
  std::span<std::byte> out_;
  std::size_t payload_;
  std::size_t end_;
  std::uint64_t chunk_ = 0;
};

template <class T>
Result encode_values(HostLanes& lanes, const Header& header, std::span<const T> values,
                     std::span<std::byte> out) {
  const codec::chunked::Header stream = stream_header(header.type, values.size());
  const auto grid = codec::bounded::grid_to_encode<T>(header);
  const auto memory = std::make_unique<ChunkMemory<T>>();
  Writer writer(stream, out);
  for (std::uint64_t chunk = 0; chunk < stream.cut.chunks(); ++chunk) {
    const auto count = static_cast<unsigned>(stream.cut.values_in(chunk));
    const HeaderBytes head = bytes_of(header, count);
    PlaceAtOnce place([&](std::uint32_t size) { return writer.place(size); });
    encode_chunk(lanes, values.data() + stream.cut.first(chunk), count, grid, head.data(), *memory,
                 place);
  }
  return {Error::none, writer.size()};
}

template <class T>
Error decode_one(HostLanes& lanes, std::span<const std::byte> encoded, std::span<T> values,
                 ChunkMemory<T>& memory) {
  if (encoded.size() == values.size_bytes()) {
    std::memcpy(values.data(), encoded.data(), encoded.size());
    return Error::none;
  }
  Header header;
  if (codec::bounded::read_header(encoded, header) != Error::none) return Error::damaged;
  if (!is_of_profile(header, type_of<T>, values.size())) return Error::damaged;
  const HeaderBytes head = bytes_of(header, header.count);
  const bool sound =
      decode_chunk(lanes, bytes(encoded.data()), static_cast<std::uint32_t>(encoded.size()),
                   static_cast<unsigned>(values.size()), codec::bounded::grid_of<T>(header),
                   head.data(), memory, values.data());
  return sound ? Error::none : Error::damaged;
}

template <class T>
Result decode_values(HostLanes& lanes, std::span<const std::byte> encoded, std::span<T> values) {
  Chunks chunks;
  if (const Error error = open(encoded, type_of<T>, values.size(), chunks); error != Error::none) {
    return {error, 0};
  }
  const codec::chunked::Cut cut = chunks.header.cut;
  const auto memory = std::make_unique<ChunkMemory<T>>();
  for (std::uint64_t chunk = 0; chunk < cut.chunks(); ++chunk) {
    const auto part = values.subspan(cut.first(chunk), cut.values_in(chunk));
    const Error error = decode_one(lanes, chunks.at(chunk), part, *memory);
    if (error != Error::none) return {error, 0};
  }
  return {Error::none, values.size_bytes()};
}

// sum(chunk, count, head, place) writes each, or is false where an operand is damaged.
template <class Sum>
Result write_sums(const Header& header, const codec::chunked::Header& stream,
                  std::span<std::byte> out, Sum sum) {
  Writer writer(stream, out);
  for (std::uint64_t chunk = 0; chunk < stream.cut.chunks(); ++chunk) {
    const auto count = static_cast<unsigned>(stream.cut.values_in(chunk));
    const HeaderBytes head = bytes_of(header, count);
    PlaceAtOnce place([&](std::uint32_t size) { return writer.place(size); });
    if (!sum(chunk, count, head.data(), place)) return {Error::damaged, 0};
  }
  return {Error::none, writer.size()};
}

EncodedChunk chunk_of(const Chunks& chunks, std::uint64_t chunk) {
  const auto found = chunks.at(chunk);
  return {bytes(found.data()), static_cast<std::uint32_t>(found.size())};
}

template <class T>
Result merge_values(HostLanes& lanes, const Header& header, std::span<const std::byte> incoming,
                    std::span<const T> own, std::span<std::byte> out) {
  Chunks chunks;
  if (const Error error = open(incoming, type_of<T>, own.size(), chunks); error != Error::none) {
    return {error, 0};
  }
  const auto grid = codec::bounded::grid_to_encode<T>(header);
  const auto memory = std::make_unique<ChunkMemory<T>>();
  std::vector<T> kept(Extent<T>::values);
  return write_sums(header, chunks.header, out,
                    [&](std::uint64_t chunk, unsigned count, const std::uint8_t* head, auto& to) {
                      const EncodedChunk in = chunk_of(chunks, chunk);
                      const T* const added = own.data() + chunks.header.cut.first(chunk);
                      return merge_chunk(lanes, in.bytes, in.size, added, count, grid, head,
                                         *memory, kept.data(), to);
                    });
}

template <class T>
Result combine_values(HostLanes& lanes, const Header& header, std::size_t values,
                      std::span<const std::byte> first, std::span<const std::byte> second,
                      std::span<std::byte> out) {
  Chunks one;
  Chunks other;
  for (const auto& [stream, chunks] : {std::pair{first, &one}, std::pair{second, &other}}) {
    const Error error = open(stream, type_of<T>, values, *chunks);
    if (error != Error::none) return {error, 0};
  }
  const auto grid = codec::bounded::grid_to_encode<T>(header);
  const auto memory = std::make_unique<ChunkMemory<T>>();
  const auto aside = std::make_unique<Aside<T>>();
  std::vector<T> kept(Extent<T>::values);
  return write_sums(header, one.header, out,
                    [&](std::uint64_t chunk, unsigned count, const std::uint8_t* head, auto& to) {
                      return combine_chunk(lanes, chunk_of(one, chunk), chunk_of(other, chunk),
                                           count, grid, head, *memory, *aside, kept.data(), to);
                    });
}

template <class T, class Byte>
auto as_values(std::span<Byte> from) {
  using Value = std::conditional_t<std::is_const_v<Byte>, const T, T>;
  return std::span(reinterpret_cast<Value*>(from.data()), from.size() / sizeof(T));
}

}  // namespace

std::size_t max_encoded_size(ElementType type, std::size_t count) {
  return codec::chunked::payload_offset(stream_header(type, count).cut) +
         count * codec::element_size(type);
}

namespace {

// Of what has `bytes` of values to put on the grid of `header`.
Error check(const Header& header, std::size_t bytes, std::span<std::byte> out) {
  if (!codec::is_floating_point(header.type)) return Error::unsupported_type;
  const std::size_t size = codec::element_size(header.type);
  if (!has_grid_of_profile(header) || bytes % size != 0) return Error::bad_parameter;
  const bool fits = out.size() >= max_encoded_size(header.type, bytes / size);
  return fits ? Error::none : Error::output_too_small;
}
Error check_sums(const Header& header, std::size_t bytes, std::span<std::byte> out) {
  const Error error = check(header, bytes, out);
  if (error != Error::none) return error;
  return header.grid == codec::bounded::GridKind::derived ? Error::none : Error::bad_parameter;
}

}  // namespace

Result encode(HostLanes lanes, const Header& header, std::span<const std::byte> values,
              std::span<std::byte> out) {
  if (const Error error = check(header, values.size(), out); error != Error::none)
    return {error, 0};
  const codec::FloatEnvironment environment;
  if (header.type == ElementType::float32) {
    return encode_values(lanes, header, as_values<float>(values), out);
  }
  return encode_values(lanes, header, as_values<double>(values), out);
}

Result merge(HostLanes lanes, const Header& header, std::span<const std::byte> incoming,
             std::span<const std::byte> own, std::span<std::byte> out) {
  if (const Error error = check_sums(header, own.size(), out); error != Error::none) {
    return {error, 0};
  }
  const codec::FloatEnvironment environment;
  if (header.type == ElementType::float32) {
    return merge_values(lanes, header, incoming, as_values<float>(own), out);
  }
  return merge_values(lanes, header, incoming, as_values<double>(own), out);
}

Result combine(HostLanes lanes, const Header& header, std::size_t count,
               std::span<const std::byte> first, std::span<const std::byte> second,
               std::span<std::byte> out) {
  const std::size_t bytes = count * codec::element_size(header.type);
  if (const Error error = check_sums(header, bytes, out); error != Error::none) return {error, 0};
  const codec::FloatEnvironment environment;
  if (header.type == ElementType::float32) {
    return combine_values<float>(lanes, header, count, first, second, out);
  }
  return combine_values<double>(lanes, header, count, first, second, out);
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
