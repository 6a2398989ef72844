#include "collective/plan/reduction_plan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "collective/plan/agreed_settings.h"
#include "collective/plan/decision/short_call.h"
#include "collective/plan/reduction_encoding.h"
#include "mpi/communicator/effective_settings.h"
#include "mpi/communicator/node_lanes.h"
#include "mpi/error.h"
#include "policy/choose.h"
#include "policy/cost/lanes.h"
#include "policy/cost/schedule.h"
#include "runtime/crew/together.h"

namespace tightwire::collective {
namespace {

// For reductions whose way must not depend on what was measured of theirs.
constexpr policy::Network some_network{50e-6, 1.25e9};

// Whether its bound is a part of the range of all ranks' values.
bool is_relative(const policy::Plan& plan, const settings::Settings& settings) {
  return plan.tier == policy::Tier::bounded &&
         settings.error_bound.kind == settings::ErrorBound::Kind::relative;
}

void take(const ReductionEncoding& made, ReductionPlan& plan) {
  plan.encoding = made.encoding;
  plan.bound_of_result = made.bound_of_result;
}

// What the cost model is asked with.
struct ModelInput {
  policy::Facts facts;
  policy::Speeds speeds;
};

// A reduction on its way to a plan.
class Planner {
 public:
  Planner(const Reduction& reduction, const settings::Settings& settings, bool in_background,
          ReductionPlan& plan)
      : reduction_(reduction),
        settings_(settings),
        in_background_(in_background),
        plan_(plan),
        communicator_(*plan.decision.communicator),
        lanes_(usable_lanes()) {}

  void make(std::vector<mpi::Part> segments) {
    const policy::Schedule schedule = flat_schedule(segments);
    const bool over_lanes = lanes_ != nullptr && goes_over_lanes(schedule);
    over_lanes ? cut_for_lanes(segments) : cut_flat(schedule, std::move(segments));
    if (in_background_ && is_relative(plan_.plan, settings_)) {
      plan_.open_bound = OpenBound{&settings_, encodings()};
      return;
    }
    take(encoding_of(reduction_, plan_.plan, settings_, communicator_, encodings()), plan_);
  }

 private:
  [[nodiscard]] mpi::NodeLanes* usable_lanes() const {
    mpi::NodeLanes* lanes = communicator_.lanes();
    const bool divided = reduction_.operation == policy::Operation::reduce_scatter;
    const bool chain = reduction_.operation == policy::Operation::scan;
    return lanes == nullptr || chain || (divided && !lanes->even) ? nullptr : lanes;
  }

  // Whether how it goes may depend on what was measured of the network: that is known, and no last
  // digit hangs on it.
  [[nodiscard]] bool may_depend_on_network() const {
    return communicator_.network.known() && !last_digits_count();
  }
  [[nodiscard]] bool last_digits_count() const {
    return plan_.plan.tier == policy::Tier::exact && reduction_.depends_on_order();
  }

  [[nodiscard]] double coding_speedup() const {
    return runtime::coding_speedup_of(communicator_.learned->coding_speedup, reduction_.bytes());
  }

  [[nodiscard]] ModelInput model_input() const {
    const codec::Id codec = plan_.plan.codec;
    const double ratio =
        last_digits_count() ? policy::typical_ratio(codec) : plan_.decision.ratio(codec);
    const bool measured = may_depend_on_network();
    return {{reduction_.operation, reduction_.bytes(), communicator_.size,
             measured ? communicator_.network : some_network, measured ? coding_speedup() : 1},
            policy::speeds_of(codec, reduction_.type.element, ratio,
                              measured ? communicator_.learned->codec_time(codec) : 1)};
  }

  [[nodiscard]] bool is_open() const { return settings_.algorithm == policy::Algorithm::automatic; }

  // Of all ranks: by the model, but no halving where its steps or its memory are not as that takes
  // them for.
  [[nodiscard]] policy::Schedule flat_schedule(const std::vector<mpi::Part>& segments) const {
    const policy::Schedule chosen =
        policy::schedule(settings_, plan_.plan, input_.facts, input_.speeds);
    const bool halves = reduction_.operation == policy::Operation::reduce_scatter &&
                        chosen.algorithm == policy::Algorithm::rabenseifner;
    if (!halves) return chosen;
    const bool suits = !is_skewed(segments) && !(is_open() && ranks_share_hosts());
    return suits ? chosen : ring(input_.facts);
  }

