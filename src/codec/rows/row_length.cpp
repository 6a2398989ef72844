#include "codec/rows/row_length.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace tightwire::codec {
namespace {

constexpr std::size_t shortest_lag = 16;
constexpr std::size_t longest_stretch = stretch_for_lag(8192);
// Differences that each lag is first tried on; the last ones of a stretch.
constexpr std::size_t tried = 128;
constexpr std::size_t candidates_per_stretch = 6;
constexpr std::size_t most_stretches = 4;
// Differences that decide among the candidates.
constexpr std::size_t weighed = 250;
// Bits per value. Less gain is not worth a predictor that reads twice.
constexpr double least_gain = 0.05;
// A longer lag must be better by this much, and this part: a few rows resemble each other about as
// much as neighbours do.
constexpr double better = 0.02;
constexpr double better_part = 0.05;

// In 8 bits, so that compilers find the instruction for sums of absolute differences.
using Difference = std::uint8_t;

struct Candidates {
  std::array<std::size_t, 48> lags{};
  std::size_t size = 0;

  void add(std::size_t lag) {
    const auto end = lags.begin() + size;
    if (lag < shortest_lag || size == lags.size()) return;
    if (std::find(lags.begin(), end, lag) == end) lags[size++] = lag;
  }

  // The best lags may all be multiples of a row.
  void add_parts(std::size_t lag, std::size_t other) {
    if (lag % 2 == 0) add(lag / 2);
    if (lag % 3 == 0) add(lag / 3);
    add(std::gcd(lag, other));
  }
};

// Wraps, as prediction does.
std::int64_t difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

// Scaled so that outliers are cut off and the rest is told apart.
bool scaled_differences(Stretch q, Difference* scaled) {
  double sum = 0;
  for (std::size_t i = 1; i < q.size(); ++i) {
    sum += std::abs(static_cast<double>(difference(q[i], q[i - 1])));
  }
  if (sum == 0) return false;
  const double scale = 24 * static_cast<double>(q.size()) / sum;
  for (std::size_t i = 1; i < q.size(); ++i) {
    const double value = static_cast<double>(difference(q[i], q[i - 1])) * scale;
    scaled[i - 1] = static_cast<Difference>(128 + std::clamp(value, -127.0, 127.0));
  }
  return true;
}

std::uint32_t distance(const Difference* a, const Difference* b) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < tried; ++i) {
    sum += static_cast<std::uint32_t>(std::abs(static_cast<int>(a[i]) - static_cast<int>(b[i])));
  }
  return sum;
}

// The lags at which the last differences of the stretch are most alike.
void search(Stretch q, Candidates& candidates) {
  Difference scaled[longest_stretch];
  if (!scaled_differences(q, scaled)) return;
  const std::size_t count = q.size() - 1;
  const Difference* const last = scaled + (count - tried);
  struct Best {
    std::uint32_t distance = std::numeric_limits<std::uint32_t>::max();
    std::size_t lag = 0;
  };
  std::array<Best, candidates_per_stretch> best;
  const auto offer = [&](Best now) {
    for (Best& each : best) {
      if (now.distance < each.distance) std::swap(now, each);
    }
  };
  // Only where neighbours are less alike: else a smooth field fills the list with one row's.
  Best before;
  bool falling = true;
  for (std::size_t lag = shortest_lag; stretch_for_lag(lag) <= q.size(); ++lag) {
    const Best now{distance(last, last - lag), lag};
    if (falling && now.distance >= before.distance) offer(before);
    falling = now.distance < before.distance;
    before = now;
  }
  if (falling) offer(before);
  for (const Best& each : best) candidates.add(each.lag);
  for (std::size_t i = 1; i < best.size(); ++i) candidates.add_parts(best[i].lag, best[i - 1].lag);
  candidates.add_parts(best.front().lag, best.back().lag);
}

// Of a residual, about: linear between powers of two.
double bits_of(std::int64_t residual) {
  const double magnitude = 1 + std::abs(static_cast<double>(residual));
  constexpr double unit = 1.0 / 4503599627370496.0;  // 2^-52
  return static_cast<double>(std::bit_cast<std::int64_t>(magnitude)) * unit - 1023;
}

struct Bits {
  double with_row = 0;
  double otherwise = 0;
};

// Bits per value just before where the search looked: the same values for every lag.
Bits weigh(Stretch q, std::size_t lag) {
  double row = 0;
  double none = 0;
  double previous = 0;
  double second = 0;
  const std::size_t end = q.size() - tried;
  for (std::size_t i = end - weighed; i < end; ++i) {
    const std::int64_t here = difference(q[i], q[i - 1]);
    none += bits_of(q[i]);
    previous += bits_of(here);
    second += bits_of(difference(here, difference(q[i - 1], q[i - 2])));
    row += bits_of(difference(here, difference(q[i - lag], q[i - lag - 1])));
  }
  constexpr auto values = static_cast<double>(weighed);
  return {row / values, std::min({none, previous, second}) / values};
}

}  // namespace

std::uint32_t find_row_length(std::span<const Stretch> stretches) noexcept {
  Candidates candidates;
  stretches = stretches.first(std::min(stretches.size(), most_stretches));
  for (const Stretch& q : stretches) {
    if (q.size() >= stretch_for_lag(shortest_lag)) {
      search(q.first(std::min(q.size(), longest_stretch)), candidates);
    }
  }
  std::sort(candidates.lags.begin(), candidates.lags.begin() + candidates.size);
  double best_gain = 0;
  std::size_t best = 0;
  for (std::size_t c = 0; c < candidates.size; ++c) {
    const std::size_t lag = candidates.lags[c];
    double gain = 0;
    for (const Stretch& q : stretches) {
      if (q.size() < stretch_for_lag(lag)) continue;
      const Bits bits = weigh(q, lag);
      gain += bits.otherwise - bits.with_row;
    }
    gain /= static_cast<double>(stretches.size());
    if (gain >= least_gain && gain > best_gain * (1 + better_part) + better) {
      best_gain = gain;
      best = lag;
    }
  }
  return static_cast<std::uint32_t>(best);
}

}  // namespace tightwire::codec
