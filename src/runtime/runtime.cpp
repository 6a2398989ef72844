#include "runtime/runtime.h"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <system_error>

#include "codec/simd/kernels.h"
#include "policy/choose.h"
#include "runtime/call_site.h"
#include "runtime/log.h"
#include "runtime/report/part.h"
#include "runtime/report/report.h"
#include "runtime/start/agreement.h"
#include "runtime/start/presence.h"
#include "runtime/start/sessions.h"

namespace tightwire::runtime {
namespace {

std::atomic<bool> is_active{false};

}  // namespace

bool active() {
  return is_active.load(std::memory_order_relaxed);
}

Runtime& current() {
  // Never destroyed: threads of the program may outlive static destruction.
  static auto* const runtime = new Runtime;
  return *runtime;
}

const settings::Loaded& asked_for() {
  static const auto* const loaded =
      new settings::Loaded(settings::load(settings::process_sources()));
  return *loaded;
}

namespace {

// Fewer terms than ranks would break the bound.
void check_terms(settings::Loaded& loaded, int ranks) {
  const settings::Count& terms = loaded.settings.sum_terms;
  if (!terms.given() || terms.value >= static_cast<std::uint32_t>(ranks)) return;
  const auto entry = std::ranges::find(loaded.entries, "sum-terms", &settings::Entry::key);
  const std::string least = std::to_string(ranks);
  loaded.problems.push_back({entry->key, entry->value, entry->place,
                             "is less than the job's " + least + " ranks",
                             "give " + least + " or more, or auto"});
}

}  // namespace

void start() {
  Runtime& runtime = current();
  PMPI_Comm_rank(MPI_COMM_WORLD, &runtime.rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &runtime.ranks);
  std::error_code no_folder;
  runtime.folder = std::filesystem::current_path(no_folder);
  settings::Loaded loaded = asked_for();
  if (const std::string problem = codec::isa_problem(); !problem.empty()) {
    loaded.problems.push_back({"", "", "environment", problem, ""});
  }
  check_terms(loaded, runtime.ranks);
  if (runtime.rank == 0) runtime.lessons.read(loaded, runtime.folder);
  // Where the ranks' own limits differ, that they do is said right after.
  await_everybody(std::chrono::seconds(loaded.settings.start_limit.value));
  runtime.settings = agreed_settings(loaded);
  runtime.lessons.share(runtime.settings, runtime.rank);
  runtime.rules = loaded.rules;
  runtime.rule_calls.resize(runtime.rules.size());
  if (!runtime.rules.empty()) allow_overrides();
  runtime.names_matter = std::ranges::any_of(runtime.rules, &settings::Rule::goes_by_name);
  runtime.places_matter = std::ranges::any_of(runtime.rules, &settings::Rule::goes_by_place);
  if (runtime.places_matter) want_call_sites();
  if (runtime.writes_files()) runtime.job = name_of_job();
  settings_changed();
  for (const std::string& note : loaded.notes) {
    if (runtime.rank == 0) log(note);
  }
  if (any_rank_has_session()) {
    if (runtime.rank == 0) log("a session of MPI is open at MPI_Init: nothing is compressed");
    return;
  }
  int level = MPI_THREAD_MULTIPLE;
  PMPI_Query_thread(&level);
  if (level != MPI_THREAD_MULTIPLE) runtime.statistics.set_single_threaded();
  runtime.nodes = NodeMap::of_world(static_cast<int>(runtime.settings.host_ranks.value));
  if (!runtime.settings.audit.value.empty()) return;  // every message goes as it is
  const bool may_be_early = runtime.settings.deterministic == settings::Switch::off;
  if (may_be_early && runtime.settings.early != settings::Early::off) {
    runtime.early = std::make_unique<early::Early>(
        early::Options{runtime.settings.early, runtime.settings.early_mechanism,
                       runtime.settings.early_memory.value});
  }
  runtime.began = std::chrono::steady_clock::now();
  is_active.store(true, std::memory_order_release);
}

bool is_deterministic() {
  return current().settings.deterministic == settings::Switch::on;
}

policy::Network stated_network() {
  policy::Network network = policy::assumed_network;
  const settings::LinkSpeed& link = current().settings.link;
  if (link.given()) network.bandwidth = link.bits_per_second / 8;
  return network;
}

void settings_changed() {
  Runtime& runtime = current();
  runtime.settings_hash = std::hash<std::string>{}(settings::canonical(runtime.settings)) | 1U;
  static auto* const resolvers = new std::map<std::size_t, policy::SettingsResolver>;
  runtime.resolver =
      &resolvers
           ->try_emplace(runtime.settings_hash, runtime.settings, std::span<settings::Rule>{},
                         std::vector<bool>{}, settings::Overrides{})
           .first->second;
  const auto smallest = [&](bool is_timed) {
    return runtime.rules.empty() ? policy::smallest_compressed(runtime.settings, is_timed) : 0;
  };
  runtime.smallest_timed = smallest(!is_deterministic());
  runtime.smallest_untimed = smallest(false);
  runtime.smallest_compressed = runtime.overridable ? 0 : runtime.smallest_timed.load();
}

void allow_overrides() {
  current().overridable.store(true, std::memory_order_relaxed);
  current().smallest_compressed.store(0, std::memory_order_relaxed);
}

void finish() {
  is_active.store(false, std::memory_order_release);
  Runtime& runtime = current();
  if (runtime.early != nullptr) {
    runtime.early_done = runtime.early->statistics();
    runtime.early.reset();
  }
  report(runtime);
  runtime.lessons.write();
  write_timeline("");
  stop_watching();
  remove_part_of_report();
}

}  // namespace tightwire::runtime
