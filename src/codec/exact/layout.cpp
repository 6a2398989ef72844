#include "codec/exact/layout.h"

#include <cstring>

namespace tightwire::codec::exact {

void write_header(const Header& header, std::byte* out) {
  out[0] = std::byte{format_version};
  out[1] = std::byte(header.type);
  out[2] = std::byte(header.method);
  const std::uint8_t reach = header.method == Method::tiles ? header.rows.reach : std::uint8_t{0};
  out[3] = bounded::structure_byte(reach, header.components);
  std::memcpy(out + 4, &header.rows.length, 4);
  std::memcpy(out + 8, &header.count, 8);
}

Error read_header(std::span<const std::byte> encoded, Header& header) {
  if (encoded.size() < header_size) return Error::damaged;
  const std::byte* in = encoded.data();
  header.type = static_cast<ElementType>(in[1]);
  header.method = static_cast<Method>(in[2]);
  header.rows.reach = bounded::reach_of(in[3]);
  header.components = bounded::components_of(in[3]);
  std::memcpy(&header.rows.length, in + 4, 4);
  std::memcpy(&header.count, in + 8, 8);
  const bool known = in[0] == std::byte{format_version} && header.type <= ElementType::float64 &&
                     header.method <= Method::words;
  const bool suits = header.method != Method::words || element_size(header.type) == 1;
  if (!known || !suits || header.rows.length > bounded::longest_row) return Error::damaged;
  const bool apart = header.method == Method::tiles || header.method == Method::coded;
  if (header.components != 1 && !apart) return Error::damaged;
  const bool good =
      header.method == Method::tiles ? bounded::valid(header.rows) : header.rows.reach == 0;
  return good ? Error::none : Error::damaged;
}

}  // namespace tightwire::codec::exact
