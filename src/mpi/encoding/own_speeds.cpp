#include "mpi/encoding/own_speeds.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "runtime/runtime.h"

namespace tightwire::mpi {

// Never destroyed: threads of the program may outlive static destruction.
OwnSpeeds& own_speeds() {
  static auto* const speeds = new OwnSpeeds;
  return *speeds;
}

void OwnSpeeds::adapt(codec::Prediction& prediction, InTime in_time) {
  const std::scoped_lock lock(mutex_);
  const policy::OwnSpeed* speed = known({prediction.codec, prediction.second_stage, in_time});
  if (speed == nullptr) speed = known({prediction.codec, prediction.second_stage});
  if (speed == nullptr) return;
  prediction.encode_seconds *= speed->factor();
  prediction.decode_seconds *= speed->factor();
}

void OwnSpeeds::adapt_to_usual(codec::Prediction& prediction) {
  const std::scoped_lock lock(mutex_);
  const policy::OwnSpeed* const speed = known({prediction.codec, prediction.second_stage});
  const double usual = speed != nullptr ? speed->usual_factor() : usual_of_known_;
  const double own = prediction.times_as_long;
  prediction.encode_seconds *= own > 0 ? own : usual;
  prediction.decode_seconds *= usual;
}

const policy::OwnSpeed* OwnSpeeds::known(const Way& way) const {
  const auto found = speeds_.find(way);
  return found == speeds_.end() || !found->second.is_known() ? nullptr : &found->second;
}

std::optional<double> OwnSpeeds::usual(codec::Id codec) {
  const std::scoped_lock lock(mutex_);
  const policy::OwnSpeed* const speed = known({codec});
  return speed == nullptr ? std::nullopt : std::optional(speed->usual_factor());
}

bool OwnSpeeds::is_to_be_tried(codec::Id codec) {
  const std::scoped_lock lock(mutex_);
  return tried_.insert(codec).second;
}

bool OwnSpeeds::knows(codec::Id codec) {
  if (runtime::is_deterministic()) return true;
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(speeds_, [&](const auto& speed) {
    return speed.first.codec == codec && speed.second.is_known();
  });
}

void OwnSpeeds::add(const Way& way, double expected, double took) {
  if (expected <= 0 || runtime::is_deterministic()) return;
  const std::scoped_lock lock(mutex_);
  speeds_[way].add(expected, took);
  usual_of_known_ = usual_of_known();
}

// The median, of encodings of values as they are.
double OwnSpeeds::usual_of_known() const {
  std::array<double, codec::all_traits.size()> factors{};
  std::size_t known = 0;
  for (const auto& [way, speed] : speeds_) {
    const bool is_plain = way.second_stage == codec::SecondStage::none && way.in_time == InTime::no;
    if (is_plain && speed.is_known() && known < factors.size()) {
      factors[known++] = speed.usual_factor();
    }
  }
  if (known == 0) return 1;
  const auto middle = factors.begin() + static_cast<std::ptrdiff_t>((known - 1) / 2);
  std::nth_element(factors.begin(), middle, factors.begin() + static_cast<std::ptrdiff_t>(known));
  return *middle;
}

}  // namespace tightwire::mpi
