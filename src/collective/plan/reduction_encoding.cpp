#include "collective/plan/reduction_encoding.h"

#include <algorithm>
#include <array>

#include "codec/float_environment.h"
#include "mpi/encoding/error_bound.h"
#include "mpi/encoding/sample_choice.h"
#include "policy/budget.h"
#include "policy/choose.h"

namespace tightwire::collective {
namespace {

// Communicators of more ranks than the job began with, as after MPI_Comm_spawn, keep the bound.
std::uint32_t terms_of_sum(const settings::Settings& settings, int ranks) {
  return std::max(settings.sum_terms.value, static_cast<std::uint32_t>(ranks));
}

policy::Budget budget_for(const settings::Settings& settings, const Reduction& reduction,
                          codec::Id codec, double bound, int ranks, int encodings) {
  const settings::BoundAppliesTo applies = settings.bound_applies_to;
  const bool sum = reduction.kind == mpi::ReductionKind::sum;
  if (codec != codec::Id::bounded) {
    return policy::recompressed(bound, static_cast<std::uint32_t>(encodings), sum, applies);
  }
  return sum ? policy::grid_sum(bound, terms_of_sum(settings, ranks), applies)
             : policy::grid_extremum(bound);
}

// Without a bound it is exact.
codec::Encoding codec_within(std::optional<double> bound, const Reduction& reduction,
                             const policy::Plan& plan, const settings::Settings& settings,
                             int ranks, int encodings) {
  const codec::ElementType type = reduction.type.element;
  if (!bound) return mpi::encoding_for(settings, policy::exact_codec(settings), type, 0);
  const policy::Budget budget =
      budget_for(settings, reduction, plan.codec, *bound, ranks, encodings);
  codec::Encoding encoding = mpi::encoding_for(settings, plan.codec, type, budget.error_bound);
  encoding.parameters.terms = budget.terms;
  encoding.parameters.alone = false;
  return encoding;
}

// With MPI_COMM_NULL, of this rank's values alone.
std::optional<double> bound_for(const Reduction& reduction, const policy::Plan& plan,
                                const settings::Settings& settings, MPI_Comm comm) {
  if (plan.tier != policy::Tier::bounded) return std::nullopt;
  return mpi::absolute_bound(settings, reduction.type.element, reduction.values_in_pieces(), comm);
}

// What a user is told of the bound: with `contribution` the errors of all ranks may add up.
double bound_of_result(const settings::Settings& settings, const Reduction& reduction, double bound,
                       int ranks) {
  const bool grows = reduction.kind == mpi::ReductionKind::sum &&
                     settings.bound_applies_to == settings::BoundAppliesTo::contribution;
  return grows ? bound * ranks : bound;
}

}  // namespace

ReductionEncoding encoding_of(const Reduction& reduction, const policy::Plan& plan,
                              const settings::Settings& settings,
                              const mpi::Communicator& communicator, int encodings) {
  const auto bound = bound_for(reduction, plan, settings, communicator.participants.comm);
  return encoding_within(bound, reduction, plan, settings, communicator, encodings);
}

ReductionEncoding encoding_within(std::optional<double> bound, const Reduction& reduction,
                                  const policy::Plan& plan, const settings::Settings& settings,
                                  const mpi::Communicator& communicator, int encodings) {
  const codec::FloatEnvironment environment;  // shares of a bound are the same on all ranks
  const int ranks = communicator.size;
  ReductionEncoding made{codec_within(bound, reduction, plan, settings, ranks, encodings), 0};
  if (bound) made.bound_of_result = bound_of_result(settings, reduction, *bound, ranks);
  return made;
}

Sampled sampled_of(const Reduction& reduction, const policy::Plan& plan,
                   const settings::Settings& settings, const mpi::Communicator& communicator) {
  const auto bound = bound_for(reduction, plan, settings, MPI_COMM_NULL);
  const int ranks = communicator.size;
  const codec::Encoding encoding = codec_within(bound, reduction, plan, settings, ranks, ranks);
  const std::span<const std::byte> values = reduction.values();
  return sampled(mpi::promised_fraction(values, encoding, std::array{encoding.codec->id()}), values,
                 encoding, plan.codec);
}

}  // namespace tightwire::collective
