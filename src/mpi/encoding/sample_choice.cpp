#include "mpi/encoding/sample_choice.h"

#include <algorithm>
#include <array>
#include <memory>

#include "codec/estimate/memory.h"
#include "mpi/device/pieces.h"
#include "mpi/encoding/error_bound.h"
#include "mpi/encoding/own_speeds.h"
#include "policy/choose.h"
#include "policy/cost/speeds.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {

std::uint32_t uses_of_estimates() {
  return runtime::is_deterministic() ? 1 : codec::EstimateMemory::uses_of_an_estimate;
}

namespace {

// A look reads 4096 values at least.
constexpr std::size_t worth_a_look = std::size_t{1} << 20;

constexpr std::uint32_t uses_in_all = 64;
// What nobody observes is not believed for long: a collective that goes unmodified is looked at
// again after a pause.
constexpr std::uint32_t uses_where_alone = 4;
// A sample of a short message takes as long as its transfer.
constexpr std::size_t is_short = std::size_t{512} << 10;
constexpr std::uint32_t uses_where_reviewed = 32;

std::unique_ptr<codec::EstimateMemory> memory_for(std::uint32_t unobserved) {
  const std::uint32_t most = uses_of_estimates();
  return std::make_unique<codec::EstimateMemory>(
      codec::EstimateMemory::Uses{std::min(most, uses_in_all), std::min(most, unobserved)},
      codec::EstimateMemory::coarse_bounds);
}

// How often a planned codec may be tried before another one is taken for it: some times at first,
// then once in so many choices. Nobody may see what comes of it, as of buffers that are new at each
// call.
class Trials {
 public:
  void earn() { credit_ = std::min(credit_ + 1, most); }
  [[nodiscard]] bool may_try() {
    if (credit_ < cost) return false;
    credit_ -= cost;
    return true;
  }

 private:
  static constexpr int cost = 8;
  static constexpr int most = 16 * cost;
  int credit_ = 4 * cost;
};

// By the place of the buffer, whatever communicator it is used on.
struct Estimates {
  std::unique_ptr<codec::EstimateMemory> alone = memory_for(uses_where_alone);
  std::unique_ptr<codec::EstimateMemory> reviewed = memory_for(uses_where_reviewed);
  Trials trials;
};

Estimates& estimates_of_thread() {
  thread_local Estimates estimates;
  return estimates;
}

codec::EstimateMemory& estimates_of_thread(std::size_t bytes, Reviewed reviewed) {
  Estimates& estimates = estimates_of_thread();
  return reviewed == Reviewed::yes && bytes < is_short ? *estimates.reviewed : *estimates.alone;
}

void tell_of_rows(const codec::Estimate& estimate, codec::Encoding& encoding) {
  encoding.parameters.row_length = estimate.row_length;
  encoding.parameters.plane_length = estimate.plane_length;
  encoding.parameters.components = estimate.components;
}

codec::Estimate on_this_machine(codec::Estimate estimate) {
  for (codec::Prediction& one : estimate.all()) own_speeds().adapt_to_usual(one);
  return estimate;
}

bool is_raw(const policy::MessageWay& way) {
  return way.codec == codec::Id::raw;
}

// What the quickest way is found by. nullptr: none is quicker than raw by only_if.
const policy::MessageFacts* deciding(const ChoiceFacts& facts, const codec::Estimate& here) {
  const auto is_raw_by = [&](const policy::MessageFacts& by) {
    return is_raw(policy::best_way(here.all(), by));
  };
  if (facts.only_if && is_raw_by(*facts.only_if)) return nullptr;
  return facts.else_by && is_raw_by(facts.by) ? &*facts.else_by : &facts.by;
}

bool goes_raw(const ChoiceFacts& facts, const codec::Estimate& estimate) {
  const codec::Estimate here = on_this_machine(estimate);
  const policy::MessageFacts* const by = deciding(facts, here);
  return by == nullptr || is_raw(policy::best_way(here.all(), *by));
}

codec::Estimate of_only(codec::Id codec, const codec::Estimate& estimate) {
  codec::Estimate only = estimate;
  only.size = 0;
  for (const codec::Prediction& one : estimate.all()) {
    if (one.codec == codec) only.predictions[only.size++] = one;
  }
  return only;
}

// So often that its time would be known, if it was timed.
bool is_known(codec::Id codec, const codec::Estimate& estimate) {
  return std::ranges::any_of(estimate.all(), [&](const codec::Prediction& one) {
    return one.codec == codec && one.observed >= codec::EstimateMemory::first_timed;
  });
}

// What a sample and this machine promise of the planned codec may be too little, which is not found
// out while another one is taken for it: unless it is far behind it goes first. With
// `deterministic` nothing is found out.
policy::MessageWay way_to_go(const ChoiceFacts& facts, const codec::Estimate& estimate,
                             codec::Id planned) {
  constexpr double far_behind = 2;
  const codec::Estimate here = on_this_machine(estimate);
  const policy::MessageFacts* const by = deciding(facts, here);
  if (by == nullptr) return {};
  const policy::MessageWay quickest = policy::best_way(here.all(), *by);
  if (runtime::is_deterministic() || is_raw(quickest)) return quickest;
  Trials& trials = estimates_of_thread().trials;
  trials.earn();
  if (quickest.codec == planned || is_known(planned, here)) return quickest;
  const policy::MessageWay first = policy::best_way(of_only(planned, here).all(), *by);
  const bool is_worth_it = !is_raw(first) && first.seconds < far_behind * quickest.seconds;
  return is_worth_it && trials.may_try() ? first : quickest;
}

double ratio_of(const codec::Estimate& estimate, codec::Id codec) {
  const codec::Prediction* const prediction = estimate.of(codec);
  return prediction != nullptr ? prediction->ratio : policy::typical_ratio(codec);
}

}  // namespace

