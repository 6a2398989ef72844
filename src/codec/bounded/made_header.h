// The header of what is encoded, from what the caller says of the values.
#pragma once

#include "codec/bounded/layout.h"
#include "codec/rows/structure.h"

namespace tightwire::codec::bounded {

[[nodiscard]] inline Rows rows_for(const Parameters& parameters, std::uint8_t components) {
  const std::uint32_t length = row_length_for(parameters, components);
  return {length, length == 0 ? std::uint8_t{0} : std::uint8_t{1}};
}

[[nodiscard]] inline Header header_for(ElementType type, std::span<const std::byte> values,
                                       const Parameters& parameters) {
  Header header;
  header.type = type;
  header.rows = rows_for(parameters, 1);
  header.terms = parameters.terms;
  header.count = values.size() / element_size(type);
  header.error_bound = parameters.error_bound;
  return header;
}

// Writes it before a body, if there is one.
[[nodiscard]] inline Result with_header(const Header& header, std::span<std::byte> out,
                                        Result body) {
  if (!body.ok()) return {body.error, 0};
  write_header(header, out.data());
  return {Error::none, header_size + body.size};
}

}  // namespace tightwire::codec::bounded
