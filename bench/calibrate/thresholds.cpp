#include "calibrate/thresholds.h"

#include <algorithm>

#include "collectives/median.h"
#include "settings/values.h"

namespace tightwire::bench {
namespace {

constexpr std::uint64_t never = settings::Bytes::never;
constexpr double beaten = 0.98;

// Each ratio as the middle one of three neighbours; the first and the last take part in the
// nearest such three.
std::vector<double> smoothed(const std::vector<double>& ratios) {
  if (ratios.size() < 3) return ratios;
  std::vector<double> result;
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    const std::size_t middle = std::clamp<std::size_t>(i, 1, ratios.size() - 2);
    result.push_back(median<double>({ratios[middle - 1], ratios[middle], ratios[middle + 1]}));
  }
  return result;
}

// `ratios` are times with the tier over times without it.
std::uint64_t pays_from(const std::vector<Times>& times, const std::vector<double>& ratios) {
  std::uint64_t from = never;
  const std::vector<double> middles = smoothed(ratios);
  for (std::size_t i = times.size(); i-- > 0 && middles[i] < beaten;) from = times[i].bytes;
  return from;
}

}  // namespace

Thresholds find_thresholds(const std::vector<Times>& times) {
  Thresholds found;
  std::vector<double> ratios;
  for (const Times& t : times) ratios.push_back(t.exact / t.raw);
  found.exact = pays_from(times, ratios);

  ratios.clear();
  for (const Times& t : times) {
    ratios.push_back(t.bounded / (t.bytes >= found.exact ? t.exact : t.raw));
  }
  found.bounded = pays_from(times, ratios);

  // Overlap may pay where coding alone does not, so the pipelined tier can open the bounded one.
  ratios.clear();
  for (const Times& t : times) {
    const double below = t.bytes >= found.bounded ? t.bounded
                         : t.bytes >= found.exact ? t.exact
                                                  : t.raw;
    ratios.push_back(t.pipelined / below);
  }
  found.pipelined = pays_from(times, ratios);
  found.bounded = std::min(found.bounded, found.pipelined);
  return found;
}

}  // namespace tightwire::bench
