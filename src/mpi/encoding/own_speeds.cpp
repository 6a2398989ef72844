#include "mpi/encoding/own_speeds.h"

#include <algorithm>

#include "runtime/runtime.h"

namespace tightwire::mpi {

// Never destroyed: threads of the program may outlive static destruction.
OwnSpeeds& own_speeds() {
  static auto* const speeds = new OwnSpeeds;
  return *speeds;
}

void OwnSpeeds::adapt(codec::Prediction& prediction) {
  scale(prediction, &policy::OwnSpeed::factor);
}

void OwnSpeeds::adapt_to_usual(codec::Prediction& prediction) {
  scale(prediction, &policy::OwnSpeed::usual_factor);
}

void OwnSpeeds::scale(codec::Prediction& prediction, Factor factor) {
  const std::scoped_lock lock(mutex_);
  const auto known = speeds_.find({prediction.codec, prediction.second_stage});
  if (known == speeds_.end()) return;
  prediction.encode_seconds *= (known->second.*factor)();
  prediction.decode_seconds *= (known->second.*factor)();
}

std::optional<double> OwnSpeeds::usual(codec::Id codec) {
  const std::scoped_lock lock(mutex_);
  const auto known = speeds_.find({codec, codec::SecondStage::none});
  if (known == speeds_.end() || !known->second.is_known()) return std::nullopt;
  return known->second.usual_factor();
}

bool OwnSpeeds::is_to_be_tried(codec::Id codec) {
  const std::scoped_lock lock(mutex_);
  return tried_.insert(codec).second;
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

}  // namespace tightwire::mpi
