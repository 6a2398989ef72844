#include "audit/probe_plan.h"

#include <algorithm>

namespace tightwire::audit {
namespace {

constexpr std::size_t smallest = 16 << 10;
// Enough to see a slow link by.
constexpr std::size_t enough_if_slow = 64 << 10;
// What shapers let through at once is rarely more.
constexpr std::size_t burst = 512 << 10;
// A message that takes as long tells enough: a larger one would only take longer.
constexpr double long_seconds = 2e-3;
constexpr std::size_t most_rounds = 20;
// Rounds that have to agree, and how far they may be apart.
constexpr std::size_t enough_rounds = 3;
constexpr double agreement = 1.1;
// Rounds further apart than this did not meet the same network.
constexpr double resembling = 1.5;
constexpr std::size_t most_compared = 5;

constexpr double part_of_run = 0.003;
constexpr double least_budget = 5e-3;

}  // namespace

double ProbePlan::budget(double run_seconds) {
  return std::max(part_of_run * run_seconds, least_budget);
}

double ProbePlan::seconds_per_byte(const Round& round, double seconds) const {
  // Of a short message nearly all may be latency, and the clock errs.
  return std::max(seconds - latency_, seconds / 10) / static_cast<double>(round.bytes);
}

bool ProbePlan::last_two_agree() const {
  const Round& last = rounds_.back();
  const Round& before = rounds_[rounds_.size() - 2];
  const double one = seconds_per_byte(last, last.seconds);
  const double other = seconds_per_byte(before, before.seconds);
  return std::max(one, other) <= agreement * std::min(one, other);
}

std::vector<ProbePlan::Round> ProbePlan::agreeing() const {
  std::vector<Round> telling;
  for (const Round& round : rounds_) {
    if (round.tells) telling.push_back(round);
  }
  const auto each = [this](const Round& round) { return seconds_per_byte(round, round.seconds); };
  std::ranges::sort(telling, {}, each);
  for (std::size_t i = 0; i + enough_rounds <= telling.size(); ++i) {
    if (each(telling[i + enough_rounds - 1]) > agreement * each(telling[i])) continue;
    const auto first = telling.begin() + static_cast<std::ptrdiff_t>(i);
    return {first, first + enough_rounds};
  }
  return {};
}

bool ProbePlan::is_enough() const {
  if (rounds_.size() >= most_rounds) return true;
  if (rounds_.size() < enough_rounds) return false;  // one that is held up must not decide
  // The budget's end may have met the end of the burst: one round more tells.
  if (spent_ >= budget_) return last_two_agree() || spent_ >= 2 * budget_;
  return !agreeing().empty();
}

std::size_t ProbePlan::next_bytes() const {
  if (rounds_.empty()) return smallest;
  if (is_enough()) return 0;
  const Round& last = rounds_.back();
  if (last.seconds >= long_seconds) return last.bytes;
  return std::min(2 * last.bytes, sent_ < burst ? enough_if_slow : largest);
}

void ProbePlan::count(double slowest_seconds, double own_seconds) {
  const std::size_t bytes = next_bytes();
  const bool is_long = bytes == largest || slowest_seconds >= long_seconds;
  rounds_.push_back({bytes, slowest_seconds, own_seconds, is_long && sent_ >= burst});
  sent_ += bytes;
  spent_ += slowest_seconds;
}

std::vector<ProbePlan::Round> ProbePlan::like_the_last() const {
  std::vector<Round> alike;
  if (rounds_.empty()) return alike;
  const double last = seconds_per_byte(rounds_.back(), rounds_.back().seconds);
  for (auto round = rounds_.rbegin(); round != rounds_.rend(); ++round) {
    const double each = seconds_per_byte(*round, round->seconds);
    if (each > resembling * last || last > resembling * each) break;
    alike.push_back(*round);
    if (alike.size() == most_compared) break;
  }
  return alike;
}

double ProbePlan::bandwidth() const {
  std::vector<Round> rounds = agreeing();
  if (rounds.empty()) rounds = like_the_last();
  if (rounds.empty()) return 0;
  std::vector<double> own;
  own.reserve(rounds.size());
  for (const Round& round : rounds) own.push_back(seconds_per_byte(round, round.own_seconds));
  std::ranges::sort(own);
  return 1 / std::max(own[own.size() / 2], 1e-12);
}

}  // namespace tightwire::audit
