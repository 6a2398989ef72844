// Pieces of one call that several threads encode, decode or merge at once: the crew of the process,
// as the settings want it.
#pragma once

#include <cstddef>

#include "runtime/crew/crew.h"

namespace tightwire::runtime {

// Around all messages; without it the calling thread is alone. No thread is started before the
// first work for it.
void open_crew();
void close_crew();

// How many pieces a call does well to have at hand at once, of that many: one without helpers.
[[nodiscard]] std::size_t places_together(std::size_t most);
// Works on them with the helpers, where there are any. `bytes`: of the values of all of them.
void work_together(const Crew::Items& items, std::size_t bytes);

}  // namespace tightwire::runtime
