#include "codec/bounded/whole_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tightwire::codec::bounded {
namespace {

bool is_multiple(double value, double steps_in_one) {
  const double steps = value * steps_in_one;
  return std::nearbyint(steps) == steps && std::fma(value, steps_in_one, -steps) == 0;
}

double reach_of(const Extent& others) {
  return std::max(std::abs(others.smallest), std::abs(others.largest));
}

// Fill values are beyond the integers, where others are not, or are integers.
void keep_fills(double steps_in_one, const FillValues& fills, FittedGrid& grid) {
  const double reach = std::floor(reach_of(fills.others) / grid.step) + 1;
  for (const double fill : fills.all()) {
    const double beside = std::floor(std::abs(fill) / grid.step - 1);
    if (beside >= reach) {
      grid.most = std::min(grid.most, beside);
    } else if (!is_multiple(fill, steps_in_one)) {
      grid.usable = false;
    }
  }
}

template <class T>
FittedGrid grid_of(double steps_in_one, const FillValues& fills) {
  FittedGrid grid;
  grid.usable = true;
  grid.step = static_cast<double>(static_cast<T>(1 / steps_in_one));
  grid.most = Steps<T>::most / 2;
  keep_fills(steps_in_one, fills, grid);
  grid.use.limit = grid.use.fast_limit = static_cast<std::int64_t>(grid.most);
  return grid;
}

template <class T>
FittedGrid power_of_two_grid(double error_bound, int largest_exponent, const FillValues& fills) {
  using S = Steps<T>;
  const double most = std::min(error_bound * 2, S::largest);
  if (!(most >= S::smallest)) return {};
  return grid_of<T>(std::ldexp(1.0, -std::min(std::ilogb(most), largest_exponent)), fills);
}

// Whether the step is so near to its fraction that every multiple that the type has is decoded
// exactly.
template <class T>
bool rounds_well(double steps_in_one) {
  const auto step = static_cast<double>(static_cast<T>(1 / steps_in_one));
  constexpr double quarter_unit = std::numeric_limits<T>::epsilon() / 4;
  return std::abs(std::fma(steps_in_one, step, -1.0)) <= quarter_unit;
}

// The fewest steps that the bound allows; sixteenths of their number are simple fractions' steps.
// 0 if there is no such number.
template <class T>
double fewest_steps_in_one(double error_bound, double reach) {
  constexpr double quarters = 2;
  constexpr double sixteenth = 4;
  constexpr int tries = 16;
  const double step = step_beside<T>(error_bound, reach);
  if (!(step > 0)) return 0;
  const double least = std::max(1.0, 1 / step);
  const double digits = std::log2(least);
  const double apart =
      std::exp2(std::max(std::min(quarters, std::ceil(digits)), std::floor(digits) - sixteenth));
  double steps = std::ceil(least / apart) * apart;
  for (int i = 0; i < tries; ++i, steps += apart) {
    if (rounds_well<T>(steps)) return steps;
  }
  return 0;
}

}  // namespace

template <class T>
FittedGrid mixed_grid(double error_bound, const FillValues& fills) {
  constexpr double worth_it = 1.02;
  const FittedGrid power = power_of_two_grid<T>(error_bound, 0, fills);
  const double steps = fewest_steps_in_one<T>(error_bound, reach_of(fills.others));
  if (steps == 0) return power;
  const FittedGrid fraction = grid_of<T>(steps, fills);
  const bool wider = fraction.step > worth_it * power.step || !power.usable;
  return fraction.usable && wider ? fraction : power;
}

template <class T>
FittedGrid whole_grid(double error_bound, const FillValues& fills) {
  return power_of_two_grid<T>(std::max(error_bound, 0.5), std::numeric_limits<int>::max(), fills);
}

#define TIGHTWIRE_INSTANTIATE(T)                                \
  template FittedGrid mixed_grid<T>(double, const FillValues&); \
  template FittedGrid whole_grid<T>(double, const FillValues&);
TIGHTWIRE_INSTANTIATE(float)
TIGHTWIRE_INSTANTIATE(double)
#undef TIGHTWIRE_INSTANTIATE

}  // namespace tightwire::codec::bounded
