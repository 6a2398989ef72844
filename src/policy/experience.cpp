#include "policy/experience.h"

#include <algorithm>
#include <cmath>

namespace tightwire::policy {
namespace {

// What may be lost before it is worth going back to MPI's own way.
constexpr double loss_to_stop = 1.0;
// How close the unknown way must be to be tried.
constexpr double raw_in_reach = 2.5;
constexpr double compressed_in_reach = 1.3;
// Below, there is nothing to gain on any network.
constexpr double least_ratio = 1.1;
constexpr std::size_t calls_of_a_trial = 2;
// Of the time that calls take.
constexpr double share_of_reviews = 0.005;
// But calls that take so long are reviewed again after so many at the latest.
constexpr double long_call = 2e-3;
constexpr std::size_t longest_interval = 32;
constexpr std::size_t longest_interval_of_short_calls = 4096;
// A correction loses part of its effect at each review without a new measurement, so that an
// unlucky one is not believed for ever.
constexpr double forgetting = 0.95;
constexpr double least_correction = 0.2;
constexpr double largest_correction = 20;

// An agreement of all ranks and a sample of one's values.
double review_seconds(const Facts& facts) {
  const double sampled = std::clamp(static_cast<double>(facts.bytes) / 400, 4096.0, 65536.0);
  return 2 * std::ceil(std::log2(facts.ranks)) * facts.network.latency + 1e-8 * sampled;
}

}  // namespace

Findings Experience::findings(double fraction) const {
  Findings own = shortest_;
  own.fraction = fraction;
  return own;
}

void Experience::note(double seconds) {
  double& shortest = compress_ ? shortest_.compressed : shortest_.raw;
  shortest = std::max(shortest, -seconds);
  if (calls_left_ > 0) --calls_left_;
}

double Experience::expected_raw(const Facts& facts) const {
  return raw_ > 0 ? raw_ : raw_seconds(facts);
}

void Experience::learn(const Findings& agreed) {
  if (agreed.raw > Findings::nothing) raw_ = -agreed.raw;
  if (agreed.compressed > Findings::nothing && predicted_ > 0) {
    correction_ = std::clamp(-agreed.compressed / predicted_, least_correction, largest_correction);
    was_compressed_ = true;
  } else {
    correction_ = 1 + forgetting * (correction_ - 1);
  }
  shortest_ = {};
}

void Experience::decide(double compressed, double raw) {
  const bool hopeful = ratio_ >= least_ratio;
  const bool pays = hopeful && compressed < (compress_ ? loss_to_stop : gain_to_start) * raw;
  const bool try_raw = pays && raw_ == 0 && was_compressed_ && raw < raw_in_reach * compressed;
  const bool try_compressed =
      hopeful && !pays && !was_compressed_ && compressed < compressed_in_reach * raw;
  trial_ = try_raw || try_compressed;
  compress_ = trial_ ? try_compressed : pays;
}

void Experience::plan_next_review(const Facts& facts, double seconds_a_call, bool changed) {
  if (trial_) {
    interval_ = calls_of_a_trial;
  } else {
    const double cheap = review_seconds(facts) / (share_of_reviews * seconds_a_call);
    const std::size_t most =
        seconds_a_call < long_call ? longest_interval_of_short_calls : longest_interval;
    const double fewest = std::min(std::ceil(cheap), static_cast<double>(most));
    const std::size_t doubled = changed ? 1 : std::min(2 * interval_, longest_interval);
    interval_ = std::max(static_cast<std::size_t>(fewest), std::max<std::size_t>(doubled, 1));
  }
  calls_left_ = interval_;
}

void Experience::review(const Question& question, const Findings& agreed) {
  learn(agreed);
  const codec::Id codec = question.plan.codec;
  ratio_ = agreed.fraction > 0 ? std::max(1 / agreed.fraction, 1.0) : typical_ratio(codec);
  predicted_ = schedule(question.settings, question.plan, question.facts,
                        speeds_of(codec, question.type, ratio_))
                   .seconds;
  const double compressed = correction_ * predicted_;
  const double raw = expected_raw(question.facts);
  const bool before = compress_;
  decide(compressed, raw);
  plan_next_review(question.facts, compress_ ? compressed : raw, compress_ != before);
}

}  // namespace tightwire::policy
