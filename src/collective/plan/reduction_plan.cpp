#include "collective/plan/reduction_plan.h"

#include "mpi/encoding/error_bound.h"
#include "mpi/partition.h"
#include "policy/budget.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

// For those that are not judged by theirs.
constexpr policy::Network some_network{50e-6, 1.25e9};

// Minima and maxima don't, nor whole numbers.
bool depends_on_order(const Reduction& reduction) {
  const bool selects =
      reduction.kind == mpi::ReductionKind::min || reduction.kind == mpi::ReductionKind::max;
  return mpi::is_rounded(reduction.type) && !selects;
}

policy::Budget budget_for(const settings::Settings& settings, const Reduction& reduction,
                          codec::Id codec, double bound, const mpi::Communicator& communicator,
                          int encodings) {
  const auto ranks = static_cast<std::uint32_t>(communicator.size);
  const settings::BoundAppliesTo applies = settings.bound_applies_to;
  const bool sum = reduction.kind == mpi::ReductionKind::sum;
  if (codec != codec::Id::bounded) {
    return policy::recompressed(bound, static_cast<std::uint32_t>(encodings), sum, applies);
  }
  return sum ? policy::grid_sum(bound, ranks, applies) : policy::grid_extremum(bound);
}

// Without a bound it is exact.
codec::Encoding reduction_encoding(const settings::Settings& settings, const Reduction& reduction,
                                   const policy::Plan& plan, std::optional<double> bound,
                                   const mpi::Communicator& communicator, int encodings) {
  const codec::Id codec = bound ? plan.codec : policy::exact_codec(settings);
  codec::Encoding encoding = mpi::encoding_for(settings, codec, reduction.type.element, 0);
  if (!bound) return encoding;
  const policy::Budget budget =
      budget_for(settings, reduction, codec, *bound, communicator, encodings);
  encoding.parameters.error_bound = budget.error_bound;
  encoding.parameters.terms = budget.terms;
  return encoding;
}

// What a user is told of the bound: with `contribution` the errors of all ranks may add up.
double bound_of_result(const settings::Settings& settings, const Reduction& reduction, double bound,
                       const mpi::Communicator& communicator) {
  const bool grows = reduction.kind == mpi::ReductionKind::sum &&
                     settings.bound_applies_to == settings::BoundAppliesTo::contribution;
  return grows ? bound * communicator.size : bound;
}

// What the cost model is asked with.
struct ModelInput {
  policy::Facts facts;
  policy::Speeds speeds;
};

ModelInput model_input(policy::Operation operation, const Reduction& reduction,
                       const ReductionPlan& plan, std::size_t bytes, int ranks) {
  const bool measured = may_depend_on_network(reduction, plan);
  const bool rounds = plan.plan.tier == policy::Tier::exact && depends_on_order(reduction);
  const codec::Id codec = plan.plan.codec;
  return {{operation, bytes, ranks, measured ? plan.decision.communicator->network : some_network},
          policy::speeds_of(codec, reduction.type.element,
                            rounds ? policy::typical_ratio(codec) : plan.decision.ratio(codec))};
}

policy::Schedule schedule_of(const settings::Settings& settings, const ReductionPlan& plan,
                             const ModelInput& asked) {
  return policy::schedule(settings, plan.plan, asked.facts, asked.speeds);
}

}  // namespace

std::optional<Reduction> recognise(std::size_t items, MPI_Datatype datatype, MPI_Op op,
                                   MPI_Comm comm) {
  if (items == 0 || datatype == MPI_DATATYPE_NULL || op == MPI_OP_NULL || comm == MPI_COMM_NULL) {
    return std::nullopt;
  }
  const std::optional<mpi::PredefinedType> type = mpi::predefined(datatype);
  if (!type) return std::nullopt;
  const mpi::ReductionKind kind = mpi::reduction_kind(op, *type);
  if (kind == mpi::ReductionKind::unsupported) return std::nullopt;
  return Reduction{datatype, op, *type, kind, items};
}

