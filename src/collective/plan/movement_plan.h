// How an operation goes that moves data and computes nothing: decided once, alike on all ranks.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "codec/encoding.h"
#include "collective/plan/decide.h"
#include "mpi/buffer.h"
#include "mpi/communicator/communicator.h"
#include "mpi/datatype/predefined_type.h"
#include "policy/choose.h"

namespace tightwire::collective {

struct MovementPlan {
  policy::Operation operation{};
  mpi::Communicator* communicator = nullptr;  // nullptr: passes through
  Decision decision;                          // where all messages are of one size
  UnevenDecision uneven;                      // where no rank knows all sizes
  const policy::SettingsResolver* resolver = nullptr;
  policy::Plan plan;  // of the whole call, as all ranks know it; uneven: message by message
  std::chrono::steady_clock::time_point start;  // when the decision was made

  [[nodiscard]] bool passes_through() const { return communicator == nullptr; }
  // For the statistics: of a rank's part of that size.
  [[nodiscard]] policy::Plan of_call(std::size_t bytes) const;
};

// Where all messages are of `bytes`. `own` are this rank's values; of no count where it has none.
// Collective unless the size alone says that it passes through. Throws MpiError.
[[nodiscard]] MovementPlan plan_movement(policy::Operation operation, std::size_t bytes,
                                         const mpi::Buffer& own, MPI_Comm comm);
// Of a v-operation, of which a rank knows its own part only: all ranks go the same way, and size
// decides message by message. Passes through where the call is not `valid`. Collective; throws
// MpiError.
[[nodiscard]] MovementPlan plan_uneven_if(bool valid, policy::Operation operation, MPI_Comm comm);

// What sender and receiver both know from the size of a message. Only the sender knows its element
// type, so whether there are frames at all must not depend on that: this is the plan that boundable
// data would get, and the sender's own may be a weaker one.
struct MessagePlan {
  policy::Plan plan;
  std::size_t chunks = 0;  // 0: of no bytes
};
[[nodiscard]] MessagePlan plan_message(const MovementPlan& plan, std::size_t bytes);

// How the sender encodes its values. Packed data is bytes: only a predefined floating-point type is
// ever reduced within the bound.
struct SenderEncoding {
  policy::Plan plan;
  codec::Encoding encoding;
};
[[nodiscard]] SenderEncoding sender_encoding(const MovementPlan& plan,
                                             const std::optional<mpi::PredefinedType>& type,
                                             std::span<const std::byte> values);

// What a receiver learns of the sender's plan from the frames: the codec that was tried.
[[nodiscard]] policy::Plan plan_seen(const policy::Plan& common, codec::Id tried);

}  // namespace tightwire::collective
