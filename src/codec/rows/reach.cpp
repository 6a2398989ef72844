#include "codec/rows/reach.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "codec/bounded/header_grid.h"
#include "codec/estimate/integers.h"
#include "codec/estimate/taken_apart.h"

namespace tightwire::codec {
namespace {

constexpr std::size_t values_per_place = 8192;
constexpr std::size_t least_places = 2;
constexpr std::size_t most_places = 16;
constexpr std::size_t least_rows = 8;  // the first of them cannot look up
constexpr unsigned least_gain = 20;    // one part in so many

template <class Integers>
class Comparison {
 public:
  Comparison(const Integers& integers, std::size_t row_length)
      : integers_(integers), row_(row_length) {}

  // Adds a block that begins at `first` and the value before it.
  void add(std::size_t first) {
    std::uint64_t with_one = 0;
    std::uint64_t with_three = 0;
    Over before = over_rows(first - 1);
    for (std::size_t i = 0; i < bounded::block_values; ++i) {
      const Over here = over_rows(first + i);
      with_one |= folded(here.one - before.one);
      with_three |= folded(here.three - before.three);
      before = here;
    }
    one_ += static_cast<unsigned>(std::bit_width(with_one));
    three_ += static_cast<unsigned>(std::bit_width(with_three));
  }

  [[nodiscard]] bool three_pay() const { return three_ + one_ / least_gain < one_; }

 private:
  struct Over {  // an integer less what the row, or the rows, above it say
    std::uint64_t one;
    std::uint64_t three;
  };

  [[nodiscard]] std::uint64_t get(std::size_t index) const {
    std::int64_t integer = 0;
    return integers_.get(index, integer) ? static_cast<std::uint64_t>(integer) : 0;
  }

  [[nodiscard]] Over over_rows(std::size_t index) const {
    const std::uint64_t here = get(index);
    const std::uint64_t one = get(index - row_);
    const std::uint64_t two = get(index - 2 * row_);
    const auto bend = static_cast<std::int64_t>(get(index - 3 * row_) - two);
    return {here - one, here - (2 * one - two + static_cast<std::uint64_t>(bend >> 1))};
  }

  const Integers& integers_;
  std::size_t row_;
  unsigned one_ = 0;
  unsigned three_ = 0;
};

template <class Integers>
std::uint8_t reach(const Integers& integers, std::size_t count, std::size_t row_length) {
  if (row_length == 0) return 0;
  if (!three_rows_allowed(count, row_length)) return 1;
  const std::size_t places = std::min(count / values_per_place, most_places);
  Comparison<Integers> comparison(integers, row_length);
  const std::size_t start = 3 * row_length + 1;
  const auto room = static_cast<double>(count - start - bounded::block_values);
  for (std::size_t i = 0; i < places; ++i) {
    // Fractions of the golden ratio: in step with no row and no plane.
    const double turns = 0.6180339887498949 * static_cast<double>(i + 1);
    comparison.add(start + static_cast<std::size_t>((turns - std::floor(turns)) * room));
  }
  return comparison.three_pay() ? bounded::most_rows : 1;
}

// Of each component.
template <class Integers>
std::uint8_t reach(const Integers& integers, std::size_t count, std::size_t components,
                   std::size_t row_length) {
  if (components == 1) return reach(integers, count, row_length);
  const TakenApart<Integers> apart(integers, count, components);
  return reach(apart, apart.count(), row_length);
}

}  // namespace

bool three_rows_allowed(std::size_t count, std::size_t row_length) {
  return count >= least_places * values_per_place && count >= least_rows * row_length &&
         row_length >= bounded::shortest_of_rows && row_length <= bounded::longest_of_rows;
}

std::uint8_t bounded_rows_reach(const bounded::Header& header, std::span<const std::byte> values) {
  const auto of = [&](auto grid) {
    return reach(GridIntegers(values, grid), header.count, header.components, header.rows.length);
  };
  return header.type == ElementType::float32 ? of(bounded::grid_to_encode<float>(header))
                                             : of(bounded::grid_to_encode<double>(header));
}

std::uint8_t exact_rows_reach(const exact::Header& header, std::span<const std::byte> values) {
  return with_ordered_integers(header.type, values, [&](const auto& integers) {
    return reach(integers, header.count, header.components, header.rows.length);
  });
}

}  // namespace tightwire::codec
