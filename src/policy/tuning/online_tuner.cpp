#include "policy/tuning/online_tuner.h"

#include <algorithm>
#include <cmath>
#include <new>

namespace tightwire::policy {
namespace {

// What may be lost before calls go back to MPI's own algorithms.
constexpr double loss_to_stop = 1.0;
// How close the predicted time of what was never measured must be for it to be tried.
constexpr double raw_in_reach = 2.5;
constexpr double compressed_in_reach = 1.3;
// Plain MPI is tried again after so many rounds where it was nearly as fast.
constexpr std::size_t rounds_to_forget_raw = 8;
constexpr double raw_in_reach_again = 1.5;
constexpr std::size_t calls_kept = 64;
// Below, there is nothing to gain on any network.
constexpr double least_ratio = 1.1;
constexpr std::size_t calls_of_a_trial = 4;
// The part of the calls' time that rounds may take.
constexpr double share_of_rounds = 0.005;
// But for calls that take so long the next round comes after so many of them at the latest.
constexpr double long_call = 2e-3;
constexpr std::size_t longest_interval = 32;
constexpr std::size_t longest_interval_of_short_calls = 4096;
// A correction loses part of its effect at each round without a new measurement, so that an
// unlucky one is not believed for ever.
constexpr double forgetting = 0.95;
constexpr double least_correction = 0.2;
constexpr double largest_correction = 20;

// An agreement of all ranks and a sample of one's values.
double round_seconds(const Facts& facts) {
  const double sampled = std::clamp(static_cast<double>(facts.bytes) / 400, 4096.0, 65536.0);
  return 2 * std::ceil(std::log2(facts.ranks)) * facts.network.latency + 1e-8 * sampled;
}

// The lower one of two; Measurements::nothing, negated, of none.
double median(std::vector<double> seconds) {
  if (seconds.empty()) return -Measurements::nothing;
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>((seconds.size() - 1) / 2);
  std::ranges::nth_element(seconds, middle);
  return *middle;
}

}  // namespace

Measurements OnlineTuner::measurements(double fraction) const {
  return {fraction, -median(raw_calls_), -median(compressed_calls_)};
}

void OnlineTuner::note(double seconds) noexcept {
  std::vector<double>& calls = compress_ ? compressed_calls_ : raw_calls_;
  if (calls.size() < calls_kept) {
    try {
      calls.push_back(seconds);
    } catch (const std::bad_alloc&) {
      // One measurement less; ranks count their calls alike.
    }
  } else {
    calls[calls_left_ % calls_kept] = seconds;
  }
  count_call();
}

double OnlineTuner::expected_raw(const Facts& facts) const {
  return raw_ > 0 ? raw_ : raw_seconds(facts);
}

void OnlineTuner::learn(const Measurements& agreed) {
  ++rounds_since_raw_;
  if (agreed.raw > Measurements::nothing) {
    // The few calls of a trial may have been unlucky ones.
    const bool worse = raw_ > 0 && -agreed.raw > raw_;
    raw_ = worse ? (raw_ - agreed.raw) / 2 : -agreed.raw;
    rounds_since_raw_ = 0;
  }
  if (agreed.compressed > Measurements::nothing && predicted_ > 0) {
    correction_ = std::clamp(-agreed.compressed / predicted_, least_correction, largest_correction);
    was_compressed_ = true;
  } else {
    correction_ = 1 + forgetting * (correction_ - 1);
  }
  raw_calls_.clear();
  compressed_calls_.clear();
}

void OnlineTuner::decide(double compressed, double raw) {
  const bool compressible = ratio_ >= least_ratio;
  const bool profitable =
      compressible && compressed < (compress_ ? loss_to_stop : gain_to_start) * raw;
  const bool raw_is_known = raw_ > 0 && rounds_since_raw_ < rounds_to_forget_raw;
  const double reach = raw_ > 0 ? raw_in_reach_again : raw_in_reach;
  const bool try_raw = profitable && !raw_is_known && was_compressed_ && raw < reach * compressed;
  const bool try_compressed =
      compressible && !profitable && !was_compressed_ && compressed < compressed_in_reach * raw;
  trial_ = try_raw || try_compressed;
  compress_ = trial_ ? try_compressed : profitable;
}

void OnlineTuner::plan_next_round(const Facts& facts, double seconds_a_call, bool changed) {
  if (trial_) {
    interval_ = calls_of_a_trial;
  } else {
    const double cheap = round_seconds(facts) / (share_of_rounds * seconds_a_call);
    const std::size_t most =
        seconds_a_call < long_call ? longest_interval_of_short_calls : longest_interval;
    const double fewest = std::min(std::ceil(cheap), static_cast<double>(most));
    const std::size_t doubled = changed ? 1 : std::min(2 * interval_, longest_interval);
    interval_ = std::max(static_cast<std::size_t>(fewest), std::max<std::size_t>(doubled, 1));
  }
  calls_left_ = interval_;
}

void OnlineTuner::end_round(const ModelInput& input, const Measurements& agreed) {
  learn(agreed);
  const codec::Id codec = input.plan.codec;
  ratio_ = agreed.fraction > 0 ? std::max(1 / agreed.fraction, 1.0) : typical_ratio(codec);
  predicted_ =
      schedule(input.settings, input.plan, input.facts, speeds_of(codec, input.type, ratio_))
          .seconds;
  const double compressed = correction_ * predicted_;
  const double raw = expected_raw(input.facts);
  const bool before = compress_;
  decide(compressed, raw);
  plan_next_round(input.facts, compress_ ? compressed : raw, compress_ != before);
}

}  // namespace tightwire::policy
