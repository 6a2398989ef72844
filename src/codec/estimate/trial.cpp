#include "codec/estimate/trial.h"

#include <algorithm>
#include <array>

namespace tightwire::codec {
namespace {

constexpr std::size_t most_stretches = 4;
constexpr std::size_t room = longest_trial_stretch + (std::size_t{4} << 10);

}  // namespace

Trial try_on_sample(const Codec& codec, std::span<const std::byte> values,
                    const Parameters& parameters, TrialExtent extent) noexcept {
  const auto [bytes, stretch] = extent;
  const std::size_t stretches = std::clamp<std::size_t>(bytes / stretch, 1, most_stretches);
  // Whole values of any type, so that bytes keep their meaning.
  const std::size_t size = std::min({bytes / stretches, stretch, values.size()}) / 8 * 8;
  if (size == 0 || codec.max_encoded_size(ElementType::bytes, size) > room) return {};
  std::array<std::byte, room> encoded;
  std::size_t encoded_size = 0;
  for (std::size_t i = 0; i < stretches; ++i) {
    const std::size_t part = values.size() / stretches;
    const std::size_t first =
        std::min(i * part + (part - std::min(part, size)) / 2, values.size() - size) / 8 * 8;
    const Result result =
        codec.encode(ElementType::bytes, values.subspan(first, size), parameters, encoded);
    encoded_size += result.ok() ? result.size : size;
  }
  const std::size_t read = stretches * size;
  return {std::max(1.0, static_cast<double>(read) / static_cast<double>(encoded_size)), read};
}

}  // namespace tightwire::codec
