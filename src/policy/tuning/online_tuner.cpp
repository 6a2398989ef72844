#include "policy/tuning/online_tuner.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "policy/tuning/calls_to_tell.h"
#include "policy/tuning/median.h"

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
constexpr double least_seconds = 1e-9;
// Calls that go to MPI while the network is not known: connections are set up in the first.
constexpr std::size_t calls_to_measure = 2;
constexpr std::size_t long_enough_alone = std::size_t{4} << 20;
// What is hoped for of prediction from earlier messages, and for how long it is not tried again.
constexpr double ratio_of_memory = 2;
constexpr std::size_t longest_memory_pause = 8192;
// Of what was seen before, at each further call.
constexpr double fading = 0.75;
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
// The bandwidth is as much larger or smaller than it was taken for.
constexpr double another_network = 1.5;

// An agreement of all ranks and a sample of one's values, which may have to be looked at as a whole
// before.
double round_seconds(const OnlineTuner::ModelInput& input) {
  const auto bytes = static_cast<double>(input.facts.bytes);
  const double sampled = std::clamp(bytes / 400, 4096.0, 65536.0);
  const double look =
      looks_for_range(input.settings, input.plan) ? bytes * look_seconds_per_byte : 0;
  return 2 * std::ceil(std::log2(input.facts.ranks)) * input.facts.network.latency +
         1e-8 * sampled + look;
}

double promised_ratio(const OnlineTuner::ModelInput& input, const Promise& agreed) {
  const double sampled = agreed.sampled > 0 ? 1 / agreed.sampled : typical_ratio(input.plan.codec);
  // What a sample could not tell of.
  const double seen = input.remembers && agreed.seen > 0 ? 1 / agreed.seen : 1;
  return std::max({sampled, seen, 1.0});
}

// How many times as much the larger one is; nothing is as far from 0.
double change(double one, double other) {
  return std::max(one, other) / std::min(one, other);
}

}  // namespace

// The first round is due at the first call all the same: this run's values decide, and its network.
// Where they do not shrink the next round comes as late as in the earlier run.
void OnlineTuner::begin_with(const Experience& earlier) {
  raw_ = earlier.raw_seconds;
  measured_ = {.seconds = earlier.compressed_seconds,
               .ratio = earlier.compressed_ratio,
               .bandwidth = earlier.compressed_bandwidth,
               .codec_time = earlier.compressed_codec_time};
  correction_ = std::clamp(earlier.correction, least_correction, largest_correction);
  if (earlier.came_to > 0) {
    values_seen_ = 1;
    frames_seen_ = earlier.came_to;
  }
  compress_ = earlier.compress;
  interval_ = std::clamp<std::size_t>(earlier.interval, 1, longest_interval);
}

std::optional<OnlineTuner::Experience> OnlineTuner::experience() const {
  if (!has_decided() || is_measuring_) return std::nullopt;
  return Experience{.raw_seconds = raw_is_rough_ ? 0 : raw_,
                    .compressed_seconds = measured_.seconds,
                    .compressed_ratio = measured_.ratio,
                    .compressed_bandwidth = measured_.bandwidth,
                    .compressed_codec_time = measured_.codec_time,
                    .correction = correction_,
                    .came_to = values_seen_ > 0 ? frames_seen_ / values_seen_ : 0,
                    .interval = interval_,
                    .compress = compress_ != trial_};
}

Promise OnlineTuner::promise(double sampled) const {
  return {sampled, values_seen_ > 0 ? frames_seen_ / values_seen_ : nothing};
}

bool OnlineTuner::is_promising(const ModelInput& input, const Promise& agreed) {
  return input.remembers || promised_ratio(input, agreed) >= least_ratio;
}

void OnlineTuner::note_traffic(std::size_t values, std::size_t frames) noexcept {
  values_seen_ = fading * values_seen_ + static_cast<double>(values);
  frames_seen_ = fading * frames_seen_ + static_cast<double>(frames);
}

CallTimes OnlineTuner::times(const CommonClock& clock) const {
  CallTimes times;
  times.numbers.fill(nothing);
  if (!clock.is_aligned()) return times;
  for (std::size_t i = 0; i < std::min(calls_, noted_.size()); ++i) {
    times.numbers[i] = clock.at(noted_[i].begin);
    times.numbers[CallTimes::kept + i] = clock.at(noted_[i].end);
  }
  return times;
}

