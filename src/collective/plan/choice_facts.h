// By what a sender of a moved message chooses its codec, or none.
//
// In an exchange the core that encodes has as much to decode. Where times have decided for all
// ranks, they count for more than the model; what returns at once and was never measured must gain
// clearly, and on a fast network, too: there it may hide behind the program's computing.
#pragma once

#include "collective/plan/movement_plan.h"
#include "mpi/encoding/sample_choice.h"

namespace tightwire::collective {

// `link` as of known_link(), or what is assumed where that is not known. Any thread.
[[nodiscard]] mpi::ChoiceFacts choice_facts(const MovementPlan& plan,
                                            const OfferedEncoding& offered, double link);
// How a message passes through this rank on such a link.
[[nodiscard]] policy::Passage passage_of(const MovementPlan& plan, const OfferedEncoding& offered,
                                         double link);

}  // namespace tightwire::collective
