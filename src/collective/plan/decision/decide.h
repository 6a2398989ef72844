// Whether a call that could be compressed is: by its size and the settings, and in the adaptive
// modes by what the ranks have learned of such calls (policy/tuning/online_tuner.h).
#pragma once

#include <mpi.h>

#include <algorithm>
#include <functional>

#include "collective/plan/form.h"
#include "collective/transfer/slot.h"
#include "mpi/clock/own_seconds.h"
#include "mpi/communicator/communicator.h"
#include "mpi/communicator/effective_settings.h"
#include "runtime/runtime.h"

namespace tightwire::collective {

// Whether messages may be predicted from earlier ones: the same on all ranks.
[[nodiscard]] bool may_remember();

// The settings in force; nullptr where its ranks would have to agree on them and may not wait.
// Throws MpiError.
[[nodiscard]] const policy::SettingsResolver* resolver_for(const CalledOn& on);

// A call, by what all its ranks know alike.
struct CallKey {
  policy::Operation operation{};
  const policy::EffectiveSettings& effective;
  policy::Plan plan;
  std::size_t bytes = 0;
  codec::ElementType type = codec::ElementType::float32;
  unsigned kind = 0;      // tells apart what is of another nature
  bool is_short = false;  // policy::is_short()
  bool is_timed = false;  // policy::Call::is_timed
};

// What the cost model is asked with, as all ranks know it.
[[nodiscard]] policy::Facts facts_of(policy::Operation operation, std::size_t bytes,
                                     const mpi::Communicator& communicator, double coding_speedup);
// The same, with what the ranks have learned of their helpers.
[[nodiscard]] policy::Facts facts_with_helpers(policy::Operation operation, std::size_t bytes,
                                               const mpi::Communicator& communicator);

// As of policy::Facts::in_usual_chunks.
[[nodiscard]] inline bool is_cut_as_usual(const settings::Settings& settings, bool in_background) {
  return in_background || settings.early != settings::Early::off;
}

// What this rank's values tell, as far as they do.
struct Sampled {
  double fraction = policy::OnlineTuner::nothing;    // size of frames / size of values
  double codec_time = policy::OnlineTuner::nothing;  // policy::speeds_of()
};
// Of values that seem to shrink to that fraction so encoded. How long that takes tells nothing of a
// call that all ranks take for one of another codec.
[[nodiscard]] Sampled sampled(double fraction, std::span<const std::byte> values,
                              const codec::Encoding& encoding, codec::Id planned);

struct Decision {
  mpi::Communicator* communicator = nullptr;  // nullptr: is passed through
  policy::OnlineTuner* tuner = nullptr;       // nullptr: nothing is to be learned of the call
  policy::Reason why = policy::Reason::none;  // it is passed through
  bool is_measured = false;                   // by times of such calls, not by the cost model alone

  // Size of the values / size of their frames, as all ranks expect it.
  [[nodiscard]] double ratio(codec::Id codec) const {
    return tuner != nullptr ? tuner->ratio() : policy::typical_ratio(codec);
  }
  // Of a call that went our own way.
  void note(const Traffic& traffic) const {
    if (tuner != nullptr) tuner->note_traffic(traffic.bytes_before, traffic.bytes_after);
  }
};

// A call in the background goes by what its ranks have agreed on before, or else by the cost model
// and what the codec usually makes of values.
//
// `sample` is asked for now and then. Collective over the communicator the first time, and now and
// then. Throws MpiError.
[[nodiscard]] Decision decide(const CallKey& call_key, const CalledOn& on,
                              const std::function<Sampled(mpi::Communicator&)>& sample);

// The same of a v-operation, of which a rank knows no other rank's count, so that neither size nor
// sample can decide for all; in the adaptive modes what they gained by such calls does
// (policy/tuning/backoff.h).
struct UnevenDecision {
  mpi::Communicator* communicator = nullptr;    // nullptr: is passed through
  policy::Backoff* backoff = nullptr;           // nullptr: nothing is to be learned of the call
  policy::Reason why = policy::Reason::none;    // it is passed through
  const mpi::Communicator* measured = nullptr;  // how long the call takes is to be learned
  mpi::UnevenCalls* calls = nullptr;            // what learns that
  std::size_t arriving = 0;                     // bytes of it that come to this rank by the network

  // Of a measured call: what comes from a rank, or from one of the other group. The rest would tell
  // of the memory that ranks share.
  void note_arriving(int source, std::size_t bytes) {
    if (measured != nullptr && measured->across(measured->others_first + source)) arriving += bytes;
  }
  // Of a call that went our own way.
  void note(const Traffic& traffic) const {
    if (backoff != nullptr) backoff->note(traffic.bytes_before, traffic.bytes_after);
  }
};

// Collective as decide() is. Throws MpiError.
[[nodiscard]] UnevenDecision decide_uneven(policy::Operation operation, const CalledOn& on);

// Learns how fast bytes came in a measured call of a v-operation. A plain one tells of the network:
// before that is known, by the rank that waited the least; then, by all ranks' times.
class ScopedRate {
 public:
  explicit ScopedRate(const UnevenDecision& decision)
      : calls_(decision.calls),
        is_plain_(decision.communicator == nullptr),
        bytes_(decision.arriving),
        begin_(calls_ != nullptr ? mpi::own_seconds() : 0) {
    if (calls_ != nullptr) rates().begin_call(begin_);
  }
  ~ScopedRate() {
    if (calls_ == nullptr) return;
    const double end = mpi::own_seconds();
    rates().end_call(end, bytes_);
    if (!is_plain_ || bytes_ < policy::CallRates::enough_bytes) return;
    calls_->rate =
        std::max(calls_->rate, static_cast<double>(bytes_) / std::max(end - begin_, 1e-9));
  }
  ScopedRate(const ScopedRate&) = delete;
  ScopedRate& operator=(const ScopedRate&) = delete;

 private:
  [[nodiscard]] policy::CallRates& rates() const {
    return is_plain_ ? calls_->plain : calls_->compressed;
  }

  mpi::UnevenCalls* calls_;
  bool is_plain_;
  std::size_t bytes_;
  double begin_;
};

// Learns how long a call takes: from the decision, which counted it, to the end of its life.
class ScopedTimer {
 public:
  explicit ScopedTimer(const Decision& decision) : decision_(decision) {}
  ~ScopedTimer() {
    if (decision_.tuner == nullptr || runtime::is_deterministic()) return;
    decision_.tuner->end_call(mpi::own_seconds());
  }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  const Decision& decision_;
};

}  // namespace tightwire::collective
