#include "policy/frames.h"

#include <algorithm>

namespace tightwire::policy {
namespace {

std::size_t adaptive_threshold(const settings::Settings& settings) {
  const std::size_t exact = settings.threshold_exact.value;
  return settings.error_bound.given()
             ? std::min<std::size_t>(exact, settings.threshold_bounded.value)
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

}  // namespace tightwire::policy
