#include "calibrate/thresholds.h"

#include <algorithm>

#include "calibrate/measure/timing.h"
#include "settings/values.h"

namespace tightwire::calibrate {
namespace {

constexpr std::uint64_t never = settings::Bytes::never;
constexpr double beaten = 0.98;

// Each ratio as the middle one of three neighbours; the first and the last take part in the
// nearest such three.
std::vector<double> smoothed(const std::vector<double>& ratios) {
  if (ratios.size() < 3) return ratios;
  std::vector<double> result;
  result.reserve(ratios.size());
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    const std::size_t middle = std::clamp<std::size_t>(i, 1, ratios.size() - 2);
    result.push_back(median<double>({ratios[middle - 1], ratios[middle], ratios[middle + 1]}));
  }
  return result;
}

// `below` says what a message takes without the tier.
template <class Below>
std::uint64_t pays_from(const std::vector<Times>& times, double Times::*tier, const Below& below) {
  std::vector<double> ratios(times.size());
  std::transform(times.begin(), times.end(), ratios.begin(),
                 [&](const Times& t) { return t.*tier / below(t); });
  const std::vector<double> middles = smoothed(ratios);
  std::uint64_t from = never;
  for (std::size_t i = times.size(); i-- > 0 && middles[i] < beaten;) from = times[i].bytes;
  return from;
}

}  // namespace

Thresholds find_thresholds(const std::vector<Times>& times) {
  Thresholds found;
  found.exact = pays_from(times, &Times::exact, [](const Times& t) { return t.raw; });

  const auto without_bound = [&](const Times& t) {
    return t.bytes >= found.exact ? t.exact : t.raw;
  };
  found.bounded = pays_from(times, &Times::bounded, without_bound);

  // Overlap may pay where coding alone does not, so the pipelined tier can open the bounded one.
  found.pipelined = pays_from(times, &Times::pipelined, [&](const Times& t) {
    return t.bytes >= found.bounded ? t.bounded : without_bound(t);
  });
  found.bounded = std::min(found.bounded, found.pipelined);
  return found;
}

}  // namespace tightwire::calibrate
