// Messages to the user: whole lines on standard error, each naming the program and the rank.
#pragma once

#include <string_view>

namespace tightwire::runtime {

// "tightwire: rank 3: <text>\n", written at once so that lines of several ranks do not mix. Needs
// no memory: also a lack of it is told of here.
void log(std::string_view text);

// The same before the job is aborted: gives the launcher time to hand the line on. MPICH's drops
// what it has not read when the abort reaches it.
void log_last_words(std::string_view text);

}  // namespace tightwire::runtime
