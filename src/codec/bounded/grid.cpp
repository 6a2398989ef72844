#include "codec/bounded/grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tightwire::codec::bounded {
namespace {

template <class T>
struct Range;  // of integers and of steps

// One encoding alone needs no room for sums and gets the coarser limit, hence the wider step.
template <>
struct Range<float> {
  static constexpr double most_of_one = 0x1p18;
  static constexpr double most_of_many = 0x1p20;
  static constexpr double most_of_sum = 0x1p31 - 1;
  static constexpr double exact_in_type = 0x1p24;
  static constexpr double rounding = 0x1p-23;  // of the decoded value, in steps per integer, twice
};
template <>
struct Range<double> {
  static constexpr double most_of_one = 0x1p40;
  static constexpr double most_of_many = 0x1p40;
  static constexpr double most_of_sum = 0x1p51 - 1;
  static constexpr double exact_in_type = 0x1p53;
  static constexpr double rounding = 0x1p-50;
};

}  // namespace

template <class T>
T largest_not_above(double value) {
  T rounded = static_cast<T>(value);
  if (static_cast<double>(rounded) > value) rounded = std::nextafter(rounded, T{0});
  return rounded;
}

template <class T>
Grid<T> make_grid(double error_bound, std::uint32_t terms) {
  using R = Range<T>;
  using Int = typename Grid<T>::Int;
  Grid<T> grid;
  const double wanted = terms == 1 ? R::most_of_one : R::most_of_many;
  double limit = std::min(wanted, std::floor(R::most_of_sum / terms));
  // 2 * error_bound may overflow; halve the range of steps instead.
  const double half = error_bound / (1 + limit * R::rounding) * (1 - 0x1p-20);
  if (limit < 1 || half * 2 < Steps<T>::smallest) return grid;
  grid.step = largest_not_above<T>(half < Steps<T>::largest / 2 ? half * 2 : Steps<T>::largest);
  // No sum may round to infinity.
  const double largest = std::numeric_limits<T>::max();
  limit = std::min(limit, std::floor(largest / static_cast<double>(grid.step) / terms));
  if (limit < 1) return Grid<T>{};
  grid.usable = true;
  grid.inverse = T{1} / grid.step;
  grid.wide_inverse = 1.0 / static_cast<double>(grid.step);
  grid.limit = static_cast<Int>(limit);
  grid.fast_limit = sizeof(T) == 4 ? grid.limit / 4 : grid.limit;
  grid.sum_limit = grid.limit * static_cast<Int>(terms);
  grid.wide_decode = sizeof(T) == 4 && static_cast<double>(grid.sum_limit) > R::exact_in_type;
  return grid;
}

template <class T>
Grid<T> given_grid(double step, float origin) {
  using Int = typename Grid<T>::Int;
  Grid<T> grid;
  grid.usable = true;
  grid.step = static_cast<T>(step);
  grid.origin = origin;
  grid.inverse = T{1} / grid.step;
  grid.wide_inverse = 1.0 / static_cast<double>(grid.step);
  grid.limit = grid.fast_limit = grid.sum_limit = static_cast<Int>(Steps<T>::most);
  return grid;
}

bool valid_given_grid(ElementType type, double step, float origin) {
  const bool single = type == ElementType::float32;
  const double smallest = single ? Steps<float>::smallest : Steps<double>::smallest;
  const double largest = single ? Steps<float>::largest : Steps<double>::largest;
  if (!(step >= smallest && step <= largest)) return false;
  if (single && static_cast<double>(static_cast<float>(step)) != step) return false;
  return std::abs(origin) <= largest_origin;
}

template Grid<float> make_grid<float>(double, std::uint32_t);
template Grid<double> make_grid<double>(double, std::uint32_t);
template Grid<float> given_grid<float>(double, float);
template Grid<double> given_grid<double>(double, float);
template float largest_not_above<float>(double);
template double largest_not_above<double>(double);

}  // namespace tightwire::codec::bounded