  // Each piece of a halving has room for one of the longest segment.
  [[nodiscard]] bool is_skewed(const std::vector<mpi::Part>& segments) const {
    return mpi::longest_of(segments) * segments.size() > 2 * reduction_.items();
  }
  // In a ring they have the link of a host to themselves, but for few; in exchanges none has.
  [[nodiscard]] bool ranks_share_hosts() const {
    std::vector<int> nodes = communicator_.hosts->nodes();
    std::ranges::sort(nodes);
    return std::ranges::adjacent_find(nodes) != nodes.end();
  }

  [[nodiscard]] policy::Schedule ring(const policy::Facts& facts) const {
    settings::Settings settings = settings_;
    settings.algorithm = policy::Algorithm::ring;
    return policy::schedule(settings, plan_.plan, facts, input_.speeds);
  }

  // Where the message is large enough that its bytes count, not the number of steps.
  [[nodiscard]] bool goes_over_lanes(const policy::Schedule& flat) const {
    if (flat.algorithm != policy::Algorithm::ring &&
        !(is_open() && flat.algorithm == policy::Algorithm::rabenseifner)) {
      return false;
    }
    const bool compares = is_open() && reduction_.operation != policy::Operation::allreduce &&
                          may_depend_on_network();
    return !compares || lanes_take_less(flat);
  }

  // Where all ranks' values are needed once, as in a Reduce, lanes encode each value once more than
  // a ring does, which is worth it where the link or the number of steps counts for more.
  [[nodiscard]] bool lanes_take_less(const policy::Schedule& flat) const {
    const auto locals = [](const std::vector<int>& host) { return host.size(); };
    const policy::LaneFacts facts{
        lanes_->hosts(), lanes_->count,
        static_cast<int>(locals(*std::ranges::max_element(lanes_->ranks, {}, locals))),
        lanes_->crossings};
    const double before = policy::seconds_before(settings_, plan_.plan, input_.facts);
    return before + policy::lane_seconds(input_.facts, facts, input_.speeds, flat.chunks) <
           flat.seconds;
  }

  // Segments of the program's may be longer than the schedule knows; no frame may be too long.
  [[nodiscard]] std::size_t chunks_for(std::size_t chunks, std::size_t longest) const {
    const policy::ChunkRange range =
        policy::chunk_range(settings_, plan_.plan, longest * reduction_.type.item_size);
    return std::max(chunks, range.fewest);
  }

  void cut_flat(const policy::Schedule& schedule, std::vector<mpi::Part> segments) {
    plan_.path = Path::flat;
    plan_.plan.algorithm = schedule.algorithm;
    if (segments.empty()) {
      segments = mpi::even_parts(reduction_.items(),
                                 policy::segments(schedule.algorithm, communicator_.size));
    }
    plan_.chunks = chunks_for(schedule.chunks, mpi::longest_of(segments));
    plan_.segments = std::move(segments);
  }

  void cut_for_lanes(const std::vector<mpi::Part>& segments) {
    plan_.path = Path::lanes;
    plan_.plan.algorithm = policy::Algorithm::ring;
    plan_.slices = segments.empty() ? even_slices() : slices_of(segments);
    plan_.chunks = chunks_for(lane_ring().chunks, longest_slice(plan_.slices));
  }

  // The message in a segment for each host, each with a slice for each lane.
  [[nodiscard]] Slices even_slices() const {
    const auto count = static_cast<std::size_t>(lanes_->count);
    Slices slices;
    for (const mpi::Part& segment : mpi::even_parts(reduction_.items(), lanes_->ranks.size())) {
      std::vector<mpi::Part>& parts =
          slices.emplace_back(static_cast<std::size_t>(lanes_->locals()));
      for (std::size_t lane = 0; lane < count; ++lane) {
        parts[lane] = mpi::part_of(segment, count, lane);
      }
    }
    return slices;
  }

  [[nodiscard]] Slices slices_of(const std::vector<mpi::Part>& segments) const {
    Slices slices;
    for (const std::vector<int>& ranks : lanes_->ranks) {
      std::vector<mpi::Part>& parts = slices.emplace_back();
      for (const int rank : ranks) parts.push_back(segments[static_cast<std::size_t>(rank)]);
    }
    return slices;
  }

