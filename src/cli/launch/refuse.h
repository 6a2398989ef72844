// One message for the whole job, and an end that no rank's program has begun before.
//
// Every rank runs a launcher of its own and meets the same fault. If each spoke, the user would
// read it N times; if the silent ones left at once, mpirun could end the job before the speaker has
// spoken. So one rank prints and leaves, and the others wait to be ended with it, a bounded time.
#pragma once

#include <string>

#include "cli/launch/job.h"

namespace tightwire::cli {

// Exit codes of the command.
enum Exit : int { success = 0, failure = 1, usage = 2, not_executable = 126, not_found = 127 };

enum class Reach : unsigned char {
  job,   // the same on all ranks, such as a bad option: the first rank speaks
  host,  // may be so on one host only, such as a missing file: the first rank of each host speaks
};

[[nodiscard]] bool speaks(const Job& job, Reach reach);

// Prints `message` on the rank whose part it is, and returns the exit code for all.
[[nodiscard]] int refuse(const Job& job, Reach reach, const std::string& message, Exit code);

// To standard output, and the exit code.
[[nodiscard]] int print_text(const std::string& text);

// One line to standard error, in one write, so that lines of several ranks stay whole.
void print_error(const std::string& message);

}  // namespace tightwire::cli
