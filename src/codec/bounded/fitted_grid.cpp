#include "codec/bounded/fitted_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tightwire::codec::bounded {
namespace {

// Half a unit in the last place, as a part of the number.
template <class T>
constexpr double rounding = std::numeric_limits<T>::epsilon() / 2;

// Of the bound: for what the proof leaves out, rounding of this computation included.
constexpr double slack = 0x1p-18;
// Up to this part of it, rounding is not worth another look.
constexpr double little = 1.0 / 32;
// Beyond this part, more values are left out instead.
constexpr double most_set_aside = 0.5;

// The middle where zero is far from it, else zero.
float origin_for(const Extent& extent) {
  const double width = extent.width();
  const double middle = extent.smallest + width / 2;
  const bool far = std::abs(middle) > width && std::abs(middle) <= double{largest_origin};
  return far ? static_cast<float>(middle) : 0.0f;
}

double reach_from(float origin, const Extent& extent) {
  return std::max(extent.largest - double{origin}, double{origin} - extent.smallest);
}

// A grid for values up to `reach` away from the origin.
struct Candidate {
  float origin = 0;
  double reach = 0;
  double set_aside = 0;
  bool wide = false;
};

template <class T>
double set_aside(float origin, double reach, bool wide) {
  const double of_encoder = wide ? 0 : (origin == 0 ? 2 : 3);
  const double of_decoder = origin == 0 ? reach : 2 * reach + std::abs(double{origin});
  return rounding<T> * (of_encoder * reach + of_decoder);
}

template <class T>
Candidate candidate(double error_bound, float origin, double reach) {
  Candidate result{origin, reach, set_aside<T>(origin, reach, false), false};
  if (sizeof(T) == 4 && result.set_aside > little * error_bound) {
    result.wide = true;
    result.set_aside = set_aside<T>(origin, reach, true);
  }
  return result;
}

// So that the integers of fill values are beyond.
double most_beside(const FillValues& fills, double origin, double step) {
  return std::floor(fills.nearest_to(origin) / step - 1);
}

template <class T>
FittedGrid made_of(const Candidate& candidate, double error_bound, double expected,
                   const FillValues& fills) {
  using S = Steps<T>;
  FittedGrid grid;
  const double half = (error_bound - candidate.set_aside) * (1 - slack);
  const double step = half < S::largest / 2 ? half * 2 : S::largest;
  if (!(step >= S::smallest)) return grid;
  grid.step = static_cast<double>(largest_not_above<T>(step));
  grid.most = std::min(S::most, most_beside(fills, double{candidate.origin}, grid.step));
  if (grid.most < 0) return grid;
  const double limit = std::min(grid.most, std::floor(candidate.reach / grid.step) + 1);
  const double fast = std::min(limit, std::floor(expected / grid.step) + 1);
  grid.usable = true;
  grid.origin = candidate.origin;
  grid.use.limit = static_cast<std::int64_t>(limit);
  grid.use.fast_limit = static_cast<std::int64_t>(fast);
  grid.use.wide_encode = candidate.wide;
  return grid;
}

// Bits of a value that is not on the grid, and more of its block's.
constexpr double bits_of_exception = 40;

// Where values are too far apart for the bound, or infinite: the reach that costs least, be it in
// bits that a finer step takes or in exceptions.
template <class T>
class Trimming {
 public:
  Trimming(double error_bound, const FillValues& fills, const Sample& sample)
      : error_bound_(error_bound), fills_(fills), size_(sample.values().size()) {
    std::copy_n(sample.values().begin(), size_, values_.begin());
    std::sort(values_.begin(), end());
  }

  Candidate best() {
    if (size_ == 0) return {};
    try_origin(0);
    const double median = values_[size_ / 2];
    if (std::abs(median) <= double{largest_origin}) try_origin(static_cast<float>(median));
    return best_;
  }

 private:
  using Values = std::array<double, Sample::most>;
  typename Values::iterator end() { return values_.begin() + static_cast<std::ptrdiff_t>(size_); }

  void try_origin(float origin) {
    constexpr double margin = 1.5;
    Values distances;
    std::transform(values_.begin(), end(), distances.begin(),
                   [&](double value) { return std::abs(value - double{origin}); });
    std::sort(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(size_));
    for (std::size_t left_out = 0; left_out < size_; left_out = left_out * 2 + 1) {
      const std::size_t held = size_ - left_out;
      try_reach(origin, margin * distances[held - 1], left_out);
    }
  }

  void try_reach(float origin, double reach, std::size_t left_out) {
    if (!(reach < fills_.nearest_to(double{origin}))) return;
    const Candidate now = candidate<T>(error_bound_, origin, reach);
    if (!(now.set_aside <= most_set_aside * error_bound_)) return;
    const double left = 1 - now.set_aside / error_bound_;
    const double share = static_cast<double>(left_out) / static_cast<double>(size_);
    const double cost = share * bits_of_exception - std::log2(left);
    if (cost >= least_) return;
    least_ = cost;
    best_ = now;
  }

  double error_bound_;
  const FillValues& fills_;
  std::size_t size_;
  Values values_{};
  double least_ = std::numeric_limits<double>::infinity();
  Candidate best_;
};

// The reach up to which rounding is little, but not further than anything is.
template <class T>
Candidate widened(const Candidate& from, double error_bound) {
  constexpr double enough = 4;
  const double free = little * error_bound / (5 * rounding<T>);
  const Candidate wider = candidate<T>(error_bound, from.origin,
                                       std::max(from.reach, std::min(free, enough * from.reach)));
  return wider.set_aside <= std::max(from.set_aside, little * error_bound) ? wider : from;
}

}  // namespace

template <class T>
FittedGrid fit_grid(double error_bound, const FillValues& fills, const Sample& sample) {
  const Extent& extent = fills.others;
  if (!(extent.smallest <= extent.largest)) {
    return made_of<T>({}, error_bound, 0, {});  // nothing but what is no number
  }
  const float origin = origin_for(extent);
  const double reach = reach_from(origin, extent);
  const Candidate whole = candidate<T>(error_bound, origin, reach);
  if (whole.set_aside <= most_set_aside * error_bound) {
    return made_of<T>(whole, error_bound, reach, fills);
  }
  const Candidate best = Trimming<T>(error_bound, fills, sample.inside(extent)).best();
  const Candidate trimmed = widened<T>(best, error_bound);
  return made_of<T>(trimmed, error_bound, trimmed.reach, fills);
}

template <class T>
double step_beside(double error_bound, double reach) {
  const double aside = set_aside<T>(0, reach, false);
  if (!(aside <= most_set_aside * error_bound)) return 0;
  const double half = (error_bound - aside) * (1 - slack);
  const double step = std::min(half, Steps<T>::largest / 2) * 2;
  return step >= Steps<T>::smallest ? step : 0;
}

void put_into(Header& header, const FittedGrid& fitted) {
  header.grid = GridKind::given;
  header.step = fitted.step;
  header.origin = fitted.origin;
  header.use = fitted.use;
}

#define TIGHTWIRE_INSTANTIATE(T)                                             \
  template FittedGrid fit_grid<T>(double, const FillValues&, const Sample&); \
  template double step_beside<T>(double, double);
TIGHTWIRE_INSTANTIATE(float)
TIGHTWIRE_INSTANTIATE(double)
#undef TIGHTWIRE_INSTANTIATE

}  // namespace tightwire::codec::bounded
