#include "collective/history/encoding_in_time.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "collective/plan/choice_facts.h"
#include "policy/tuning/is_profitable.h"

namespace tightwire::collective {
namespace {

// Each of them answers for each message.
constexpr int most_receivers = 64;
constexpr int several = -1;
constexpr std::size_t largest_looked_at = std::size_t{256} << 20;

// A channel, and whom its messages go to.
struct Channel {
  mpi::MessageHistory::Key key;
  mpi::MessageHistory::Receivers receivers;
};

bool is_profitable_in_time(const MovementPlan& plan, const OfferedEncoding& offered,
                           std::size_t bytes, double ratio) {
  if (ratio == 0) return false;
  if (!offered.is_optional) return true;
  const double link = known_link(plan, offered);
  const policy::Passage passage = passage_of(plan, offered, link);
  const codec::Id planned = offered.sender.plan.codec;
  const bool by_sample = offered.is_sampled && offered.quickest.plan.tier != policy::Tier::raw;
  const codec::Id codec = by_sample ? offered.quickest.plan.codec : planned;
  const double ratio_otherwise = by_sample ? offered.quickest_ratio : offered.ratio;
  const double otherwise =
      std::min(policy::raw_cost(link), policy::compressed_cost(codec, ratio_otherwise, passage));
  return policy::cost_in_time(planned, ratio, passage, bytes) < otherwise;
}

// Not where not even a message that leaves nothing would gain.
bool may_look_back(const MovementPlan& plan, const OfferedEncoding& offered, std::size_t bytes) {
  if (!may_remember() || !offered.remembers) return false;
  if (bytes == 0 || bytes > largest_looked_at) return false;
  const codec::Id codec = offered.sender.encoding.codec->id();
  if (codec != codec::Id::exact && codec != codec::Id::bounded) return false;
  return is_profitable_in_time(plan, offered, bytes, std::numeric_limits<double>::infinity());
}

// Whether such values are wanted for the sake of those to come.
bool are_wanted(const Channel& channel, const MovementPlan& plan, const OfferedEncoding& offered,
                std::size_t bytes, mpi::SentHistory& history) {
  return may_look_back(plan, offered, bytes) &&
         history.wants(channel.key, channel.receivers, bytes);
}

SenderEncoding encoding_to(const Channel& channel, const MovementPlan& plan,
                           OfferedEncoding offered, std::span<const std::byte> values,
                           mpi::SentHistory& history) {
  const std::optional<double> known = ratio_known_to_go_raw(plan, offered, values);
  if (known && !are_wanted(channel, plan, offered, values.size(), history)) {
    leave_raw(offered, *known);
    return settled(plan, offered);
  }
  look_at(plan, values, offered);
  if (!may_look_back(plan, offered, values.size())) return settled(plan, offered);
  history.look(channel.key, channel.receivers, values.size(), offered.sender.encoding.parameters,
               [&] {
                 mpi::wait_for_pieces(values);
                 return values;
               });
  if (!is_profitable_in_time(plan, offered, values.size(), history.ratio()))
    return settled(plan, offered);
  history.predict();
  return offered.sender;
}

// Channels of a communicator that is gone never serve another one's.
int tag_of(const MovementPlan& plan) {
  return static_cast<int>(plan.communicator->serial * policy::operation_count +
                          static_cast<unsigned>(plan.operation));
}

}  // namespace

SenderEncoding encoding_to_one(const MovementPlan& plan, int receiver,
                               const std::optional<mpi::PredefinedType>& type,
                               std::span<const std::byte> values, mpi::SentHistory& history) {
  const OfferedEncoding offered = unlooked_encoding(plan, type, values.size());
  const std::array ranks{plan.communicator->hosts->world_rank(receiver)};
  return encoding_to(
      {{ranks[0], plan.communicator, tag_of(plan), offered.sender.encoding.type}, ranks}, plan,
      offered, values, history);
}

SenderEncoding encoding_to_others(const MovementPlan& plan,
                                  const std::optional<mpi::PredefinedType>& type,
                                  std::span<const std::byte> values, mpi::SentHistory& history) {
  const mpi::Communicator& communicator = *plan.communicator;
  if (communicator.size > most_receivers + 1) return encoding_to_all(plan, type, values);
  const OfferedEncoding offered = unlooked_encoding(plan, type, values.size());
  std::vector<int> ranks = communicator.hosts->world_ranks();
  ranks.erase(ranks.begin() + communicator.rank);
  return encoding_to({{several, &communicator, tag_of(plan), offered.sender.encoding.type}, ranks},
                     plan, offered, values, history);
}

SenderEncoding encoding_to_all(const MovementPlan& plan,
                               const std::optional<mpi::PredefinedType>& type,
                               std::span<const std::byte> values) {
  OfferedEncoding offered = unlooked_encoding(plan, type, values.size());
  const std::optional<double> known = ratio_known_to_go_raw(plan, offered, values);
  if (known) {
    leave_raw(offered, *known);
  } else {
    look_at(plan, values, offered);
  }
  return settled(plan, offered);
}

}  // namespace tightwire::collective