std::optional<double> OnlineTuner::seconds_of(const CallTimes& agreed) const {
  std::array<double, CallTimes::kept> seconds{};
  std::size_t known = 0;
  for (std::size_t i = 0; i < std::min(calls_, noted_.size()); ++i) {
    const double begin = agreed.numbers[i];
    const double end = agreed.numbers[CallTimes::kept + i];
    if (begin == nothing || end == nothing) continue;
    seconds[known++] = std::max(noted_[i].scale * (end - begin), least_seconds);
  }
  if (known == 0) return std::nullopt;
  return median(std::span(seconds).first(known));
}

std::optional<double> OnlineTuner::raw_seconds_of(const CallTimes& agreed) const {
  return compress_ ? std::nullopt : seconds_of(agreed);
}

double OnlineTuner::shortest_call() const {
  double shortest = -nothing;
  for (std::size_t i = 0; i < std::min(calls_, noted_.size()); ++i) {
    shortest = std::min(shortest, noted_[i].scale * (noted_[i].end - noted_[i].begin));
  }
  return calls_ > 0 ? shortest : nothing;
}

void OnlineTuner::begin_call(double begin, double scale) noexcept {
  noted_[calls_++ % noted_.size()] = {begin, begin, scale};
  count_call();
}

void OnlineTuner::end_call(double end) noexcept {
  if (calls_ > 0) noted_[(calls_ - 1) % noted_.size()].end = end;
}

double OnlineTuner::expected_raw(const Facts& facts) const {
  return raw_ > 0 ? raw_ : raw_seconds(facts);
}

void OnlineTuner::learn(std::optional<double> seconds) {
  ++rounds_since_raw_;
  if (seconds && compress_ && predicted_.seconds > 0) {
    measured_ = predicted_;
    measured_.seconds = *seconds;
    correction_ = corrected_by(*seconds, predicted_.seconds);
  } else {
    correction_ = 1 + forgetting * (correction_ - 1);
  }
  if (seconds && !compress_) learn_raw(*seconds);
  calls_ = 0;
}

double OnlineTuner::corrected_by(double measured, double predicted) {
  return std::clamp(measured / predicted, least_correction, largest_correction);
}

// What was measured while the network or the codec was taken for another one says how wrong the
// model is of this one.
void OnlineTuner::follow_model(const ModelInput& input) {
  if (measured_.seconds == 0) return;
  const CompressedTime now = predict(input, measured_.ratio);
  const bool is_another_network = change(now.bandwidth, measured_.bandwidth) >= another_network;
  if (is_another_network || measured_.codec_time <= 0) {
    correction_ = corrected_by(measured_.seconds, now.seconds);
    measured_.bandwidth = now.bandwidth;
  } else if (now.codec_time != measured_.codec_time) {
    // What was forgotten of it stays so.
    ModelInput before = input;
    before.codec_time = measured_.codec_time;
    correction_ = corrected_by(correction_ * predict(before, measured_.ratio).seconds, now.seconds);
  }
  measured_.codec_time = now.codec_time;
}

void OnlineTuner::learn_raw(double seconds) {
  // The few calls of a trial may have been unlucky ones.
  const bool worse = raw_ > 0 && !raw_is_rough_ && seconds > raw_;
  raw_ = worse ? (raw_ + seconds) / 2 : seconds;
  raw_is_rough_ = is_measuring_;
  rounds_since_raw_ = 0;
}

void OnlineTuner::decide(double compressed, double raw) {
  const bool profitable =
      compressible() && compressed < (compress_ ? loss_to_stop : gain_to_start) * raw;
  const bool raw_is_known = raw_ > 0 && !raw_is_rough_ && rounds_since_raw_ < rounds_to_forget_raw;
  const double reach = raw_ > 0 && !raw_is_rough_ ? raw_in_reach_again : raw_in_reach;
  const bool was_compressed = measured_.seconds > 0;
  const bool try_raw = profitable && !raw_is_known && was_compressed && raw < reach * compressed;
  const bool try_compressed =
      compressible() && !profitable && !was_compressed && compressed < compressed_in_reach * raw;
  trial_ = try_raw || try_compressed;
  compress_ = trial_ ? try_compressed : profitable;
  trial_calls_ = calls_of_a_trial.of(try_compressed ? compressed : raw);
}

