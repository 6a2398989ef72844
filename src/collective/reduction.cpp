#include "collective/reduction.h"

#include "collective/bound.h"
#include "collective/partition.h"
#include "policy/budget.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

// For those that are not judged by theirs.
constexpr policy::Network some_network{50e-6, 1.25e9};

// Minima and maxima don't, nor whole numbers.
bool depends_on_order(const Reduction& reduction) {
  const bool selects = reduction.kind == ReductionKind::min || reduction.kind == ReductionKind::max;
  return is_rounded(reduction.type) && !selects;
}

policy::Budget budget_for(const settings::Settings& settings, const Reduction& reduction,
                          codec::Id codec, double bound, const Communicator& communicator,
                          int encodings) {
  const auto ranks = static_cast<std::uint32_t>(communicator.size);
  const settings::BoundAppliesTo applies = settings.bound_applies_to;
  const bool sum = reduction.kind == ReductionKind::sum;
  if (codec != codec::Id::bounded) {
    return policy::recompressed(bound, static_cast<std::uint32_t>(encodings), sum, applies);
  }
  return sum ? policy::grid_sum(bound, ranks, applies) : policy::grid_extremum(bound);
}

// Without a bound it is exact.
Coding reduction_coding(const settings::Settings& settings, const Reduction& reduction,
                        const policy::Plan& plan, std::optional<double> bound,
                        const Communicator& communicator, int encodings) {
  const codec::Id codec = bound ? plan.codec : policy::exact_codec(settings);
  Coding coding = coding_for(settings, codec, reduction.type.element, 0);
  if (!bound) return coding;
  const policy::Budget budget =
      budget_for(settings, reduction, codec, *bound, communicator, encodings);
  coding.parameters.error_bound = budget.error_bound;
  coding.parameters.terms = budget.terms;
  return coding;
}

// What a user is told of the bound: with `contribution` the errors of all ranks may add up.
double bound_of_result(const settings::Settings& settings, const Reduction& reduction, double bound,
                       const Communicator& communicator) {
  const bool grows = reduction.kind == ReductionKind::sum &&
                     settings.bound_applies_to == settings::BoundAppliesTo::contribution;
  return grows ? bound * communicator.size : bound;
}

// What the cost model is asked with.
struct Question {
  policy::Facts facts;
  policy::Speeds speeds;
};

Question question(policy::Operation operation, const Reduction& reduction,
                  const ReductionPlan& plan, std::size_t bytes, int ranks) {
  const bool measured = may_depend_on_network(reduction, plan);
  const bool rounds = plan.plan.tier == policy::Tier::exact && depends_on_order(reduction);
  const codec::Id codec = plan.plan.codec;
  return {{operation, bytes, ranks, measured ? plan.judgement.communicator->network : some_network},
          policy::speeds_of(codec, reduction.type.element,
                            rounds ? policy::typical_ratio(codec) : plan.judgement.ratio(codec))};
}

policy::Schedule schedule_of(const settings::Settings& settings, const ReductionPlan& plan,
                             const Question& asked) {
  return policy::schedule(settings, plan.plan, asked.facts, asked.speeds);
}

}  // namespace

std::optional<Reduction> recognise(std::size_t items, MPI_Datatype datatype, MPI_Op op,
                                   MPI_Comm comm) {
  if (items == 0 || datatype == MPI_DATATYPE_NULL || op == MPI_OP_NULL || comm == MPI_COMM_NULL) {
    return std::nullopt;
  }
  const std::optional<PredefinedType> type = predefined(datatype);
  if (!type) return std::nullopt;
  const ReductionKind kind = reduction_kind(op, *type);
  if (kind == ReductionKind::unsupported) return std::nullopt;
  return Reduction{datatype, op, *type, kind, items};
}

ReductionPlan plan_for(policy::Operation operation, const Reduction& reduction, const void* own,
                       MPI_Comm comm) {
  const bool boundable = reduction.kind != ReductionKind::other && is_boundable(reduction.type);
  const policy::InForce& in_force =
      runtime::agreed_guide_of(comm).of({operation, reduction.bytes(), reduction.type.element});
  const settings::Settings& settings = in_force.settings;
  const policy::Plan plan = policy::choose(
      settings, {operation, reduction.bytes(), boundable, depends_on_order(reduction)});
  const auto kind =
      16 * static_cast<unsigned>(reduction.type.element) + static_cast<unsigned>(reduction.kind);
  const Matter matter{operation, in_force, plan, reduction.bytes(), reduction.type.element, kind};
  const auto fraction = [&](Communicator& communicator) {
    const std::span values(static_cast<const std::byte*>(own), reduction.bytes());
    const std::optional<double> bound =
        plan.tier == policy::Tier::bounded
            ? absolute_bound(settings, reduction.type.element, values, MPI_COMM_NULL)
            : std::nullopt;
    return promised_fraction(values, reduction_coding(settings, reduction, plan, bound,
                                                      communicator, communicator.size));
  };
  return {&settings, plan, judge(matter, comm, fraction)};
}

policy::Schedule schedule_for(policy::Operation operation, const Reduction& reduction,
                              const ReductionPlan& plan) {
  return schedule_of(
      runtime::current().settings, plan,
      question(operation, reduction, plan, reduction.bytes(), plan.judgement.communicator->size));
}

policy::Schedule ring_schedule_for(policy::Operation operation, const Reduction& reduction,
                                   const ReductionPlan& plan, std::size_t bytes, int ranks) {
  settings::Settings settings = runtime::current().settings;
  settings.algorithm = settings::Algorithm::ring;
  return schedule_of(settings, plan, question(operation, reduction, plan, bytes, ranks));
}

bool may_depend_on_network(const Reduction& reduction, const ReductionPlan& plan) {
  const bool rounds = plan.plan.tier == policy::Tier::exact && depends_on_order(reduction);
  return plan.judgement.communicator->network.known() && !rounds;
}

double lane_seconds_for(policy::Operation operation, const Reduction& reduction,
                        const ReductionPlan& plan, const policy::LaneFacts& lanes,
                        std::size_t chunks) {
  const Question asked =
      question(operation, reduction, plan, reduction.bytes(), plan.judgement.communicator->size);
  return policy::lane_seconds(asked.facts, lanes, asked.speeds, chunks);
}

PreparedHop prepare_hop(const Reduction& reduction, const ReductionPlan& plan, const void* own,
                        std::size_t longest_chunk, int encodings) {
  const settings::Settings& settings = *plan.settings;
  Communicator& communicator = *plan.judgement.communicator;
  ++communicator.calls;
  const codec::ElementType type = reduction.type.element;
  const std::size_t item_size = reduction.type.item_size;

  const std::span values(static_cast<const std::byte*>(own), reduction.bytes());
  PreparedHop prepared;
  std::optional<double> bound;
  if (plan.plan.tier == policy::Tier::bounded) {
    bound = absolute_bound(settings, type, values, communicator.comm);
  }
  Coding coding = reduction_coding(settings, reduction, plan.plan, bound, communicator, encodings);
  if (bound) prepared.bound_of_result = bound_of_result(settings, reduction, *bound, communicator);
  look_at(values, coding, communicator.estimates);
  if (coding.codec->id() == codec::Id::bounded) {
    prepared.hop = make_grid_hop(coding, reduction.kind);
  } else {
    prepared.workspace = communicator.scratch.borrow(2 * longest_chunk * item_size);
    prepared.hop = make_expand_hop(coding, reduction.datatype, item_size, reduction.op,
                                   prepared.workspace.bytes());
  }
  return prepared;
}

}  // namespace tightwire::collective
