#include "collective/plan/choice_facts.h"

#include <algorithm>
#include <array>

#include "mpi/network_memory.h"
#include "runtime/crew/together.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

// What no rank measures must gain on a network that is so many times as fast, too.
constexpr double clear_gain = 1.25;

// Of a message that is not passed on, wherever it travels.
double own_link_of(const MovementPlan& plan) {
  const std::array known{plan.communicator->network.bandwidth,
                         mpi::own_remembered_network().bandwidth};
  const auto* const found = std::ranges::find_if(known, [](double link) { return link > 0; });
  return found == known.end() ? policy::assumed_network.bandwidth : *found;
}

// Whether the core that encodes has as much to decode meanwhile.
bool goes_both_ways(const MovementPlan& plan) {
  return plan.operation == policy::Operation::alltoall ||
         plan.operation == policy::Operation::neighbor_allgather ||
         plan.operation == policy::Operation::neighbor_alltoall;
}

}  // namespace

mpi::ChoiceFacts choice_facts(const MovementPlan& plan, const OfferedEncoding& offered,
                              double link) {
  const std::size_t chunks = plan_message(plan, offered.bytes).moved.chunks;
  const policy::MessageFacts one_way{
      .bytes = offered.bytes,
      .link = link,
      .chunks = {chunks, chunks},
      .links = offered.links,
      .coding_speedup = runtime::agreed_coding_speedup(offered.bytes_at_once()),
      .look_seconds = offered.look_seconds,
      .latency = plan.communicator->network.latency,
      .receivers = offered.receivers,
      .senders = offered.senders};
  if (!goes_both_ways(plan) || runtime::is_deterministic()) return {one_way, {}, {}};
  policy::MessageFacts both_ways = one_way;
  both_ways.link = own_link_of(plan);
  both_ways.both_ways = true;
  const bool is_measured = plan.decision.is_measured;
  if (plan.in_background && !is_measured) both_ways.link *= clear_gain;
  mpi::ChoiceFacts facts{both_ways, {}, {}};
  if (is_measured) facts.else_by = one_way;
  if (plan.in_background) facts.only_if = one_way;
  return facts;
}

policy::Passage passage_of(const MovementPlan& plan, const OfferedEncoding& offered, double link) {
  const double bytes = std::max(static_cast<double>(offered.bytes), 1.0);
  return {link, offered.sender.plan.pipelined,
          runtime::agreed_coding_speedup(offered.bytes_at_once()), offered.look_seconds / bytes,
          plan.communicator->network.latency};
}

}  // namespace tightwire::collective