// Where nothing else is gained.
void OnlineTuner::try_memory(const ModelInput& input, double raw) {
  if (compress_) memory_pause_ = first_memory_pause;
  if (!input.remembers || compress_ || trial_) return;
  calls_to_memory_ -= std::min(calls_to_memory_, interval_);
  const double hoped = correction_ * predict(input, ratio_of_memory).seconds;
  if (calls_to_memory_ > 0 || hoped >= gain_to_start * raw) return;
  compress_ = trial_ = true;
  trial_calls_ = calls_to_learn;
  calls_to_memory_ = memory_pause_;
  memory_pause_ = std::min(2 * memory_pause_, longest_memory_pause);
}

OnlineTuner::CompressedTime OnlineTuner::predict(const ModelInput& input, double ratio) {
  const Speeds speeds = speeds_of(input.plan.codec, input.type, ratio, input.codec_time);
  const double seconds = schedule(input.settings, input.plan, input.facts, speeds).seconds;
  return {seconds, ratio, input.facts.network.bandwidth, input.codec_time};
}

void OnlineTuner::plan_next_round(const ModelInput& input, double seconds_a_call, bool changed) {
  if (trial_ || lost_to_a_guess()) {
    interval_ = trial_calls_;
  } else {
    const double cheap = round_seconds(input) / (share_of_rounds * seconds_a_call);
    const std::size_t most =
        seconds_a_call < long_call ? longest_interval_of_short_calls : longest_interval;
    const double fewest = std::min(std::ceil(cheap), static_cast<double>(most));
    const std::size_t doubled = changed ? 1 : std::min(2 * interval_, longest_interval);
    interval_ = std::max(static_cast<std::size_t>(fewest), std::max<std::size_t>(doubled, 1));
    // How long they take is known by the first ones alone.
    if (raw_is_rough_ && !compress_) interval_ = CallTimes::kept;
    if (changed && compress_) interval_ = std::min(interval_, calls_on_trust.of(seconds_a_call));
  }
  calls_left_ = interval_;
}

// The longer the calls, the less it matters what happens once.
void OnlineTuner::measure(const ModelInput& input) {
  is_measuring_ = true;
  compress_ = false;
  trial_ = false;
  predicted_ = {};
  calls_left_ = interval_ = input.facts.bytes >= long_enough_alone ? 1 : calls_to_measure;
}

void OnlineTuner::end_round(const ModelInput& input, const Promise& promised,
                            const CallTimes& agreed) {
  const bool is_first = !std::exchange(has_decided_, true);
  ModelInput model = input;
  if (!model.facts.network.known()) model.facts.network = assumed_network;
  const double promised_now = promised_ratio(input, promised);
  const bool saw_more = input.remembers && promised.seen > 0 && 1 / promised.seen > ratio_;
  if (predicted_.seconds > 0 && saw_more) predicted_ = predict(model, 1 / promised.seen);
  learn(seconds_of(agreed));
  ratio_ = promised_now;
  // What only moves values begins plain where sums alone have told of the network: plain calls of a
  // link taken for too slow look far too dear to try.
  const Network& network = input.facts.network;
  const bool is_rough = is_first && network.rough && !is_reduction(input.facts.operation);
  if ((!network.known() || is_rough) && is_promising(input, promised)) return measure(input);
  is_measuring_ = false;
  follow_model(model);
  predicted_ = predict(model, ratio_);
  const double compressed = correction_ * predicted_.seconds;
  const double raw = expected_raw(model.facts);
  const bool before = compress_;
  decide(compressed, raw);
  try_memory(model, raw);
  if (!compress_) values_seen_ = frames_seen_ = 0;
  if (is_first && compressible()) interval_ = std::min<std::size_t>(interval_, 1);
  plan_next_round(model, compress_ ? compressed : raw, compress_ != before);
}

}  // namespace tightwire::policy
