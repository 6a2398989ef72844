#include "p2p/feedback/own_speeds.h"

#include <algorithm>

#include "p2p/state/process_wide.h"
#include "runtime/runtime.h"

namespace tightwire::p2p {

OwnSpeeds& own_speeds() {
  return process_wide<OwnSpeeds>();
}

void OwnSpeeds::adapt(codec::Prediction& prediction) {
  const std::scoped_lock lock(mutex_);
  const auto known = speeds_.find({prediction.codec, prediction.second_stage});
  if (known == speeds_.end()) return;
  prediction.encode_seconds *= known->second.factor();
  prediction.decode_seconds *= known->second.factor();
}

bool OwnSpeeds::knows(codec::Id codec) {
  if (runtime::is_deterministic()) return true;
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(speeds_, [&](const auto& speed) {
    return speed.first.first == codec && speed.second.is_known();
  });
}

void OwnSpeeds::add(codec::Id codec, codec::SecondStage stage, double expected, double took) {
  if (expected <= 0 || runtime::is_deterministic()) return;
  const std::scoped_lock lock(mutex_);
  speeds_[{codec, stage}].add(expected, took);
}

}  // namespace tightwire::p2p
