#include "codec/bounded/layout.h"

#include <bit>
#include <cstring>

#include "codec/bounded/coded_layout.h"
#include "codec/bounded/grid.h"

namespace tightwire::codec::bounded {
namespace {

static_assert(std::endian::native == std::endian::little, "the stream is little endian");

template <class T>
void put(T value, std::byte*& out) {
  std::memcpy(out, &value, sizeof value);
  out += sizeof value;
}

template <class T>
T take(const std::byte*& in) {
  T value;
  std::memcpy(&value, in, sizeof value);
  in += sizeof value;
  return value;
}

}  // namespace

void write_header(const Header& header, std::byte* out) {
  put(format_version, out);
  put(static_cast<std::uint8_t>(header.type), out);
  put(structure_byte(header.rows.reach, header.components), out);
  put(header.grid, out);
  put(rows_field(header.rows), out);
  if (has_own_grid(header)) {
    put(header.origin, out);
  } else {
    put(header.terms, out);
  }
  put(header.count, out);
  put(has_own_grid(header) ? header.step : header.error_bound, out);
}

namespace {

bool valid_rows_of(const Header& header) {
  if (header.rows.in_plane != 0) {
    if (!has_own_grid(header) || header.components != 1) return false;
    if (!valid_planes(header.rows, 1, header.count)) return false;
  }
  if (is_in_time(header)) return header.rows.length == 0 && valid(header.rows);
  if (header.grid != GridKind::coded) return valid(header.rows);
  return header.rows.reach == 0 && header.rows.length <= longest_row;
}

bool valid_grid_of(const Header& header) {
  switch (header.grid) {
    case GridKind::derived:
      return valid_grid(header.error_bound, header.terms);
    case GridKind::given:
    case GridKind::coded:
    case GridKind::in_time:
    case GridKind::coded_in_time:
      return valid_given_grid(header.type, header.step, header.origin);
    case GridKind::none:
      // -0 is not 0 here.
      return header.rows.length == 0 && header.terms == 0 &&
             std::bit_cast<std::uint64_t>(header.error_bound) == 0;
  }
  return false;
}

}  // namespace

Error read_header(std::span<const std::byte> encoded, Header& header) {
  if (encoded.size() < header_size) return Error::damaged;
  const std::byte* in = encoded.data();
  const auto version = take<std::uint8_t>(in);
  header.type = static_cast<ElementType>(take<std::uint8_t>(in));
  const auto structure = take<std::byte>(in);
  header.rows.reach = reach_of(structure);
  header.components = components_of(structure);
  header.grid = static_cast<GridKind>(take<std::uint8_t>(in));
  take_rows_field(take<std::uint32_t>(in), header.rows);
  header.terms = take<std::uint32_t>(in);
  header.count = take<std::uint64_t>(in);
  header.error_bound = take<double>(in);
  if (has_own_grid(header)) {
    header.origin = std::bit_cast<float>(header.terms);
    header.step = header.error_bound;
    header.terms = 1;
  }
  if (version != format_version) return Error::other_version;
  if (!is_floating_point(header.type) || !valid_rows_of(header)) return Error::damaged;
  if (!valid_grid_of(header)) return Error::damaged;
  if (header.components != 1 && header.grid != GridKind::given) return Error::damaged;
  return Error::none;
}

void write_coded_head(const CodedHead& head, std::byte* out) {
  put(head.tiles_size, out);
  put(head.residuals, out);
}

bool read_coded_head(std::span<const std::byte> body, CodedHead& head) {
  if (body.size() < coded_head_size) return false;
  const std::byte* in = body.data();
  head.tiles_size = take<std::uint64_t>(in);
  head.residuals = take<std::uint64_t>(in);
  return head.tiles_size <= body.size() - coded_head_size;
}

}  // namespace tightwire::codec::bounded
