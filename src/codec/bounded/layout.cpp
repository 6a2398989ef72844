#include "codec/bounded/layout.h"

#include <bit>
#include <cstring>

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
  put(header.rows.reach, out);
  put(header.grid, out);
  put(header.rows.length, out);
  if (header.grid == GridKind::given) {
    put(header.origin, out);
  } else {
    put(header.terms, out);
  }
  put(header.count, out);
  put(header.grid == GridKind::given ? header.step : header.error_bound, out);
}

namespace {

bool valid_grid_of(const Header& header) {
  switch (header.grid) {
    case GridKind::derived:
      return valid_grid(header.error_bound, header.terms);
    case GridKind::given:
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
  header.rows.reach = take<std::uint8_t>(in);
  header.grid = static_cast<GridKind>(take<std::uint8_t>(in));
  header.rows.length = take<std::uint32_t>(in);
  header.terms = take<std::uint32_t>(in);
  header.count = take<std::uint64_t>(in);
  header.error_bound = take<double>(in);
  if (header.grid == GridKind::given) {
    header.origin = std::bit_cast<float>(header.terms);
    header.step = header.error_bound;
    header.terms = 1;
  }
  if (version != format_version) return Error::damaged;
  if (!is_floating_point(header.type) || !valid(header.rows)) return Error::damaged;
  if (!valid_grid_of(header)) return Error::damaged;
  return Error::none;
}

}  // namespace tightwire::codec::bounded
