#include "policy/thresholds.h"

#include "policy/choose.h"

namespace tightwire::policy {
namespace {

// By measurement (docs/dev/performance.md). A frame between two ranks takes 4 KiB at least.
constexpr std::uint64_t exact_in_collectives = 64 << 10;
constexpr std::uint64_t bounded_in_collectives = 32 << 10;
constexpr std::uint64_t where_sampled = 8 << 10;
constexpr std::uint64_t where_timed = 8 << 10;
// Chunks of a collective's block are short enough to be sent unasked. Messages between two ranks
// follow each other: there chunks of short ones cost more than they hide.
constexpr std::uint64_t pipelined_in_collectives = 128 << 10;
constexpr std::uint64_t pipelined_between_two = 512 << 10;

bool is_sampled(const settings::Settings& settings, Operation operation, codec::Id planned) {
  return operation == Operation::send && is_left_to_samples(settings, planned);
}

}  // namespace

std::uint64_t exact_threshold(const settings::Settings& settings, Operation operation,
                              bool is_timed) {
  const bool sampled = is_sampled(settings, operation, exact_codec(settings));
  const std::uint64_t in_collectives = is_timed ? where_timed : exact_in_collectives;
  return settings.threshold_exact.value_or(sampled ? where_sampled : in_collectives);
}

std::uint64_t bounded_threshold(const settings::Settings& settings, Operation operation,
                                bool is_timed) {
  const bool sampled = is_sampled(settings, operation, bounded_codec(settings));
  // What the user wants exactly is not lossy sooner than it would be without times.
  const bool exact_is_open = settings.threshold_exact == settings::Threshold{};
  const std::uint64_t in_collectives =
      is_timed && exact_is_open ? where_timed : bounded_in_collectives;
  return settings.threshold_bounded.value_or(sampled ? where_sampled : in_collectives);
}

std::uint64_t pipelined_threshold(const settings::Settings& settings, Operation operation) {
  return settings.threshold_pipelined.value_or(
      operation == Operation::send ? pipelined_between_two : pipelined_in_collectives);
}

bool is_left_to_samples(const settings::Settings& settings, codec::Id planned) {
  return settings.bounded_codec != settings::BoundedCodec::bounded_entropy &&
         settings.exact_codec != settings::ExactCodec::exact_entropy &&
         (planned == codec::Id::bounded || planned == codec::Id::exact);
}

}  // namespace tightwire::policy
