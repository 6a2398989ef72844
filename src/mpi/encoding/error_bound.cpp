#include "mpi/encoding/error_bound.h"

#include <cmath>

#include "codec/estimate/resolution.h"
#include "codec/float_environment.h"
#include "mpi/device/pieces.h"
#include "mpi/encoding/range.h"
#include "policy/choose.h"

namespace tightwire::mpi {
namespace {

// Ranks that must agree do not go by what one of them has.
std::optional<double> unless_below_resolution(codec::ElementType type,
                                              std::span<const std::byte> values, MPI_Comm comm,
                                              double bound) {
  const bool below =
      comm == MPI_COMM_NULL && codec::is_below_resolution(type, once_here(values), bound);
  return below ? std::nullopt : std::optional(bound);
}

}  // namespace

std::optional<double> absolute_bound(const settings::Settings& settings, codec::ElementType type,
                                     std::span<const std::byte> values, MPI_Comm comm) {
  const settings::ErrorBound& bound = settings.error_bound;
  if (bound.kind == settings::ErrorBound::Kind::none) return std::nullopt;
  if (bound.kind == settings::ErrorBound::Kind::absolute) {
    return unless_below_resolution(type, values, comm, bound.value);
  }
  const codec::ValueRange own = own_range(type, once_here(values));
  const codec::ValueRange range = comm == MPI_COMM_NULL ? own : agreed_range(own, comm);
  const auto absolute = bound_within(bound, type, values, own, range);
  return absolute ? unless_below_resolution(type, values, comm, *absolute) : std::nullopt;
}

std::optional<double> bound_within(const settings::ErrorBound& bound, codec::ElementType type,
                                   std::span<const std::byte> values, const codec::ValueRange& own,
                                   const codec::ValueRange& range) {
  const codec::FloatEnvironment environment;  // the same on all ranks
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

}  // namespace tightwire::mpi