ReductionPlan plan_for(policy::Operation operation, const Reduction& reduction, const void* own,
                       MPI_Comm comm) {
  const bool boundable =
      reduction.kind != mpi::ReductionKind::other && mpi::is_boundable(reduction.type);
  const policy::EffectiveSettings& effective =
      mpi::agreed_resolver_of(comm).of({operation, reduction.bytes(), reduction.type.element});
  const settings::Settings& settings = effective.settings;
  const policy::Plan plan = policy::choose(
      settings, {operation, reduction.bytes(), boundable, depends_on_order(reduction)});
  const auto kind =
      16 * static_cast<unsigned>(reduction.type.element) + static_cast<unsigned>(reduction.kind);
  const CallKey call_key{operation, effective, plan, reduction.bytes(), reduction.type.element,
                         kind};
  const auto fraction = [&](mpi::Communicator& communicator) {
    const std::span values(static_cast<const std::byte*>(own), reduction.bytes());
    const std::optional<double> bound =
        plan.tier == policy::Tier::bounded
            ? mpi::absolute_bound(settings, reduction.type.element, values, MPI_COMM_NULL)
            : std::nullopt;
    return mpi::promised_fraction(values, reduction_encoding(settings, reduction, plan, bound,
                                                             communicator, communicator.size));
  };
  return {&settings, plan, decide(call_key, comm, fraction)};
}

policy::Schedule schedule_for(policy::Operation operation, const Reduction& reduction,
                              const ReductionPlan& plan) {
  return schedule_of(
      runtime::current().settings, plan,
      model_input(operation, reduction, plan, reduction.bytes(), plan.decision.communicator->size));
}

policy::Schedule ring_schedule_for(policy::Operation operation, const Reduction& reduction,
                                   const ReductionPlan& plan, std::size_t bytes, int ranks) {
  settings::Settings settings = runtime::current().settings;
  settings.algorithm = settings::Algorithm::ring;
  return schedule_of(settings, plan, model_input(operation, reduction, plan, bytes, ranks));
}

bool may_depend_on_network(const Reduction& reduction, const ReductionPlan& plan) {
  const bool rounds = plan.plan.tier == policy::Tier::exact && depends_on_order(reduction);
  return plan.decision.communicator->network.known() && !rounds;
}

double lane_seconds_for(policy::Operation operation, const Reduction& reduction,
                        const ReductionPlan& plan, const policy::LaneFacts& lanes,
                        std::size_t chunks) {
  const ModelInput asked =
      model_input(operation, reduction, plan, reduction.bytes(), plan.decision.communicator->size);
  return policy::lane_seconds(asked.facts, lanes, asked.speeds, chunks);
}

PreparedReducer prepare_reducer(const Reduction& reduction, const ReductionPlan& plan,
                                const void* own, std::size_t longest_chunk, int encodings) {
  const settings::Settings& settings = *plan.settings;
  mpi::Communicator& communicator = *plan.decision.communicator;
  ++communicator.calls;
  const codec::ElementType type = reduction.type.element;
  const std::size_t item_size = reduction.type.item_size;

  const std::span values(static_cast<const std::byte*>(own), reduction.bytes());
  PreparedReducer prepared;
  std::optional<double> bound;
  if (plan.plan.tier == policy::Tier::bounded) {
    bound = mpi::absolute_bound(settings, type, values, communicator.comm);
  }
  codec::Encoding encoding =
      reduction_encoding(settings, reduction, plan.plan, bound, communicator, encodings);
  if (bound) prepared.bound_of_result = bound_of_result(settings, reduction, *bound, communicator);
  mpi::look_at(values, encoding, communicator.learned->estimates);
  if (encoding.codec->id() == codec::Id::bounded) {
    prepared.reducer = make_quantized_reducer(encoding, reduction.kind);
  } else {
    prepared.workspace = communicator.scratch.insist(2 * longest_chunk * item_size);
    prepared.reducer = make_decode_reducer(encoding, reduction.datatype, item_size, reduction.op,
                                           prepared.workspace.bytes());
  }
  return prepared;
}

}  // namespace tightwire::collective
