// An MPI_Bcast of what the root has on a GPU, which encodes it there (device = compress).
//
// The root decides and tells the others. Where they have memory of a GPU that decodes it, else the
// processor: nobody need know.
#pragma once

#include <chrono>
#include <optional>

#include "codec/encoding.h"
#include "codec/estimate/value_range.h"
#include "collective/plan/decide.h"
#include "mpi/buffer.h"

namespace tightwire::collective {

struct BcastOnDevices {
  Decision decision;
  policy::Plan plan;
  std::size_t chunks = 1;
  std::chrono::steady_clock::time_point start;
  // At the root:
  codec::Encoding encoding;
  codec::ValueRange range;  // of its values

  // As of MovementPlan.
  policy::Reason why = policy::Reason::none;
  static constexpr UnevenDecision uneven{};
  [[nodiscard]] static bool passes_through() { return false; }
  [[nodiscard]] policy::Plan of_call(std::size_t) const { return plan; }
};

// `buffer` is what stands on the host for it; the call is `valid`, as far as it can be told here.
// Nothing where it goes the usual way, on the host: the same on all ranks. Collective over `on`
// where what all ranks know alike does not rule it out. Throws MpiError.
[[nodiscard]] std::optional<BcastOnDevices> plan_bcast_on_devices(bool valid,
                                                                  const mpi::Buffer& buffer,
                                                                  int root, const CalledOn& on);

// When the call is over: how long it took, and what values came to.
void note_bcast_on_devices(const BcastOnDevices& plan, std::size_t bytes, const Traffic& traffic);

}  // namespace tightwire::collective
