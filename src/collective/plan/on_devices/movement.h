// Operations that move what ranks have on GPUs, which encode it there (device = compress): what the
// root has (MPI_Bcast, MPI_Scatter), or what all ranks have (MPI_Gather, MPI_Allgather,
// MPI_Alltoall).
//
// Whoever sends tells the others whether a GPU encodes it. Where they have memory of a GPU that
// decodes it, else the processor: nobody need know.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "codec/encoding.h"
#include "codec/estimate/value_range.h"
#include "collective/plan/decision/decide.h"
#include "mpi/buffer.h"

namespace tightwire::collective {

// One of the messages that leave a rank, and how it is encoded.
struct SentFromDevice {
  mpi::Buffer values;
  codec::Encoding encoding{};
  codec::ValueRange range{};  // of its values
};

struct MovementOnDevices {
  policy::Operation operation{};
  std::size_t bytes = 0;  // of a message
  Decision decision;
  policy::Plan plan;
  std::size_t chunks = 1;  // of a message
  std::chrono::steady_clock::time_point start;
  std::vector<SentFromDevice> sent;  // as of MovementCall

  // As of MovementPlan.
  policy::Reason why = policy::Reason::none;
  static constexpr UnevenDecision uneven{};
  [[nodiscard]] static bool passes_through() { return false; }
  [[nodiscard]] policy::Plan of_call(std::size_t) const { return plan; }
};

struct MovementCall {
  policy::Operation operation{};
  std::size_t bytes = 0;  // of a message: as all ranks know it
  // Of a rank that sends: the image of the buffer from which, and which parts of it: the same one
  // to all, or one for each rank, of which its own stays with it.
  const void* image = nullptr;
  std::vector<mpi::Buffer> sent{};
};

// Of a valid call that may be on devices (usable_communicator.h). Nothing where it goes the usual
// way, on the host: the same on all ranks. Collective over `on` where what all ranks know alike
// does not rule it out. Throws MpiError.
[[nodiscard]] std::optional<MovementOnDevices> plan_movement_on_devices(const MovementCall& call,
                                                                        const CalledOn& on);

// When the call is over: how long it took, and what values came to.
void note_movement_on_devices(const MovementOnDevices& plan, const Traffic& traffic);

}  // namespace tightwire::collective
