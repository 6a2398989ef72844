#include "history/sent_channel.h"

#include <algorithm>
#include <array>
#include <span>

#include "history/search.h"

namespace tightwire::history {
namespace {

constexpr unsigned watch_length = searches.back();
constexpr std::size_t watch_depth = 8;
constexpr std::size_t least_depth = 2;
// Another spacing must be better by so much.
constexpr double better_spacing = 1.02;
constexpr unsigned most_in_vain = 8;
// The encoder takes a sample of its own: a message that is not like those before it is not
// predicted.
constexpr unsigned uses_of_a_sample = 8;
// So often what the entropy coder gained is believed.
constexpr unsigned uses_of_a_gain = 64;
// A receiver that is so far behind, or has lost a message, is waited for: nothing is sent to be
// kept.
constexpr std::size_t most_in_flight = 16;
constexpr std::uint64_t most_behind = 32;
// Of messages in equal steps, while nothing is known to be kept.
constexpr unsigned most_unanswered = 3;
// After so many messages it is begun anew, so often at most.
constexpr std::uint64_t stuck_after = 512;
constexpr std::size_t most_retired = 8;
constexpr unsigned most_displaced = 4;
constexpr unsigned first_pause = 256;
constexpr unsigned longest_pause = 8192;

}  // namespace

SentChannel::SentChannel(std::uint32_t id, const PredictionPattern& pattern, Budget& budget,
                         unsigned receivers)
    : id_(id),
      budget_(&budget),
      receivers_(receivers),
      pattern_(pattern),
      next_pause_(first_pause) {}

OfferedReferences SentChannel::references(std::uint64_t number, std::uint16_t spacing,
                                          bool only_kept) const {
  OfferedReferences offered;
  offered.spacing = spacing;
  while (offered.size < codec::most_references && number >= spacing) {
    number -= spacing;
    const auto found = entries_.find(number);
    if (found == entries_.end() || (only_kept && found->second.kept_by < receivers_)) break;
    offered.references[offered.size++] = found->second.copy;
  }
  return offered;
}

// Where the receiver's word for the last step is still on its way, from every second one, or from
// what was there before many that are sent at once.
OfferedReferences SentChannel::nearest_kept(std::uint64_t number) const {
  for (unsigned back = pattern_.spacing; back <= most_behind; back += pattern_.spacing) {
    OfferedReferences offered = references(number, static_cast<std::uint16_t>(back), true);
    // From so far back several would be kept for long.
    if (back > most_unanswered * pattern_.spacing)
      offered.size = std::min<std::uint8_t>(offered.size, 1);
    if (offered.size > 0) return offered;
  }
  return {};
}

// Of many that are sent before the first is answered a few are enough to begin with.
bool SentChannel::awaits_first() const {
  return in_flight_.size() >= std::size_t{most_unanswered} * pattern_.spacing;
}

void SentChannel::search(std::uint64_t number, codec::ElementType type,
                         std::span<const std::byte> values, const codec::Parameters& parameters) {
  const Watched watched(values);
  for (std::uint16_t spacing = 1; spacing <= most_spacing; ++spacing) {
    OfferedReferences offered = references(number, spacing, false);
    if (offered.size == 0) continue;
    offered.size = std::min(offered.size, most_while_searching);
    const codec::HistoryPromise promise = promise_of_watched(type, watched, parameters, offered);
    const double gain = gain_of(promise);
    const bool same = spacing == pattern_.spacing;
    if (gain < least_gain || gain < (same ? best_gain_ : better_spacing * best_gain_)) continue;
    best_gain_ = gain;
    hoped_for_ = promise.ratio[promise.order];
    if (!same) pattern_ = {spacing, 0};
    learn_order(promise, offered.size);
  }
  if (watched_ == watch_length && pattern_.spacing == 0) pause();
}

// One more than has paid is tried.
void SentChannel::learn_order(const codec::HistoryPromise& promise, std::uint8_t references) {
  if (promise.order == references) {
    const auto next = static_cast<std::uint8_t>(promise.order + 1);
    pattern_.order = std::max(pattern_.order, std::min<std::uint8_t>(next, codec::most_references));
  } else if (promise.order + 1 < pattern_.order) {
    --pattern_.order;
  }
}

void SentChannel::decide(const codec::HistoryPromise& promise, std::uint8_t references) {
  if (gain_of(promise) >= least_gain) {
    in_vain_ = 0;
    displaced_ = 0;
    learn_order(promise, references);
  } else if (++in_vain_ == most_in_vain) {
    pattern_ = {};
    begin_to_watch();
  }
}

void SentChannel::begin_to_watch() {
  watched_ = 0;
  best_gain_ = 0;
  hoped_for_ = 0;
  in_vain_ = 0;
}

bool SentChannel::skips() {
  if (pause_ == 0 || --pause_ == 0) return false;
  ++next_;
  return true;
}

bool SentChannel::is_behind() const {
  return in_flight_.size() >= most_in_flight ||
         (!in_flight_.empty() && next_ - in_flight_.begin()->first > most_behind);
}

bool SentChannel::is_stuck() const {
  const bool all_sent =
      std::ranges::all_of(in_flight_, [](const auto& one) { return one.second.is_sent; });
  return !in_flight_.empty() && next_ - in_flight_.begin()->first > stuck_after && all_sent &&
         retired_.size() < most_retired;
}

OfferedReferences SentChannel::look(codec::ElementType type, std::span<const std::byte> values,
                                    const codec::Parameters& parameters) {
  const std::uint64_t number = next_++;
  OfferedReferences offered;
  offered.number = number;
  if (watched_ < watch_length && std::ranges::count(searches, ++watched_) > 0) {
    search(number, type, values, parameters);
  }
  if (pattern_.spacing == 0 || is_behind()) return offered;
  offered = nearest_kept(number);
  offered.number = number;
  if (offered.size == 0 && awaits_first()) return offered;
  offered.to_keep = true;
  if (offered.size > 0) {
    weigh(type, values, parameters, offered);
  } else {
    offered.hoped_for = hoped_for_;
  }
  in_flight_.emplace(number,
                     InFlight{number - std::uint64_t{offered.spacing} * offered.size, receivers_});
  return offered;
}

void SentChannel::weigh(codec::ElementType type, std::span<const std::byte> values,
                        const codec::Parameters& parameters, OfferedReferences& offered) {
  const bool is_known =
      offered.size == sampled_references_ && ++since_sample_ < uses_of_a_sample && in_vain_ == 0;
  if (!is_known) {
    promised_ = promise_of(type, values, parameters, offered);
    sampled_references_ = offered.size;
    since_sample_ = 0;
    decide(promised_, offered.size);
  }
  offered.ratio = promised_.order == 0 ? 0 : promised_.ratio[promised_.order];
  offered.alone = std::max(promised_.ratio[0], 1.0);
  offered.size = promised_.order;
  if (++since_coded_ > uses_of_a_gain) coded_gain_ = 0;
  offered.coded_gain = coded_gain_;
}

void SentChannel::coded(double gain) {
  coded_gain_ = gain;
  since_coded_ = 0;
}

std::size_t SentChannel::depth() const {
  const std::size_t wanted = std::size_t{pattern_.spacing} * (pattern_.order + 1U);
  return std::min(std::max(wanted, watched_ < watch_length ? watch_depth : 0), most_depth_);
}

std::optional<std::uint64_t> SentChannel::newest_kept() const {
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(), [this](const auto& one) {
    return one.second.kept_by >= receivers_;
  });
  return found == entries_.rend() ? std::nullopt : std::optional(found->first);
}

