#include "codec/rows/planes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "codec/bounded/header_grid.h"
#include "codec/estimate/integers.h"

namespace tightwire::codec {
namespace {

constexpr std::size_t values_per_place = 1024;
constexpr std::size_t most_places = 32;
constexpr unsigned least_gain = 20;  // one part in so many

// Bits of blocks under the predictors that look no further up than one row, and back.
template <class Integers>
class Comparison {
 public:
  Comparison(const Integers& integers, Distances apart) : integers_(integers), apart_(apart) {}

  // Adds a block that begins at `first` and the value before it, if all there have integers.
  void add(std::size_t first) {
    Over any{};
    Over before = over(first - 1);
    for (std::size_t i = 0; i < bounded::block_values; ++i) {
      const Over here = over(first + i);
      for (std::size_t p = 0; p < here.size(); ++p) any[p] |= folded(here[p] - before[p]);
      before = here;
    }
    if (std::exchange(some_missing_, false)) return;
    for (std::size_t p = 0; p < any.size(); ++p) {
      bits_[p] += static_cast<unsigned>(std::bit_width(any[p]));
    }
  }

  [[nodiscard]] bool planes_pay() const {
    const unsigned without = std::min(bits_[0], bits_[1]);
    return std::min(bits_[2], bits_[3]) + without / least_gain < without;
  }

 private:
  // An integer; less what the row above says, what the plane before says, and both.
  using Over = std::array<std::uint64_t, 4>;

  [[nodiscard]] std::uint64_t get(std::size_t index) {
    std::int64_t integer = 0;
    some_missing_ |= !integers_.get(index, integer);
    return static_cast<std::uint64_t>(integer);
  }

  [[nodiscard]] Over over(std::size_t index) {
    const std::uint64_t here = get(index);
    const std::uint64_t row = get(index - apart_.row);
    const std::uint64_t plane = get(index - apart_.plane);
    const std::uint64_t both = get(index - apart_.plane - apart_.row);
    return {here, here - row, here - plane, here - plane - (row - both)};
  }

  const Integers& integers_;
  Distances apart_;
  std::array<unsigned, 4> bits_{};
  bool some_missing_ = false;
};

template <class Integers>
bool planes_pay(const Integers& integers, std::size_t count, Distances apart) {
  const std::size_t start = std::size_t{apart.plane} + apart.row + 1;
  if (apart.plane == 0 || start + bounded::block_values >= count) return false;
  const std::size_t places = std::clamp<std::size_t>(count / values_per_place, 1, most_places);
  Comparison<Integers> comparison(integers, apart);
  const auto room = static_cast<double>(count - start - bounded::block_values);
  for (std::size_t i = 0; i < places; ++i) {
    // Fractions of the golden ratio: in step with no row and no plane.
    const double turns = 0.6180339887498949 * static_cast<double>(i + 1);
    comparison.add(start + static_cast<std::size_t>((turns - std::floor(turns)) * room));
  }
  return comparison.planes_pay();
}

}  // namespace

bool bounded_planes_pay(const bounded::Header& header, std::span<const std::byte> values) {
  if (header.rows.in_plane == 0 || header.components != 1) return false;
  const auto of = [&](auto grid) {
    return planes_pay(GridIntegers(values, grid), header.count, header.rows.apart());
  };
  return header.type == ElementType::float32 ? of(bounded::grid_to_encode<float>(header))
                                             : of(bounded::grid_to_encode<double>(header));
}

bool exact_planes_pay(const exact::Header& header, std::span<const std::byte> values) {
  if (header.rows.in_plane == 0 || header.components != 1) return false;
  return with_ordered_integers(header.type, values, [&](const auto& integers) {
    return planes_pay(integers, header.count, header.rows.apart());
  });
}

}  // namespace tightwire::codec
