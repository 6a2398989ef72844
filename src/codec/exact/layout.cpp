#include "codec/exact/layout.h"

#include <cstring>

namespace tightwire::codec::exact {

void write_header(const Header& header, std::byte* out) {
  out[0] = std::byte{format_version};
  out[1] = std::byte(header.type);
  out[2] = std::byte(header.method);
  out[3] = std::byte{header.method == Method::tiles ? header.rows.reach : header.predictor};
  std::memcpy(out + 4, &header.rows.length, 4);
  std::memcpy(out + 8, &header.count, 8);
}

Error read_header(std::span<const std::byte> encoded, Header& header) {
  if (encoded.size() < header_size) return Error::damaged;
  const std::byte* in = encoded.data();
  header.type = static_cast<ElementType>(in[1]);
  header.method = static_cast<Method>(in[2]);
  const auto predictor_or_reach = static_cast<std::uint8_t>(in[3]);
  std::memcpy(&header.rows.length, in + 4, 4);
  std::memcpy(&header.count, in + 8, 8);
  const bool known = in[0] == std::byte{format_version} && header.type <= ElementType::float64 &&
                     header.method <= Method::shuffled;
  if (!known || header.rows.length > bounded::longest_row) return Error::damaged;
  if (header.method == Method::tiles) {
    header.rows.reach = predictor_or_reach;
    return bounded::valid(header.rows) ? Error::none : Error::damaged;
  }
  header.predictor = predictor_or_reach;
  const std::size_t predictors = header.method == Method::shuffled ? shuffled_predictors : 1;
  if (header.predictor >= predictors) return Error::damaged;
  return Error::none;
}

}  // namespace tightwire::codec::exact
