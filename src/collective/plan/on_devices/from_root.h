// An MPI_Bcast or MPI_Scatter of what the root has on a GPU, which encodes it there (device =
// compress).
//
// The root decides and tells the others. Where they have memory of a GPU that decodes it, else the
// processor: nobody need know.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "codec/encoding.h"
#include "codec/estimate/value_range.h"
#include "collective/plan/decide.h"
#include "mpi/buffer.h"

namespace tightwire::collective {

// One of the messages that leave the root, and how it is encoded.
struct SentFromDevice {
  mpi::Buffer values;
  codec::Encoding encoding{};
  codec::ValueRange range{};  // of its values
};

struct FromRootOnDevices {
  policy::Operation operation{};
  std::size_t bytes = 0;  // of a message
  Decision decision;
  policy::Plan plan;
  std::size_t chunks = 1;  // of a message
  std::chrono::steady_clock::time_point start;
  std::vector<SentFromDevice> sent;  // at the root

  // As of MovementPlan.
  policy::Reason why = policy::Reason::none;
  static constexpr UnevenDecision uneven{};
  [[nodiscard]] static bool passes_through() { return false; }
  [[nodiscard]] policy::Plan of_call(std::size_t) const { return plan; }
};

struct FromRootCall {
  policy::Operation operation{};
  std::size_t bytes = 0;  // of a message: as all ranks know it
  int root = 0;
  // At the root: the images of the messages, parts of that of one buffer, which begins at `all`.
  const void* all = nullptr;
  std::vector<mpi::Buffer> sent{};
};

// Of a valid call that may be on devices (usable_communicator.h). Nothing where it goes the usual
// way, on the host: the same on all ranks. Collective over `on` where what all ranks know alike
// does not rule it out. Throws MpiError.
[[nodiscard]] std::optional<FromRootOnDevices> plan_from_root_on_devices(const FromRootCall& call,
                                                                         const CalledOn& on);

// When the call is over: how long it took, and what values came to.
void note_from_root_on_devices(const FromRootOnDevices& plan, const Traffic& traffic);

}  // namespace tightwire::collective
