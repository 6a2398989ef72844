#include "policy/tuning/messages/transfer_times.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

namespace tightwire::policy {
namespace {

// Each report is made after twice as many messages as the one before, but no more than this. A
// report costs some microseconds, which is nothing beside a long message.
constexpr std::size_t is_long = std::size_t{256} << 10;
constexpr std::uint32_t most_between_reports(std::size_t bytes) {
  return bytes < is_long ? 32 : 8;
}

// The longer a message the less it matters what happens once, and the fewer are enough to begin
// with.
struct Beginning {
  std::uint32_t left_out;
  std::uint32_t reported;
};
Beginning beginning(std::size_t bytes) {
  if (bytes >= std::size_t{4} << 20) return {0, 1};
  if (bytes >= is_long) return {1, 2};
  return {2, 4};
}

// Messages until those that remember earlier ones have some to remember.
constexpr std::uint32_t to_settle = 56;
// What a few unmodified messages took, or some elsewhere, is good enough to choose a codec by, and
// for many messages to show that one is out of place. To see what encoding gains, more are sent
// unmodified then, or when so many were not: until it is clear.
constexpr std::uint32_t enough = 32;
constexpr std::uint32_t before_measuring = 512;
constexpr std::uint32_t to_measure = 3 * enough;
constexpr double out_of_place = 1.25;
constexpr std::uint32_t to_show = 48;
constexpr double clearly = 1.5;
// What the one of two ranks that send to each other gains may show when the other one encodes, too.
constexpr double clear_where_both_send = 1.1;
// The part in what encoding is taken to cost that a report has of so many messages.
constexpr double newest(std::uint32_t messages) {
  return std::min(messages / 128.0, 0.25);
}
// Messages that are sent unmodified because encoding did not pay; each time twice as many.
constexpr std::uint32_t first_pause = 256;
constexpr std::uint32_t longest_pause = 1U << 14;

constexpr double no_time = 1e-15;
// A message that takes no longer was there before it was asked for.
constexpr double at_once = 10e-6;

}  // namespace

unsigned size_class(std::size_t bytes) {
  return static_cast<unsigned>(std::bit_width(bytes));
}

void RecentTimes::add(std::size_t bytes, double seconds) {
  if (skipped_ < beginning(bytes).left_out) {
    ++skipped_;
    return;
  }
  times_[count_++ % times_.size()] = seconds / static_cast<double>(bytes);
  bytes_ = bytes;
}

std::span<const double> RecentTimes::sorted(Times& memory) const {
  memory = times_;
  const auto known = std::span(memory).first(std::min<std::size_t>(count_, times_.size()));
  std::ranges::sort(known);
  return known;
}

double RecentTimes::mean() const {
  Times memory;
  const auto known = sorted(memory);
  if (known.empty()) return 0;
  const std::size_t dropped = known.size() < 4 ? 0 : std::max<std::size_t>(1, known.size() / 10);
  const auto kept = known.first(known.size() - dropped);
  return std::accumulate(kept.begin(), kept.end(), 0.0) / static_cast<double>(kept.size());
}

double RecentTimes::of_network() const {
  Times memory;
  const auto known = sorted(memory);
  const double in_place = at_once / static_cast<double>(std::max<std::size_t>(bytes_, 1));
  const auto waited = known.last(known.end() - std::ranges::upper_bound(known, in_place));
  if (waited.empty()) return 0;
  const double part = static_cast<double>(waited.size()) / static_cast<double>(known.size());
  return std::min(part * waited[waited.size() / 4], mean());
}

double SharedTime::of(double asked, double in_place, std::size_t bytes, std::size_t others) {
  if (asked > last_ || messages_ == longest) {
    begin_ = std::max(asked, last_);
    bytes_ = 0;
    messages_ = 0;
  }
  last_ = in_place;
  ++messages_;
  const auto own = static_cast<double>(bytes);
  bytes_ += own;
  const double on_their_way = own * static_cast<double>(others) / 2;
  return bytes_ > 0 ? (in_place - begin_) * own / (bytes_ + on_their_way) : 0;
}

std::optional<TransferReport> SeenTransfers::add(std::size_t bytes, double seconds) {
  times_.add(bytes, seconds);
  if (next_report_ == 0) next_report_ = beginning(bytes).reported;
  if (times_.count() < next_report_) return std::nullopt;
  next_report_ = std::min(2 * next_report_, most_between_reports(bytes));
  const TransferReport report{
      .size_class = size_class(bytes),
      .seconds_per_byte = times_.mean(),
      .of_network = times_.of_network(),
  };
  times_.clear();
  return report;
}

std::optional<double> EncodingTuner::link() {
  if (unmodified_ == 0) return std::nullopt;
  if (pause_left_ > 0) {
    if (--pause_left_ == 0) end_pause();
    return std::nullopt;
  }
  ++free_;
  return 1 / of_network_;
}

Reason EncodingTuner::why_unmodified() const {
  if (!knows_network() || is_measuring_) return Reason::measuring;
  return spares_cores_ ? Reason::shared_cores : Reason::too_slow;
}

void EncodingTuner::begin_with(const Experience& earlier) {
  unmodified_ = earlier.unmodified;
  of_network_ = earlier.unmodified;
  if (earlier.pays) return;
  tried_with_ = std::numeric_limits<double>::infinity();  // of its helpers nothing is known
  next_pause_ = first_pause;
  pause(next_pause_);
}

std::optional<EncodingTuner::Experience> EncodingTuner::experience() const {
  if (measured_by_ == 0) return std::nullopt;
  return Experience{of_network_, pause_left_ == 0 || is_measuring_ || spares_cores_};
}

void EncodingTuner::sent(const Sent& message) {
  own_.add(message.bytes, message.seconds);
  encoded_ += message.encoded ? 1 : 0;
  both_ways_ = message.both_ways;
  pace_.sent(message.now, message.core_is_shared);
}

// By no more than the most that was tried, so that helpers which come and go end no pause again and
// again.
void EncodingTuner::helped_by(double coding_speedup) {
  constexpr double much_more = 1.25;
  if (pause_left_ == 0 || is_measuring_ || spares_cores_) return;
  const bool is_new = tried_with_ > 0 && coding_speedup > much_more * tried_with_;
  if (is_new) end_pause();
  if (is_new || tried_with_ == 0) tried_with_ = coding_speedup;
}

// Several reports may be heard at once: the sender's part is known for the first of them. And a
// report that comes as messages begin or cease to be encoded is of both kinds.
void EncodingTuner::told(const TransferReport& report) {
  if (own_.count() == 0 && unmodified_ != 0) return;
  if (std::exchange(is_mixed_, false)) {
    pace_.end_of(std::nullopt);
  } else {
    pace_.end_of(encoded_ > 0);
    const double took = std::max(cost(&RecentTimes::mean, report.seconds_per_byte), no_time);
    encoded_ == 0 ? unmodified_took(took, report.of_network) : encoded_took(took);
    weigh_cores();
  }
  own_.clear();
  waited_.clear();
  encoded_ = 0;
}

// Where a message goes one way, both wait for the same. Ranks that send to each other spend the
// time of their own sends and of what they wait for then, each; what the other one waits for may be
// the same time as this one's send.
double EncodingTuner::cost(Figure figure, double seen) const {
  const double own = (own_.*figure)();
  if (!both_ways_) return std::max(own, seen);
  return own + (waited_.count() > 0 ? (waited_.*figure)() : seen);
}

void EncodingTuner::unmodified_took(double took, double seen_of_network) {
  const double of_network = std::max(cost(&RecentTimes::of_network, seen_of_network), no_time);
  const std::uint32_t messages = std::max(own_.count(), 1U);
  const double part = static_cast<double>(messages) / (measured_by_ + messages);
  unmodified_ += part * (took - unmodified_);
  of_network_ += part * (of_network - of_network_);
  measured_by_ = std::min(measured_by_ + messages, enough);
  const bool is_clear = unmodified_ > clearly * before_pause_ && before_pause_ > 0;
  is_measured_ = is_measured_ || is_clear || measured_by_ == enough;
  if (is_measuring_ && is_clear) end_pause();
}

void EncodingTuner::encoded_took(double cost) {
  if (pause_left_ > 0 || free_ < to_settle) return;
  const double part = averaged_ == 0 ? 1 : newest(own_.count());
  average_ += part * (cost - average_);
  averaged_ += own_.count();
  const bool is_out_of_place = averaged_ >= to_show && average_ > out_of_place * unmodified_;
  const double loss = both_ways_ ? clear_where_both_send : 1;
  if (is_measured_ && average_ > loss * unmodified_) {
    measured_by_ = 0;
    give_up_for_a_while();
  } else if (!is_measured_ && (is_out_of_place || free_ >= before_measuring)) {
    measured_by_ = 0;
    pause(to_measure);
    is_measuring_ = true;
  }
}

// What wanted a core for once is soon seen not to want it any more: the pause was for nothing. What
// unmodified messages take is known as well as before it.
void EncodingTuner::weigh_cores() {
  if (spares_cores_ && !pace_.cores_are_short()) {
    next_pause_ = std::max(next_pause_ / 2, first_pause);
    end_pause();
  } else if (pause_left_ == 0 && costs_others()) {
    give_up_for_a_while();
    spares_cores_ = true;
  }
}

// Where cores are short encoding has to show that it gains, in as many messages as are enough after
// a first pause.
bool EncodingTuner::costs_others() const {
  if (!pace_.cores_are_short()) return false;
  if (next_pause_ == 0) return !pace_.encoding_is_quicker().value_or(false);
  return free_ >= to_settle && !pace_.encoding_is_quicker().value_or(true);
}

void EncodingTuner::give_up_for_a_while() {
  next_pause_ = std::clamp(2 * next_pause_, first_pause, longest_pause);
  pause(next_pause_);
}

void EncodingTuner::pause(std::uint32_t messages) {
  before_pause_ = average_;
  pause_left_ = messages;
  is_mixed_ = true;
  free_ = 0;
  average_ = 0;
  averaged_ = 0;
}

void EncodingTuner::end_pause() {
  pause_left_ = 0;
  before_pause_ = 0;
  is_measuring_ = false;
  spares_cores_ = false;
  is_mixed_ = true;
}

}  // namespace tightwire::policy