  // The ring of a lane's slices.
  [[nodiscard]] policy::Schedule lane_ring() const {
    policy::Facts facts = input_.facts;
    const auto count = static_cast<std::size_t>(lanes_->count);
    facts.bytes = mpi::longest_part(reduction_.items(), count) * reduction_.type.item_size;
    facts.ranks = lanes_->hosts();
    return ring(facts);
  }

  // Along a ring or a chain each rank encodes once, merging; where frames are combined that is once
  // more.
  [[nodiscard]] int encodings() const {
    const int ranks = communicator_.size;
    if (plan_.path == Path::lanes) return ranks + lanes_->hosts() - 1;
    const bool merges = plan_.plan.algorithm == policy::Algorithm::ring ||
                        reduction_.operation == policy::Operation::scan;
    return merges ? ranks : 2 * ranks - 1;
  }

  const Reduction& reduction_;
  const settings::Settings& settings_;
  bool in_background_;
  ReductionPlan& plan_;
  mpi::Communicator& communicator_;
  mpi::NodeLanes* lanes_;
  ModelInput input_ = model_input();
};

// Calls of one kind are alike in what can be learned of them.
unsigned kind_of(const Reduction& reduction) {
  return 16 * static_cast<unsigned>(reduction.type.element) + static_cast<unsigned>(reduction.kind);
}

// All ranks alike. Ranks of a lane do not know each other by the ranks that histories go by.
bool remembers_sums(const ReductionPlan& plan, const settings::Settings& settings) {
  return may_remember() && settings.history != settings::History::off && plan.path == Path::flat &&
         plan.plan.algorithm == policy::Algorithm::ring &&
         plan.encoding.codec->id() == codec::Id::bounded;
}

}  // namespace

std::size_t longest_slice(const Slices& slices) {
  std::size_t longest = 0;
  for (const std::vector<mpi::Part>& segment : slices) {
    longest = std::max(longest, mpi::longest_of(segment));
  }
  return longest;
}

void ReductionPlan::take_range(const codec::ValueRange& own, const codec::ValueRange& range) {
  const settings::Settings& settings = *open_bound->settings;
  const auto bound = mpi::bound_within(settings.error_bound, reduction.type.element,
                                       reduction.values(), own, range);
  take(encoding_within(bound, reduction, plan, settings, *decision.communicator,
                       open_bound->encodings),
       *this);
  mpi::look_at(reduction.values(), encoding);
}

ReductionPlan plan_reduction(const Reduction& reduction, const CalledOn& on,
                             std::vector<mpi::Part> segments) {
  const std::size_t bytes = reduction.bytes();
  ReductionPlan plan;
  plan.reduction = reduction;
  const policy::EffectiveSettings* const agreed =
      agreed_settings({reduction.operation, bytes, reduction.type.element}, on);
  if (agreed == nullptr) return plan;
  const policy::EffectiveSettings& effective = *agreed;
  const policy::Call call{reduction.operation, bytes, reduction.boundable(),
                          reduction.depends_on_order(), is_timed(on)};
  plan.plan = policy::choose(effective.settings, call);
  // It may be freed meanwhile, and cannot be held on to.
  if (on.in_background() && mpi::is_users(reduction.op)) return plan;
  mpi::count_rule(effective);
  plan.decision =
      decide({reduction.operation, effective, plan.plan, bytes, reduction.type.element,
              kind_of(reduction), policy::is_short(effective.settings, call), call.is_timed},
             on, [&](mpi::Communicator& communicator) {
               return sampled_of(reduction, plan.plan, effective.settings, communicator);
             });
  plan.why = plan.decision.why;
  if (plan.decision.communicator == nullptr) return plan;
  plan.start = std::chrono::steady_clock::now();
  Planner(reduction, effective.settings, on.in_background(), plan).make(std::move(segments));
  plan.remembers = !on.in_background() && remembers_sums(plan, effective.settings);
  if (on.calling != Calling::persistent) plan.look_at_values();
  return plan;
}

ReductionPlan plan_reduction_if(bool sound, policy::Operation operation, const mpi::Buffer& own,
                                MPI_Op op, const CalledOn& on, std::vector<mpi::Part> segments) {
  const auto reduction = sound ? recognise(operation, own, op, on.comm()) : std::nullopt;
  return reduction ? plan_reduction(*reduction, on, std::move(segments)) : ReductionPlan{};
}

}  // namespace tightwire::collective
