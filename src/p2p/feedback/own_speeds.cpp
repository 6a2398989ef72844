#include "p2p/feedback/own_speeds.h"

#include <ctime>

#include "p2p/state/process_wide.h"
#include "runtime/runtime.h"

namespace tightwire::p2p {

OwnSpeeds& own_speeds() {
  return process_wide<OwnSpeeds>();
}

double OwnSpeeds::now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void OwnSpeeds::adapt(codec::Prediction& prediction) {
  const std::scoped_lock lock(mutex_);
  const auto known = speeds_.find({prediction.codec, prediction.second_stage});
  if (known == speeds_.end()) return;
  prediction.encode_seconds *= known->second.factor();
  prediction.decode_seconds *= known->second.factor();
}

void OwnSpeeds::add(codec::Id codec, codec::SecondStage stage, double expected, double took) {
  if (expected <= 0 || runtime::is_deterministic()) return;
  const std::scoped_lock lock(mutex_);
  speeds_[{codec, stage}].add(expected, took);
}

}  // namespace tightwire::p2p
