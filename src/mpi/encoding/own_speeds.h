// How fast this process has encoded its messages, compared with what the cost model expects; for
// every codec of its own.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "codec/codec.h"
#include "codec/estimate/estimate.h"
#include "policy/tuning/own_speed.h"

namespace tightwire::mpi {

// Thread safe.
class OwnSpeeds {
 public:
  // Makes of the model's seconds this machine's. With `deterministic` they stay as they are.
  void adapt(codec::Prediction& prediction);
  // The same where ranks encode at the same time, as in collectives.
  void adapt_to_usual(codec::Prediction& prediction);
  // By how much, of encodings without a second stage; nothing as long as that is not known.
  [[nodiscard]] std::optional<double> usual(codec::Id codec);
  // Whether nobody has asked that of the codec yet: who is told so tries it.
  [[nodiscard]] bool is_to_be_tried(codec::Id codec);
  // Whether that is known, or never will be.
  [[nodiscard]] bool knows(codec::Id codec);
  // An encoding that the model expected to take so long took so long (mpi/clock/own_seconds.h,
  // core_seconds).
  void add(codec::Id codec, codec::SecondStage stage, double expected, double took);

 private:
  using Factor = double (policy::OwnSpeed::*)() const;
  void scale(codec::Prediction& prediction, Factor factor);

  std::mutex mutex_;
  std::set<codec::Id> tried_;
  std::map<std::pair<codec::Id, codec::SecondStage>, policy::OwnSpeed> speeds_;
};

[[nodiscard]] OwnSpeeds& own_speeds();

}  // namespace tightwire::mpi
