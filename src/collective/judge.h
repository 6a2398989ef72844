// Whether a call that could be compressed is: by its size and the settings, and in the adaptive
// modes by what the ranks have learned of such calls (policy/experience.h).
#pragma once

#include <mpi.h>

#include <chrono>
#include <functional>

#include "collective/communicator.h"
#include "collective/mailbox.h"
#include "runtime/in_force.h"

namespace tightwire::collective {

// A call, by what all its ranks know alike.
struct Matter {
  policy::Operation operation{};
  const policy::InForce& in_force;
  policy::Plan plan;
  std::size_t bytes = 0;
  codec::ElementType type = codec::ElementType::float32;
  unsigned kind = 0;  // tells apart what is of another nature
};

struct Judgement {
  Communicator* communicator = nullptr;      // nullptr: goes to MPI as it came
  policy::Experience* experience = nullptr;  // nullptr: nothing is to be learned of the call
  double scale = 1;                          // from its time to that of the size class

  // Size of the values / size of their frames, as all ranks expect it.
  [[nodiscard]] double ratio(codec::Id codec) const {
    return experience != nullptr ? experience->ratio() : policy::typical_ratio(codec);
  }
};

// `fraction` is asked now and then: what a sample of this rank's values promises, size of frames /
// size of values, or Findings::nothing. Collective over the private communicator the first time,
// and now and then. Throws MpiError.
[[nodiscard]] Judgement judge(const Matter& matter, MPI_Comm user,
                              const std::function<double(Communicator&)>& fraction);

// The same of a v-operation, of which a rank knows no other rank's count, so that neither size nor
// sample can decide for all; in the adaptive modes what they gained by such calls does
// (policy/rest.h).
struct UnevenJudgement {
  Communicator* communicator = nullptr;  // nullptr: goes to MPI as it came
  policy::Rest* rest = nullptr;          // nullptr: nothing is to be learned of the call

  // Of a call that was taken apart.
  void note(const Traffic& traffic) const {
    if (rest != nullptr) rest->note(traffic.bytes_before, traffic.bytes_after);
  }
};

// Collective as judge() is. Throws MpiError.
[[nodiscard]] UnevenJudgement judge_uneven(policy::Operation operation, MPI_Comm user);

// Learns how long a call takes: from here to the end of its life.
class Watch {
 public:
  explicit Watch(const Judgement& judgement) : judgement_(judgement) {}
  ~Watch() {
    if (judgement_.experience == nullptr) return;
    const std::chrono::duration<double> elapsed = Clock::now() - start_;
    judgement_.experience->note(judgement_.scale * elapsed.count());
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  Judgement judgement_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace tightwire::collective
