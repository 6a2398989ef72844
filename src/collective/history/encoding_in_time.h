// How a sender encodes a message of a collective, where earlier messages like it may tell of it.
#pragma once

#include <span>

#include "collective/plan/movement_plan.h"
#include "mpi/history/sent_history.h"

namespace tightwire::collective {

// As settled(), where `history` has nothing to say. It looks at the message, which goes to these
// other ranks, and is told if it is to be predicted. Throws MpiError, std::bad_alloc.
[[nodiscard]] SenderEncoding encoding_to_one(const MovementPlan& plan, int receiver,
                                             const std::optional<mpi::PredefinedType>& type,
                                             std::span<const std::byte> values,
                                             mpi::SentHistory& history);
[[nodiscard]] SenderEncoding encoding_to_others(const MovementPlan& plan,
                                                const std::optional<mpi::PredefinedType>& type,
                                                std::span<const std::byte> values,
                                                mpi::SentHistory& history);

// Where there is none.
[[nodiscard]] SenderEncoding encoding_to_all(const MovementPlan& plan,
                                             const std::optional<mpi::PredefinedType>& type,
                                             std::span<const std::byte> values);

}  // namespace tightwire::collective
