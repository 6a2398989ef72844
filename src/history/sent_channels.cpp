#include "history/sent_channels.h"

#include <algorithm>
#include <new>

namespace tightwire::history {
namespace {

constexpr std::size_t most_channels = 1024;
constexpr std::size_t most_families = 4096;
// So many of the idle are looked at for one that may go.
constexpr int looks = 64;
// Sizes and tags that never come again gain nothing, and cost a copy each.
constexpr unsigned most_fruitless = 32;
constexpr unsigned another_try_after = 1024;
// What a channel needs to be of use.
constexpr std::size_t least_copies = 3;

}  // namespace

SentChannels::FamilyKey SentChannels::family_of(const Key& key) {
  return {key.receiver, key.communicator, key.type};
}

bool SentChannels::is_welcome(Family& family) {
  if (family.fruitless < most_fruitless) return true;
  if (++family.left_out < another_try_after) return false;
  family = {};
  return true;
}

// What a receiver still keeps messages of stays until it has been told.
bool SentChannels::make_room_for_one() {
  if (members_.size() < most_channels) return true;
  auto member = members_.end();
  for (int look = 0; look < looks; ++look) {
    --member;
    member->channel.release();
    if (!member->channel.is_unknown_to_receiver()) continue;
    by_id_.erase(member->channel.id());
    by_key_.erase({member->key, member->bytes});
    members_.erase(member);
    return true;
  }
  return false;
}

// Those that are idle the longest are asked first. What their receivers keep is given back when
// they have answered. What would not fit even so is no reason to ask.
void SentChannels::make_room(std::size_t bytes) {
  if (bytes > budget_->limit() / least_copies) return;
  for (auto member = members_.end(); member != members_.begin();) {
    if (budget_->take(bytes)) return budget_->give_back(bytes);
    if (--member != members_.begin()) member->channel.displace();
  }
}

SentChannel* SentChannels::find(const Key& key, std::size_t bytes) {
  const auto found = by_key_.find({key, bytes});
  if (found == by_key_.end()) return nullptr;
  members_.splice(members_.begin(), members_, found->second);
  return &found->second->channel;
}

SentChannel* SentChannels::channel(const Key& key, std::size_t bytes,
                                   std::span<const int> receivers) {
  if (SentChannel* known = find(key, bytes)) {
    if (known->is_stuck()) known->retire(new_id(members_.begin()));
    if (!known->is_paused()) make_room(bytes);
    return known;
  }
  if (families_.size() >= most_families && !families_.contains(family_of(key))) return nullptr;
  Family& family = families_[family_of(key)];
  if (!is_welcome(family) || !make_room_for_one()) return nullptr;
  ++family.fruitless;
  std::vector<int> all(receivers.begin(), receivers.end());
  if (all.empty()) all.push_back(key.receiver);
  const auto count = static_cast<unsigned>(all.size());
  Members one;
  one.push_front(
      Member{key, bytes, std::move(all), SentChannel(next_id_, family.pattern, *budget_, count)});
  name(one.begin());
  members_.splice(members_.begin(), one);
  make_room(bytes);
  return &members_.front().channel;
}

// By key and by id, or without memory by neither.
void SentChannels::name(Members::iterator member) {
  const auto named = by_key_.emplace(std::tuple(member->key, member->bytes), member).first;
  try {
    static_cast<void>(new_id(member));
  } catch (const std::bad_alloc&) {
    by_key_.erase(named);
    throw;
  }
}

void SentChannels::learn(const Key& key, const SentChannel& channel, bool was_predicted) {
  Family& family = families_[family_of(key)];
  if (was_predicted) family.fruitless = 0;
  if (channel.pattern().spacing != 0 || was_predicted) family.pattern = channel.pattern();
}

bool SentChannels::answered(const wire::HistoryAnswer& answer) {
  const auto found = by_id_.find(answer.channel);
  return found != by_id_.end() && found->second->channel.answered(answer);
}

std::vector<SentChannels::Forgotten> SentChannels::to_be_forgotten() {
  std::vector<Forgotten> forgotten;
  for (auto member = members_.begin(); member != members_.end(); ++member) {
    std::vector<std::uint32_t> ended = member->channel.ended();
    if (member->channel.wants_to_be_forgotten()) {
      ended.push_back(member->channel.id());
      member->channel.forgotten(new_id(member));
    }
    for (const std::uint32_t id : ended) {
      by_id_.erase(id);
      forgotten.push_back({member->receivers, id});
    }
  }
  return forgotten;
}

std::uint32_t SentChannels::new_id(Members::iterator member) {
  by_id_.emplace(next_id_, member);
  return next_id_++;
}

}  // namespace tightwire::history