double look_at(std::span<const std::byte> values, codec::Encoding& encoding) {
  const codec::Id codec = encoding.codec->id();
  const bool has_rows = codec == codec::Id::bounded || codec == codec::Id::exact;
  if (!has_rows || values.size() < worth_a_look) return policy::typical_ratio(codec);
  const codec::Estimate& estimate =
      estimates_of_thread(values.size(), Reviewed::no)
          .get(encoding.type, codec::EstimateMemory::name_of(values), encoding.parameters,
               std::array{codec}, [&] { return once_here(values); });
  tell_of_rows(estimate, encoding);
  return ratio_of(estimate, codec);
}

SampleChoice choose_by_sample(std::span<const std::byte> values, const settings::Settings& settings,
                              const ChoiceFacts& facts, codec::Encoding& planned,
                              Reviewed reviewed) {
  codec::Parameters parameters = planned.parameters;
  parameters.second_stage = codec::SecondStage::entropy;
  const codec::Id codec = planned.codec->id();
  const codec::Estimate& estimate =
      estimates_of_thread(values.size(), reviewed)
          .get(planned.type, codec::EstimateMemory::name_of(values), parameters,
               policy::candidates_beside(codec), [&] { return once_here(values); });
  tell_of_rows(estimate, planned);
  SampleChoice choice;
  choice.planned_ratio = ratio_of(estimate, codec);
  const policy::MessageWay way = way_to_go(facts, estimate, codec);
  if (is_raw(way)) return choice;
  choice.encoding = encoding_for(settings, way.codec, planned.type, parameters.error_bound);
  choice.encoding->parameters.second_stage = way.second_stage;
  tell_of_rows(estimate, *choice.encoding);
  choice.ratio = ratio_of(estimate, way.codec);
  return choice;
}

std::optional<double> ratio_known_to_go_raw(std::span<const std::byte> values,
                                            const ChoiceFacts& facts,
                                            const codec::Encoding& planned, Reviewed reviewed) {
  const codec::Estimate* const known =
      estimates_of_thread(values.size(), reviewed)
          .latest(planned.type, codec::EstimateMemory::name_of(values),
                  [&](const codec::Estimate& estimate) { return goes_raw(facts, estimate); });
  if (known == nullptr) return std::nullopt;
  return ratio_of(*known, planned.codec->id());
}

void came_to(std::span<const std::byte> values, const codec::Encoding& encoding,
             std::size_t encoded_size, double seconds) {
  const codec::Id codec = encoding.codec->id();
  if (codec == codec::Id::raw || runtime::is_deterministic()) return;
  const auto observe = [&](codec::EstimateMemory& memory) {
    memory.observe(encoding.type, codec::EstimateMemory::name_of(values), encoding.parameters,
                   {codec, encoded_size, encoding.parameters.second_stage, seconds});
  };
  const Estimates& estimates = estimates_of_thread();
  observe(*estimates.alone);
  if (values.size() < is_short) observe(*estimates.reviewed);
}

void look_anew() {
  estimates_of_thread().reviewed->forget();
}

double promised_fraction(std::span<const std::byte> values, const codec::Encoding& encoding,
                         std::span<const codec::Id> codecs) {
  const codec::Estimate estimate =
      codec::estimate(encoding.type, once_here(values), encoding.parameters, codecs);
  const auto asked = [&](const codec::Prediction& one) {
    return std::ranges::count(codecs, one.codec) > 0;
  };
  double ratio = 0;
  for (const codec::Prediction& one : estimate.all()) {
    if (asked(one)) ratio = std::max(ratio, one.ratio);
  }
  return 1 / (ratio > 0 ? ratio : policy::typical_ratio(encoding.codec->id()));
}

}  // namespace tightwire::mpi
