#include "codec/exact/plain.h"

#include <cstring>
#include <memory>
#include <new>

#include "codec/entropy/layout.h"
#include "codec/exact/coded.h"
#include "codec/exact/promise.h"
#include "codec/rows/planes.h"
#include "codec/rows/reach.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec::exact {
namespace {

Result tiles_of(const Header& header, const Transform& transform, std::span<const std::byte> values,
                std::span<std::byte> body) {
  const std::size_t size = transform_size(header.type, transform);
  if (body.size() < size) return {Error::output_too_small, 0};
  write_transform(header.type, transform, body.data());
  Result result = active_kernels().exact_encode(header, transform, values, body.subspan(size));
  result.size += size;
  return result;
}

Result decode_tiles(const Header& header, std::span<const std::byte> body, References references,
                    std::span<std::byte> values) {
  Transform transform;
  const std::size_t size = read_transform(header.type, header.count, body, references, transform);
  if (size == 0) return {Error::damaged, 0};
  return active_kernels().exact_decode(header, transform, body.subspan(size), values);
}

// Through the entropy coder.
struct Coded {
  Header header;
  std::unique_ptr<std::byte[]> body;
  Result result;
};

// In at most `room` bytes.
Coded coded_of(const Header& header, const Transform& transform, std::span<const std::byte> values,
               std::size_t room) {
  Coded coded{header, std::unique_ptr<std::byte[]>(new (std::nothrow) std::byte[room]), {}};
  coded.header.method = Method::coded;
  coded.result = coded.body == nullptr
                     ? Result{Error::out_of_memory, 0}
                     : encode_coded(header, transform, values, {coded.body.get(), room});
  return coded;
}

// The same values, not taken apart.
Header together(Header header) {
  const std::size_t row_length = std::size_t{header.rows.length} * header.components;
  header.rows.length =
      row_length > bounded::longest_row ? 0 : static_cast<std::uint32_t>(row_length);
  if (header.rows.length == 0) header.rows.in_plane = 0;
  header.components = 1;
  return header;
}

// Rows, which the search for components leaves out, may be better than these; and few values share
// one table of codes. Both are made where estimates say much the same.
Coded smallest_of(const Header& header, const Transform& transform,
                  std::span<const std::byte> values, std::size_t room) {
  constexpr double clear = 1.03;
  const bool many = header.count / header.components >= entropy::segment_values;
  if (header.components == 1 || (many && header.rows.length == 0)) {
    return coded_of(header, transform, values, room);
  }
  const double bits_apart = estimate_coded(header, transform, values);
  const double bits_together = estimate_coded(together(header), transform, values);
  if (many && bits_together > clear * bits_apart) return coded_of(header, transform, values, room);
  Coded one = coded_of(together(header), transform, values, room);
  if (many && bits_apart > clear * bits_together) return one;
  Coded apart = coded_of(header, transform, values, room);
  const bool smaller = !apart.result.ok() || one.result.size < apart.result.size;
  return one.result.ok() && smaller ? std::move(one) : std::move(apart);
}

Result restore(std::span<const std::byte> body, std::span<std::byte> values) {
  if (body.size() != values.size()) return {Error::damaged, 0};
  if (!values.empty()) std::memcpy(values.data(), body.data(), body.size());
  return {Error::none, values.size()};
}

}  // namespace

std::span<std::byte> body_of(std::span<const std::byte> values, std::span<std::byte> encoded) {
  if (encoded.size() < header_size) return {};
  return encoded.subspan(header_size, std::min(encoded.size() - header_size, values.size()));
}

Result store(Header header, std::span<const std::byte> values, std::span<std::byte> encoded) {
  header.method = Method::stored;
  header.components = 1;
  if (encoded.size() < header_size + values.size()) return {Error::output_too_small, 0};
  write_header(header, encoded.data());
  if (!values.empty()) std::memcpy(encoded.data() + header_size, values.data(), values.size());
  return {Error::none, header_size + values.size()};
}

Result encode_tiles(Header header, const Transform& transform, std::span<const std::byte> values,
                    std::span<std::byte> encoded) {
  header.rows.reach = exact_rows_reach(header, values);
  if (!exact_planes_pay(header, values)) header.rows.in_plane = 0;
  header.method = Method::tiles;
  Result body = tiles_of(header, transform, values, body_of(values, encoded));
  if (body.error == Error::bad_parameter) {
    body = tiles_of(header, {}, values, body_of(values, encoded));
  }
  if (!body.ok()) return store(header, values, encoded);
  write_header(header, encoded.data());
  return {Error::none, header_size + body.size};
}

Result code_smaller(const Header& header, const Transform& transform,
                    std::span<const std::byte> values, Result least, std::span<std::byte> encoded) {
  // Beyond `least`, for the coder stops before it knows how short a segment will be.
  const std::size_t room = body_of(values, encoded).size();
  const Coded coded = smallest_of(header, transform, values, room);
  if (coded.result.error == Error::output_too_small) return least;
  if (!coded.result.ok()) return coded.result;
  if (least.ok() && least.size <= header_size + coded.result.size) return least;
  write_header(coded.header, encoded.data());
  std::memcpy(encoded.data() + header_size, coded.body.get(), coded.result.size);
  return {Error::none, header_size + coded.result.size};
}

Result encode_plain(const Header& header, std::span<const std::byte> values,
                    std::span<std::byte> encoded) {
  const Transform transform = choose_transform(header.type, values);
  const Promise promise = promise_of(header, transform, values);
  const Result tiles = encode_tiles(header, promise.transform, values, encoded);
  return code_smaller(header, transform, values, tiles, encoded);
}

Result decode_plain(const Header& header, std::span<const std::byte> body, References references,
                    std::span<std::byte> values) {
  switch (header.method) {
    case Method::stored:
      return restore(body, values);
    case Method::tiles:
      return decode_tiles(header, body, references, values);
    case Method::coded:
      return decode_coded(header, body, references, values);
    default:
      return {Error::damaged, 0};
  }
}

}  // namespace tightwire::codec::exact
