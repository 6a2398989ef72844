// What is said at the end of a job that gained nothing: why, and what to try. Pure; no MPI.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "policy/call.h"
#include "settings/settings.h"

namespace tightwire::runtime {

// Of all ranks, summed.
struct Gain {
  // Of the messages that went to MPI as they are, by reason. Where nobody asked for a report,
  // messages between two ranks of a host, short ones and one-sided calls are not counted.
  std::array<std::uint64_t, policy::reason_count> left{};
  std::uint64_t compressed = 0;  // of those that were encoded
  std::int64_t saved = 0;        // bytes that did not cross the network
};

struct Job {
  int ranks = 1;
  std::size_t hosts = 1;
  std::chrono::duration<double> time{0};  // from MPI_Init to MPI_Finalize
};

// Whether the settings leave anything to be said: not if they say `quiet`, or that nothing be
// compressed.
[[nodiscard]] bool may_remark(const settings::Settings& settings);

// One line, or nothing: where the job gained, is one rank, or was over in less than a second and
// had sent next to nothing.
[[nodiscard]] std::optional<std::string> remark(const Job& job, const Gain& gain,
                                                const settings::Settings& settings);

}  // namespace tightwire::runtime
