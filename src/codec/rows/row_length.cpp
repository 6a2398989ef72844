#include "codec/rows/row_length.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace tightwire::codec {
namespace {

constexpr std::size_t longest_stretch = stretch_for_lag(8192);
// Differences that each lag is first tried on; the last ones of a stretch.
constexpr std::size_t tried = 128;
constexpr std::size_t candidates_per_stretch = 6;
constexpr std::size_t most_stretches = 4;
// Differences that decide among the candidates.
constexpr std::size_t weighed = 250;
// A longer lag must be better by this much, and by a part: a few rows resemble each other about as
// much as neighbours do.
constexpr double better = 0.02;

// What lags are looked for.
struct Wanted {
  std::size_t shortest;
  double least_gain;       // bits per value; less is not worth a predictor that reads twice
  double better_part;      // that a longer lag must gain
  bool needed_everywhere;  // else a part of the message that has no use for it does not count
};
constexpr Wanted rows_wanted{16, 0.05, 0.05, false};
// Walks at random look like planes by chance, of a gain that is less. The first plane is predicted
// from none.
constexpr Wanted planes_wanted{8, 0.1, 0.2, true};

// In 8 bits, so that compilers find the instruction for sums of absolute differences.
using Difference = std::uint8_t;

struct Candidates {
  std::array<std::size_t, 48> lags{};
  std::size_t size = 0;
  std::size_t shortest = 0;

  void add(std::size_t lag) {
    const auto end = lags.begin() + size;
    if (lag < shortest || size == lags.size()) return;
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
  for (std::size_t lag = candidates.shortest; stretch_for_lag(lag) <= q.size(); ++lag) {
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

// Bits of the values just before where the search looked: the same ones for every lag.
template <class Residual>
double weigh(Stretch q, Residual residual) {
  double bits = 0;
  const std::size_t end = q.size() - tried;
  for (std::size_t i = end - weighed; i < end; ++i) bits += bits_of(residual(i));
  return bits;
}

double bits_with_row(Stretch q, std::size_t lag) {
  return weigh(q, [&](std::size_t i) {
    return difference(difference(q[i], q[i - 1]), difference(q[i - lag], q[i - lag - 1]));
  });
}

double bits_without(Stretch q) {
  const double none = weigh(q, [&](std::size_t i) { return q[i]; });
  const double previous = weigh(q, [&](std::size_t i) { return difference(q[i], q[i - 1]); });
  const double second = weigh(q, [&](std::size_t i) {
    return difference(difference(q[i], q[i - 1]), difference(q[i - 1], q[i - 2]));
  });
  return std::min({none, previous, second});
}

// The candidates on all stretches.
class Contest {
 public:
  Contest(std::span<const Stretch> stretches, bool needed_everywhere)
      : stretches_(stretches),
        least_(needed_everywhere ? -std::numeric_limits<double>::infinity() : 0) {
    for (std::size_t s = 0; s < stretches.size(); ++s) {
      const bool long_enough = stretches[s].size() >= stretch_for_lag(2);
      without_[s] = long_enough ? bits_without(stretches[s]) : 0;
    }
  }

  // Bits per value that a lag saves.
  [[nodiscard]] double gain(std::size_t lag) const {
    double saved = 0;
    for (std::size_t s = 0; s < stretches_.size(); ++s) {
      const Stretch q = stretches_[s];
      if (q.size() < stretch_for_lag(lag)) continue;
      saved += std::max(least_, without_[s] - bits_with_row(q, lag));
    }
    return saved / static_cast<double>(weighed * stretches_.size());
  }

 private:
  std::span<const Stretch> stretches_;
  double least_;  // that a stretch loses where it need not use the lag
  std::array<double, most_stretches> without_{};
};

// Smooth rows that move along look most alike one value off.
std::size_t better_neighbour(const Contest& contest, std::size_t lag, double gain) {
  for (const std::size_t other : {lag - 1, lag + 1}) {
    if (contest.gain(other) > gain) return other;
  }
  return lag;
}

std::uint32_t find_length(std::span<const Stretch> stretches, Wanted wanted) {
  Candidates candidates;
  candidates.shortest = wanted.shortest;
  stretches = stretches.first(std::min(stretches.size(), most_stretches));
  for (const Stretch& q : stretches) {
    if (q.size() >= stretch_for_lag(wanted.shortest)) {
      search(q.first(std::min(q.size(), longest_stretch)), candidates);
    }
  }
  if (candidates.size == 0) return 0;
  std::sort(candidates.lags.begin(), candidates.lags.begin() + candidates.size);
  const Contest contest(stretches, wanted.needed_everywhere);
  double best_gain = 0;
  std::size_t best = 0;
  for (std::size_t c = 0; c < candidates.size; ++c) {
    const double gain = contest.gain(candidates.lags[c]);
    if (gain >= wanted.least_gain && gain > best_gain * (1 + wanted.better_part) + better) {
      best_gain = gain;
      best = candidates.lags[c];
    }
  }
  if (best > wanted.shortest) best = better_neighbour(contest, best, best_gain);
  return static_cast<std::uint32_t>(best);
}

}  // namespace

std::uint32_t find_row_length(std::span<const Stretch> stretches) noexcept {
  return find_length(stretches, rows_wanted);
}

std::uint32_t find_rows_in_plane(std::span<const Stretch> stretches) noexcept {
  return find_length(stretches, planes_wanted);
}

}  // namespace tightwire::codec
