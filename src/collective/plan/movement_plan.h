// What the operations that move data, and compute nothing, have in common.
#pragma once

#include <cstddef>
#include <optional>

#include "collective/plan/decide.h"
#include "collective/reduce/frame_reducer.h"
#include "mpi/buffer.h"
#include "mpi/communicator/communicator.h"
#include "mpi/datatype/predefined_type.h"
#include "policy/choose.h"

namespace tightwire::collective {

// The plan that sender and receiver both know from the size of a message. Only the sender knows its
// element type, so whether there are frames at all must not depend on that: this is the plan that
// boundable data would get, and the sender's own may be a weaker one.
[[nodiscard]] policy::Plan common_plan(policy::Operation operation, std::size_t bytes,
                                       MPI_Comm comm);

// How the sender codes its values. Packed data is bytes: only a predefined floating-point type is
// ever reduced within the bound.
struct SenderEncoding {
  policy::Plan plan;
  codec::Encoding encoding;
};
[[nodiscard]] SenderEncoding sender_encoding(policy::Operation operation,
                                             const std::optional<mpi::PredefinedType>& type,
                                             std::span<const std::byte> values,
                                             mpi::Communicator& communicator);

// What decide() asks of an operation that moves data: what this rank's own values promise. Nothing
// for none, and for those that would have to be packed first.
[[nodiscard]] double promised_by(policy::Operation operation, const mpi::Buffer& own,
                                 MPI_Comm comm);

// For an operation in which all messages are of that size.
[[nodiscard]] Decision decide_movement(policy::Operation operation, std::size_t bytes,
                                       const mpi::Buffer& own, MPI_Comm comm);

// What a receiver learns of the sender's plan from the frames: the codec that was tried.
[[nodiscard]] policy::Plan plan_seen(const policy::Plan& common, codec::Id tried);

}  // namespace tightwire::collective
