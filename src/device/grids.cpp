#include "device/grids.h"

#include <array>
#include <bit>
#include <span>

#include "codec/bounded/fitted_grid.h"
#include "codec/float_environment.h"

namespace tightwire::device {

using codec::ElementType;
using codec::bounded::Header;

namespace {

template <class T>
codec::bounded::FittedGrid grid_between(double error_bound, double smallest, double largest) {
  codec::FillValues fills;
  fills.others = {smallest, largest};
  const std::array<T, 2> ends{static_cast<T>(smallest), static_cast<T>(largest)};
  return codec::bounded::fit_grid<T>(error_bound, fills,
                                     codec::Sample::of<T>(std::as_bytes(std::span(ends))));
}

}  // namespace

Header header_for(ElementType type, double error_bound, double smallest, double largest) {
  const codec::FloatEnvironment environment;
  Header header;
  header.type = type;
  const codec::bounded::FittedGrid grid =
      type == ElementType::float32 ? grid_between<float>(error_bound, smallest, largest)
                                   : grid_between<double>(error_bound, smallest, largest);
  header.grid = codec::bounded::GridKind::none;
  if (grid.usable) put_into(header, grid);
  return header;
}

namespace {

template <class T, class Bits>
double number_of(std::uint64_t ordered) {
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  const auto bits = static_cast<Bits>(ordered);
  return std::bit_cast<T>((bits & sign) != 0 ? bits ^ sign : static_cast<Bits>(~bits));
}

}  // namespace

Ends ends_of(ElementType type, const OrderedRange& range) {
  if (range.least > range.most) return {};
  if (type == ElementType::float32) {
    return {number_of<float, std::uint32_t>(range.least),
            number_of<float, std::uint32_t>(range.most)};
  }
  return {number_of<double, std::uint64_t>(range.least),
          number_of<double, std::uint64_t>(range.most)};
}

Header header_for_sums(ElementType type, double error_bound, std::uint32_t terms) {
  Header header;
  header.type = type;
  header.error_bound = error_bound;
  header.terms = terms;
  return header;
}

}  // namespace tightwire::device
