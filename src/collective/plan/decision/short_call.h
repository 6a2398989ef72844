// Collectives that may be short: below the usual thresholds, from 8 KiB on, they are compressed
// where the ranks have seen such calls take long enough, and up to 1 MiB once all of them have
// (policy/short_calls.h). Of calls that wait, on one group.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collective/plan/decision/decide.h"
#include "collective/plan/form.h"

namespace tightwire::collective {

// Whether policy::Call::is_timed holds for a call.
[[nodiscard]] bool is_timed(const CalledOn& on);

// Whether a call of so many bytes of all ranks alike goes to MPI with nothing else looked at.
// Counts the call: once for each. Throws MpiError.
[[nodiscard]] bool is_left_alone(std::size_t bytes, const Form& form, MPI_Comm comm);

[[nodiscard]] bool may_be_short(const CallKey& call_key);

// What becomes of a short call that is not left alone: the ranks go on to find out whether its
// values shrink, or it goes to MPI, and they want to know how long it takes, or do not.
enum class ShortCall : std::uint8_t { worth_it, timed, untimed };
// Collective now and then; throws MpiError.
[[nodiscard]] ShortCall decide_short(const CallKey& call_key, mpi::Communicator& communicator,
                                     const policy::KindOfCall& kind,
                                     const policy::OnlineTuner& tuner, MPI_Comm comm);

}  // namespace tightwire::collective
