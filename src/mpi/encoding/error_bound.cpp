#include "mpi/encoding/error_bound.h"

#include <array>
#include <cmath>
#include <memory>

#include "codec/estimate/memory.h"
#include "mpi/encoding/range.h"
#include "policy/choose.h"
#include "policy/cost/speeds.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

// A look reads 4096 values at least.
constexpr std::size_t worth_a_look = std::size_t{1} << 20;

}  // namespace

std::optional<double> absolute_bound(const settings::Settings& settings, codec::ElementType type,
                                     std::span<const std::byte> values, MPI_Comm comm) {
  const settings::ErrorBound& bound = settings.error_bound;
  if (bound.kind == settings::ErrorBound::Kind::none) return std::nullopt;
  if (bound.kind == settings::ErrorBound::Kind::absolute) return bound.value;
  const codec::ValueRange own = codec::value_range(type, values);
  const codec::ValueRange range = comm == MPI_COMM_NULL ? own : agreed_range(own, comm);
  const double absolute = bound.value * range.width();
  if (!std::isnormal(absolute)) return std::nullopt;
  warn_if_wiped_out(values.size() / codec::element_size(type), own, range, absolute);
  return absolute;
}

codec::Encoding encoding_for(const settings::Settings& settings, codec::Id codec,
                             codec::ElementType type, double error_bound) {
  const codec::Codec* chosen = codec::find(codec);
  if (chosen == nullptr || !chosen->supports(type)) chosen = codec::find(codec::Id::zstd);
  codec::Encoding encoding{chosen, type, policy::codec_parameters(settings, chosen->id())};
  encoding.parameters.error_bound = error_bound;
  encoding.parameters.alone = true;
  return encoding;
}

std::uint32_t uses_of_estimates() {
  return runtime::is_deterministic() ? 1 : codec::EstimateMemory::uses_of_an_estimate;
}

namespace {

// By the place of the buffer, whatever communicator it is used on.
codec::EstimateMemory& estimates_of_thread() {
  thread_local const auto estimates = std::make_unique<codec::EstimateMemory>(uses_of_estimates());
  return *estimates;
}

}  // namespace

double look_at(std::span<const std::byte> values, codec::Encoding& encoding) {
  const codec::Id codec = encoding.codec->id();
  const bool has_rows = codec == codec::Id::bounded || codec == codec::Id::exact;
  if (!has_rows || values.size() < worth_a_look) return policy::typical_ratio(codec);
  const codec::Estimate& estimate =
      estimates_of_thread().get(encoding.type, values, encoding.parameters, std::array{codec});
  encoding.parameters.row_length = estimate.row_length;
  encoding.parameters.plane_length = estimate.plane_length;
  encoding.parameters.components = estimate.components;
  const codec::Prediction* prediction = estimate.of(codec);
  return prediction != nullptr ? prediction->ratio : policy::typical_ratio(codec);
}

double promised_fraction(std::span<const std::byte> values, const codec::Encoding& encoding) {
  const codec::Id codec = encoding.codec->id();
  const codec::Estimate estimate =
      codec::estimate(encoding.type, values, encoding.parameters, std::array{codec});
  const codec::Prediction* prediction = estimate.of(codec);
  return 1 / (prediction != nullptr ? prediction->ratio : policy::typical_ratio(codec));
}

}  // namespace tightwire::mpi
