// What all of the preload library shares in a process: the settings of the job, its rules, the node
// map, statistics, early compression.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "early/early.h"
#include "policy/cost/network.h"
#include "policy/settings_resolver.h"
#include "runtime/crew/crew.h"
#include "runtime/crew/own_speedup.h"
#include "runtime/crew/patience.h"
#include "runtime/lessons.h"
#include "runtime/nodes.h"
#include "runtime/statistics.h"
#include "settings/settings.h"
#include "timeline/trace.h"

namespace tightwire::runtime {

struct Runtime {
  settings::Settings settings;
  std::size_t settings_hash = 0;  // of the job's settings; the same on all ranks, never 0
  std::vector<settings::Rule> rules;
  bool names_matter = false;   // some rule goes by the name of a communicator
  bool places_matter = false;  // or by the function that makes the call
  std::deque<std::atomic<std::uint64_t>> rule_calls;   // of this rank, that met each rule
  const policy::SettingsResolver* resolver = nullptr;  // where no rule and no hint changes anything
  std::atomic<bool> overridable{false};                // rules or hints may
  // No collective of fewer bytes is compressed on any communicator; 0 where that is not known.
  std::atomic<std::size_t> smallest_compressed{0};
  // On communicators without hints: from so many bytes on where calls are seen to take long
  // (policy/short_calls.h), and without that. Alike on all ranks; 0 where there are rules.
  std::atomic<std::size_t> smallest_timed{0};
  std::atomic<std::size_t> smallest_untimed{0};
  Statistics statistics;
  NodeMap nodes;
  Lessons lessons;
  std::unique_ptr<early::Early> early;  // null unless the settings ask for it
  early::Statistics early_done;         // once it is over
  std::unique_ptr<Crew> crew;           // null where the calling threads are alone
  OwnSpeedup own_speedup;               // of its helpers
  Patience patience;                    // for more pieces of work
  // The least of all ranks, where some of them agreed on it last.
  std::atomic<double> agreed_speedup{1};
  std::atomic<std::size_t> speedup_asked_for{0};  // for a message of so many bytes
  std::size_t own_cores = 1;             // of those that the job's control group has time for
  std::size_t least_cores = 1;           // of those that the mask of any rank has
  std::atomic<std::uint64_t> helped{0};  // pieces of work that helper threads did
  int rank = 0;
  int ranks = 1;
  std::chrono::steady_clock::time_point began;  // when the job was active()
  std::string job;                              // alike on all ranks of a job and of no other
  timeline::Clock clock;                        // of the job, for its timeline
  std::filesystem::path folder;  // where the program began: names of files count from there

  // From MPI_Init on.
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }
  // Whether files are written that say which job they are of.
  [[nodiscard]] bool writes_files() const {
    return !settings.report.value.empty() || !settings.timeline.value.empty();
  }
  // Whether anybody will see the statistics.
  [[nodiscard]] bool reporting() const {
    return settings.verbose == settings::Switch::on || !settings.report.value.empty();
  }
};

// True between MPI_Init and MPI_Finalize; costs one relaxed load.
[[nodiscard]] bool active();

// Valid while active().
[[nodiscard]] Runtime& current();

// Whether nothing may depend on clocks, or on where values lie.
[[nodiscard]] bool is_deterministic();
// The network as `link` says, or as is assumed where it must not be measured.
[[nodiscard]] policy::Network stated_network();

// What this process was asked for, and what is wrong with it; read once. Needs no MPI.
[[nodiscard]] const settings::Loaded& asked_for();

// Called by every rank right after MPI is up. Ends the job if the settings are bad or differ. Not
// active() after it where nothing is to be compressed: in an audit, beside a session.
void start();

// After every change of the settings.
void settings_changed();

// Rules or hints may change what the settings say of a communicator.
void allow_overrides();

// Called by every rank right before MPI goes down: prints and writes what was asked for.
void finish();

}  // namespace tightwire::runtime