// Of what is on its way, all that it refers to, and what the next ones will.
std::uint64_t SentChannel::oldest_needed() const {
  std::uint64_t oldest = next_ - std::min<std::uint64_t>(next_, depth() + 1);
  const auto newest = newest_kept();
  if (newest && next_ - *newest <= most_behind) oldest = std::min(oldest, *newest);
  for (const auto& [number, one] : in_flight_) oldest = std::min(oldest, one.refers_to);
  return std::max(oldest, forgotten_before_);
}

void SentChannel::drop_older_than(std::uint64_t oldest) {
  while (!entries_.empty() && entries_.begin()->first < oldest) {
    spare_ = std::move(entries_.begin()->second.copy);
    entries_.erase(entries_.begin());
  }
}

// Of a limit that is too small for all that would pay.
bool SentChannel::make_do_with_less() {
  if (entries_.size() <= least_depth) return false;
  most_depth_ = std::min(most_depth_, entries_.size()) - 1;
  const std::size_t before = entries_.size();
  drop_older_than(oldest_needed());
  return entries_.size() < before;
}

void SentChannel::remember(std::uint64_t number, std::span<const std::byte> bytes) {
  std::shared_ptr<Copy> copy = Copy::of(bytes, *budget_, std::move(spare_));
  spare_ = {};
  while (!copy && make_do_with_less()) copy = Copy::of(bytes, *budget_, std::move(spare_));
  if (!copy) return pause();
  entries_.emplace(number, Entry{std::move(copy)});
}

wire::HistoryBlock SentChannel::announce(const OfferedReferences& offered, std::uint8_t used) {
  wire::HistoryBlock block{id_, offered.number, oldest_needed()};
  drop_older_than(block.oldest);
  forgotten_before_ = block.oldest;
  receiver_keeps_ = true;
  in_flight_.at(offered.number).is_sent = true;
  unused_ = used == 0 && offered.size > 0 ? unused_ + 1 : 0;
  if (used == 0) return block;
  next_pause_ = first_pause;
  hoped_for_ = 0;
  std::array<std::uint64_t, codec::most_references> hashes{};
  for (std::size_t k = 0; k < used; ++k) hashes[k] = offered.references[k]->hash();
  block.checksum = wire::combined_hash(std::span(hashes).first(used));
  block.references = used;
  block.spacing = offered.spacing;
  return block;
}

void SentChannel::keep(std::span<const std::byte> values, const OfferedReferences& offered) {
  remember(offered.number, values);
  if (unused_ == most_in_vain) pause();
}

wire::HistoryBlock SentChannel::send(std::span<const std::byte> values,
                                     const OfferedReferences& offered, std::uint8_t used) {
  const wire::HistoryBlock block = announce(offered, used);
  keep(values, offered);
  return block;
}

void SentChannel::pass(std::span<const std::byte> values, const OfferedReferences& offered) {
  in_flight_.erase(offered.number);
  if (offered.is_declined) {
    if (++unused_ >= most_in_vain) pause();
    return;
  }
  // Nothing is predicted from what is not kept there: it only shows what would be.
  const bool of_use = pause_ == 0 && watched_ < watch_length;
  if (!of_use || is_behind()) return;
  drop_older_than(oldest_needed());
  remember(offered.number, Watched(values).bytes());
}

void SentChannel::release() {
  entries_.clear();
  spare_ = {};
  begin_to_watch();
  unused_ = 0;
}

void SentChannel::displace() {
  const bool is_used = watched_ > 0;
  const bool is_too_early = watched_ < searches.front();
  release();
  if (!is_used) return;
  displaced_ = is_too_early ? displaced_ + 1 : 0;
  if (displaced_ == most_displaced) pause();
}

void SentChannel::pause() {
  displaced_ = 0;
  release();
  pattern_ = {};
  pause_ = next_pause_;
  next_pause_ = std::min(2 * next_pause_, longest_pause);
}

}  // namespace tightwire::history
