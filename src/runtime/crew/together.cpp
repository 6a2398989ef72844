#include "runtime/crew/together.h"

#include <algorithm>
#include <memory>

#include "os/quota/core_quota.h"
#include "runtime/runtime.h"

namespace tightwire::runtime {
namespace {

// To wake a helper for less takes longer than it saves.
constexpr std::size_t least_bytes = std::size_t{128} << 10;
// For each thread one piece to work on and one that waits to be delivered.
constexpr std::size_t places_per_thread = 2;

Crew::Limits limits() {
  const Runtime& runtime = current();
  const settings::Count wanted = runtime.settings.threads;
  if (wanted.given()) return {wanted.value, true};
  return {runtime.own_cores, false};
}

// This rank's part of the cores that the job's control group has time for.
std::size_t own_cores(const Runtime& runtime) {
  constexpr double many = 65536;
  const std::size_t ranks = runtime.nodes.ranks_of(runtime.nodes.node_of(runtime.rank));
  const double share = os::core_quota() / static_cast<double>(ranks);
  return static_cast<std::size_t>(std::clamp(share, 1.0, many));
}

}  // namespace

void open_crew() {
  Runtime& runtime = current();
  runtime.own_cores = own_cores(runtime);
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

void work_together(const Crew::Items& items, std::size_t bytes) {
  Runtime& runtime = current();
  Crew::Limits wanted = limits();
  if (!wanted.any_core) wanted.threads = std::min(wanted.threads, bytes / least_bytes);
  if (runtime.crew == nullptr) return work_alone(items);
  const std::size_t helped = runtime.crew->run(items, wanted);
  if (helped > 0) runtime.helped.fetch_add(helped, std::memory_order_relaxed);
}

}  // namespace tightwire::runtime
