// What a sender hears of its channel, and what its receivers may forget.
#include <algorithm>

#include "history/sent_channel.h"

namespace tightwire::history {

unsigned SentChannel::abandon(const OfferedReferences& offered) {
  unsigned not_due = 0;
  const auto leave = [&](AllInFlight& in_flight) {
    const auto found = in_flight.find(offered.number);
    if (found == in_flight.end()) return;
    if (found->second.is_sent) not_due += found->second.answers_due;
    in_flight.erase(found);
  };
  leave(in_flight_);
  for (Retired& old : retired_) leave(old.in_flight);
  return not_due;
}

bool SentChannel::take_answer(AllInFlight& in_flight, std::uint64_t number) {
  const auto found = in_flight.find(number);
  if (found == in_flight.end()) return false;
  if (--found->second.answers_due == 0) in_flight.erase(found);
  return true;
}

bool SentChannel::answered(const wire::HistoryAnswer& answer) {
  if (answer.channel != id_) {
    return std::ranges::any_of(retired_, [&](Retired& old) {
      return old.id == answer.channel && take_answer(old.in_flight, answer.number);
    });
  }
  const bool was_due = take_answer(in_flight_, answer.number);
  if (answer.kind == wire::HistoryAnswer::Kind::no_room && !is_paused()) pause();
  if (answer.kind == wire::HistoryAnswer::Kind::kept) note_kept(answer);
  return was_due;
}

void SentChannel::note_kept(const wire::HistoryAnswer& answer) {
  const auto found = entries_.find(answer.number);
  if (found == entries_.end()) return;
  if (found->second.copy->hash() == answer.hash) ++found->second.kept_by;
}

bool SentChannel::wants_to_be_forgotten() const {
  return receiver_keeps_ && entries_.empty() && in_flight_.empty();
}

void SentChannel::retire(std::uint32_t new_id) {
  retired_.reserve(retired_.size() + 1);
  retired_.push_back({id_, std::move(in_flight_)});
  in_flight_.clear();
  release();
  forgotten(new_id);
}

std::vector<std::uint32_t> SentChannel::ended() {
  std::vector<std::uint32_t> ids;
  for (const Retired& old : retired_) {
    if (old.in_flight.empty()) ids.push_back(old.id);
  }
  std::erase_if(retired_, [](const Retired& old) { return old.in_flight.empty(); });
  return ids;
}

void SentChannel::forgotten(std::uint32_t new_id) {
  id_ = new_id;
  receiver_keeps_ = false;
  forgotten_before_ = next_;
}

}  // namespace tightwire::history
