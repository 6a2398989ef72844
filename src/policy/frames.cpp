#include "policy/frames.h"

#include <algorithm>

#include "policy/thresholds.h"

namespace tightwire::policy {
namespace {

std::size_t adaptive_threshold(const settings::Settings& settings) {
  const std::uint64_t exact = exact_threshold(settings, Operation::send);
  return settings.error_bound.given()
             ? std::min(exact, bounded_threshold(settings, Operation::send))
             : exact;
}

}  // namespace

std::optional<std::size_t> frame_threshold(const settings::Settings& settings) {
  using settings::Mode;
  if (settings.point_to_point == settings::Switch::off) return std::nullopt;
  switch (settings.mode) {
    case Mode::raw:
      return std::nullopt;
    case Mode::exact:
    case Mode::bounded:
      return smallest_frame;
    case Mode::adaptive:
    case Mode::adaptive_pipelined: {
      const std::size_t threshold = adaptive_threshold(settings);
      if (threshold == settings::Bytes::never) return std::nullopt;
      return std::max(threshold, smallest_frame);
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> frame_threshold(const settings::Settings& settings,
                                           std::span<const settings::Rule> rules) {
  auto smallest = frame_threshold(settings);
  for (const settings::Rule& rule : rules) {
    if (!rule.operations.test(static_cast<std::size_t>(Operation::send))) continue;
    const auto wanted = frame_threshold(with(settings, rule.overrides));
    if (!wanted) continue;
    const std::size_t from = std::max<std::size_t>(*wanted, rule.min_bytes.value);
    if (from <= rule.max_bytes.value && (!smallest || from < *smallest)) smallest = from;
  }
  return smallest;
}

}  // namespace tightwire::policy
