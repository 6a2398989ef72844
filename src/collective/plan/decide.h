// Whether a call that could be compressed is: by its size and the settings, and in the adaptive
// modes by what the ranks have learned of such calls (policy/tuning/online_tuner.h).
#pragma once

#include <mpi.h>

#include <chrono>
#include <functional>

#include "collective/transfer/slot.h"
#include "mpi/communicator/communicator.h"
#include "mpi/communicator/effective_settings.h"
#include "runtime/runtime.h"

namespace tightwire::collective {

// A call, by what all its ranks know alike.
struct CallKey {
  policy::Operation operation{};
  const policy::EffectiveSettings& effective;
  policy::Plan plan;
  std::size_t bytes = 0;
  codec::ElementType type = codec::ElementType::float32;
  unsigned kind = 0;  // tells apart what is of another nature
};

struct Decision {
  mpi::Communicator* communicator = nullptr;    // nullptr: is passed through
  policy::OnlineTuner* tuner = nullptr;         // nullptr: nothing is to be learned of the call
  double scale = 1;                             // from its time to that of the size class
  std::chrono::steady_clock::time_point start;  // of what is to be timed, where there is a tuner

  // Size of the values / size of their frames, as all ranks expect it.
  [[nodiscard]] double ratio(codec::Id codec) const {
    return tuner != nullptr ? tuner->ratio() : policy::typical_ratio(codec);
  }
};

// `fraction` is asked now and then: what a sample of this rank's values promises, size of frames /
// size of values, or Measurements::nothing. Collective over the communicator the first time, and
// now and then. Throws MpiError.
[[nodiscard]] Decision decide(const CallKey& call_key, MPI_Comm user,
                              const std::function<double(mpi::Communicator&)>& fraction);

// The same of a v-operation, of which a rank knows no other rank's count, so that neither size nor
// sample can decide for all; in the adaptive modes what they gained by such calls does
// (policy/tuning/backoff.h).
struct UnevenDecision {
  mpi::Communicator* communicator = nullptr;  // nullptr: is passed through
  policy::Backoff* backoff = nullptr;         // nullptr: nothing is to be learned of the call

  // Of a call that went our own way.
  void note(const Traffic& traffic) const {
    if (backoff != nullptr) backoff->note(traffic.bytes_before, traffic.bytes_after);
  }
};

// Collective as decide() is. Throws MpiError.
[[nodiscard]] UnevenDecision decide_uneven(policy::Operation operation, MPI_Comm user);

// Learns how long a call takes: from the decision to the end of its life.
class ScopedTimer {
 public:
  explicit ScopedTimer(const Decision& decision) : decision_(decision) {}
  ~ScopedTimer() {
    if (decision_.tuner == nullptr) return;
    if (runtime::is_deterministic()) {
      decision_.tuner->count_call();
      return;
    }
    const std::chrono::duration<double> elapsed =
        std::chrono::steady_clock::now() - decision_.start;
    decision_.tuner->note(decision_.scale * elapsed.count());
  }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  const Decision& decision_;
};

}  // namespace tightwire::collective
