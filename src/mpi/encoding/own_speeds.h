// How fast this process has encoded its messages, compared with what the cost model expects; for
// every codec of its own.
#pragma once

#include <compare>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "codec/codec.h"
#include "codec/estimate/estimate.h"
#include "policy/tuning/own_speed.h"

namespace tightwire::mpi {

// Whether an encoding is of what predictions from earlier messages leave.
enum class InTime : bool { no, yes };

// Thread safe.
class OwnSpeeds {
 public:
  // Makes of the model's seconds this machine's. With `deterministic` they stay as they are. As
  // long as none has been encoded in time, by what those took that were not.
  void adapt(codec::Prediction& prediction, InTime in_time = InTime::no);
  // The same where ranks encode at the same time, as in collectives; and by how long such values
  // took, where that is known. A machine that is slow for one codec is for one that has not been
  // seen.
  void adapt_to_usual(codec::Prediction& prediction);
  // By how much, of encodings without a second stage; nothing as long as that is not known.
  [[nodiscard]] std::optional<double> usual(codec::Id codec);
  // Whether nobody has asked that of the codec yet: who is told so tries it.
  [[nodiscard]] bool is_to_be_tried(codec::Id codec);
  // Whether that is known, or never will be.
  [[nodiscard]] bool knows(codec::Id codec);
  struct Way {
    codec::Id codec;
    codec::SecondStage second_stage = codec::SecondStage::none;
    InTime in_time = InTime::no;
    auto operator<=>(const Way&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  // An encoding that the model expected to take so long took so long (mpi/clock/own_seconds.h,
  // core_seconds).
  void add(const Way& way, double expected, double took);

 private:
  // nullptr: none. Both with the mutex held.
  [[nodiscard]] const policy::OwnSpeed* known(const Way& way) const;
  [[nodiscard]] double usual_of_known() const;

  std::mutex mutex_;
  std::set<codec::Id> tried_;
  std::map<Way, policy::OwnSpeed> speeds_;
  double usual_of_known_ = 1;  // of one that is not
};

[[nodiscard]] OwnSpeeds& own_speeds();

}  // namespace tightwire::mpi
