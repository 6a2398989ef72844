#include "runtime/crew/together.h"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "os/cores/affinity.h"
#include "os/quota/core_quota.h"
#include "policy/cost/helpers.h"
#include "policy/tuning/coding_speedup.h"
#include "runtime/runtime.h"

namespace tightwire::runtime {
namespace {

// For each thread one piece to work on and one that waits to be delivered.
constexpr std::size_t places_per_thread = 2;

Crew::Limits limits() {
  const Runtime& runtime = current();
  const settings::Count wanted = runtime.settings.threads;
  if (wanted.given()) return {wanted.value, true};
  return {runtime.own_cores, false};
}

// The same for all processes of one machine, whatever they take for their host: containers share
// it.
std::uint64_t machine_id() {
  std::string text;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), text);
  return std::hash<std::string>{}(text);
}

struct Place {
  std::uint64_t machine;
  cpu_set_t mask;
};

// Of all ranks. Collective over the job.
std::vector<Place> places_of(const Place& own, int ranks) {
  std::vector<Place> all(static_cast<std::size_t>(ranks));
  PMPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD);
  return all;
}

// Of the ranks of one machine.
std::vector<cpu_set_t> masks_on(std::uint64_t machine, const std::vector<Place>& places) {
  std::vector<cpu_set_t> masks;
  for (const Place& place : places) {
    if (place.machine == machine) masks.push_back(place.mask);
  }
  return masks;
}

std::size_t least_cores(const std::vector<Place>& places) {
  const auto cores = [](const Place& place) { return os::cores_in(place.mask); };
  return cores(*std::ranges::min_element(places, {}, cores));
}

// This rank's part of the cores that the job's control group has time for, and of those that it may
// run on.
std::size_t own_cores(const Runtime& runtime, const Place& own, const std::vector<Place>& places) {
  const std::size_t ranks = runtime.nodes.ranks_of(runtime.nodes.node_of(runtime.rank));
  return os::cores_of_each(ranks, os::share_of_cores(own.mask, masks_on(own.machine, places)));
}

// How long each byte took the caller, of the items that it did itself.
void note_pace(Patience::Clock::duration taken, std::size_t bytes, std::size_t items,
               std::size_t helped) {
  if (items > helped) current().patience.note(taken, bytes / items * (items - helped));
}

// How many items helpers did.
std::size_t run(const Crew::Items& items, std::size_t bytes) {
  const auto& crew = current().crew;
  if (crew == nullptr) {
    work_alone(items);
    return 0;
  }
  Crew::Limits wanted = limits();
  if (!wanted.any_core)
    wanted.threads = std::min(wanted.threads, bytes / policy::least_bytes_of_helper);
  return crew->run(items, wanted).by_helpers;
}

void note_helped(std::size_t items) {
  if (items > 0) current().helped.fetch_add(items, std::memory_order_relaxed);
}

// The caller looks for more meanwhile: the pace is that of each item.
void work_as_they_come(Crew::Items items, std::size_t bytes) {
  const std::size_t bytes_of_item = bytes / std::max<std::size_t>(items.window, 1);
  items.work = [work = std::move(items.work), bytes_of_item](std::size_t item) {
    const auto begin = Patience::Clock::now();
    work(item);
    current().patience.note(Patience::Clock::now() - begin, bytes_of_item);
  };
  note_helped(run(items, bytes));
}

// Nothing where it is a matter of measuring.
std::optional<double> told_speedup() {
  const Runtime& runtime = current();
  const Crew::Limits wanted = limits();
  if (runtime.crew == nullptr || wanted.threads < 2 || is_deterministic()) return 1;
  const settings::Count given = runtime.settings.coding_speedup;
  if (given.given()) return static_cast<double>(given.value) + runtime.rank;
  const settings::CodingSpeedups& known = runtime.settings.coding_speedups;
  if (known.given()) return policy::known_coding_speedup(known, runtime.crew->threads(wanted));
  return std::nullopt;
}

}  // namespace

void open_crew() {
  Runtime& runtime = current();
  const Place own{machine_id(), os::affinity_mask()};
  const std::vector<Place> places = places_of(own, runtime.ranks);
  runtime.own_cores = own_cores(runtime, own, places);
  runtime.least_cores = least_cores(places);
  runtime.crew = std::make_unique<Crew>();
}

void close_crew() {
  current().crew.reset();
}

std::size_t places_together(std::size_t most) {
  const auto& crew = current().crew;
  const std::size_t threads = crew != nullptr ? crew->threads(limits()) : 1;
  return threads < 2 ? 1 : std::min(most, places_per_thread * threads);
}

bool is_left_to_helpers(std::size_t pieces) {
  const auto& crew = current().crew;
  return pieces > 1 && crew != nullptr && crew->threads(limits()) > policy::enough_helpers;
}

Patience::Clock::duration patience_for(std::size_t bytes) {
  const auto& crew = current().crew;
  const bool is_of_use = crew != nullptr && crew->has_helpers(limits());
  return is_of_use ? current().patience.of(bytes) : Patience::Clock::duration::zero();
}

void work_together(const Crew::Items& items, std::size_t bytes) {
  if (limits().threads < 2) return work_alone(items);
  if (items.known) return work_as_they_come(items, bytes);
  const auto begin = Patience::Clock::now();
  const std::size_t helped = run(items, bytes);
  note_pace(Patience::Clock::now() - begin, bytes, items.count, helped);
  note_helped(helped);
}

void look_together(const Crew::Items& items, std::size_t bytes) {
  static_cast<void>(run(items, bytes));
}

double known_own_speedup() {
  return told_speedup().value_or(current().own_speedup.last());
}

double own_coding_speedup(std::size_t bytes) {
  const bool is_of_use = bytes >= 2 * policy::least_bytes_of_helper;
  if (!is_of_use || told_speedup()) return known_own_speedup();
  Runtime& runtime = current();
  return runtime.own_speedup.measured(*runtime.crew, limits());
}

}  // namespace tightwire::runtime
