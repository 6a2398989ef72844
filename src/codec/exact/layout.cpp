#include "codec/exact/layout.h"

#include <cstring>

namespace tightwire::codec::exact {
namespace {

bool suits(Method method, ElementType type) {
  if (method == Method::words) return element_size(type) == 1;
  return method != Method::list || element_size(type) >= 4;
}

bool has_planes(const Header& header) {
  if (header.method == Method::tiles) return header.components == 1;
  return header.method == Method::coded;
}

}  // namespace

void write_header(const Header& header, std::byte* out) {
  out[0] = std::byte{format_version};
  out[1] = std::byte(header.type);
  out[2] = std::byte(header.method);
  const std::uint8_t reach = header.method == Method::tiles ? header.rows.reach : std::uint8_t{0};
  out[3] = bounded::structure_byte(reach, header.components);
  bounded::Rows rows = header.rows;
  if (!has_planes(header)) rows.in_plane = 0;
  const std::uint32_t field = bounded::rows_field(rows);
  std::memcpy(out + 4, &field, sizeof field);
  std::memcpy(out + 8, &header.count, 8);
}

Error read_header(std::span<const std::byte> encoded, Header& header) {
  if (encoded.size() < header_size) return Error::damaged;
  const std::byte* in = encoded.data();
  if (in[0] != std::byte{format_version}) return Error::other_version;
  header.type = static_cast<ElementType>(in[1]);
  header.method = static_cast<Method>(in[2]);
  header.rows.reach = bounded::reach_of(in[3]);
  header.components = bounded::components_of(in[3]);
  std::uint32_t rows = 0;
  std::memcpy(&rows, in + 4, sizeof rows);
  bounded::take_rows_field(rows, header.rows);
  std::memcpy(&header.count, in + 8, 8);
  const bool known = header.type <= ElementType::float64 && header.method <= Method::list;
  if (!known || !suits(header.method, header.type) || header.rows.length > bounded::longest_row)
    return Error::damaged;
  const bool apart = header.method == Method::tiles || header.method == Method::coded;
  if (header.components != 1 && !apart) return Error::damaged;
  if (header.rows.in_plane != 0 && !has_planes(header)) return Error::damaged;
  if (!bounded::valid_planes(header.rows, header.components, header.count)) return Error::damaged;
  const bool good =
      header.method == Method::tiles ? bounded::valid(header.rows) : header.rows.reach == 0;
  return good ? Error::none : Error::damaged;
}

}  // namespace tightwire::codec::exact
