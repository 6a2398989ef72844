// What calls reckon with of helpers: what ranks have agreed on, what their settings say, and for
// messages between two ranks what the sender has, and the receiver told.
#include <algorithm>
#include <optional>

#include "policy/cost/helpers.h"
#include "policy/tuning/coding_speedup.h"
#include "runtime/crew/together.h"
#include "runtime/runtime.h"

namespace tightwire::runtime {
namespace {

// Of any rank, by settings that all ranks share: 1 where these leave the number of threads open.
double stated_speedup() {
  const settings::Settings& settings = current().settings;
  if (is_deterministic() || !settings.threads.given()) return 1;
  if (settings.coding_speedup.given()) return settings.coding_speedup.value;
  if (!settings.coding_speedups.given()) return 1;
  const std::size_t threads = std::min<std::size_t>(settings.threads.value, current().least_cores);
  return policy::known_coding_speedup(settings.coding_speedups, threads);
}

}  // namespace

double coding_speedup_of(double agreed, std::size_t bytes) {
  const bool alone = current().settings.threads.value == 1;
  return alone ? 1 : policy::coding_speedup_of_call(agreed, bytes);
}

double agreed_coding_speedup(std::size_t bytes) {
  return coding_speedup_of(current().agreed_speedup.load(std::memory_order_relaxed), bytes);
}

double sender_coding_speedup(std::size_t bytes) {
  current().speedup_asked_for.store(bytes, std::memory_order_relaxed);
  return coding_speedup_of(known_own_speedup(), bytes);
}

void measure_speedup_asked_for() {
  const std::size_t bytes = current().speedup_asked_for.load(std::memory_order_relaxed);
  if (bytes == 0) return;
  current().speedup_asked_for.store(0, std::memory_order_relaxed);
  static_cast<void>(own_coding_speedup(bytes));
}

double receiver_coding_speedup(std::optional<double> told, std::size_t bytes) {
  // Who has not measured yet tells 1.
  if (told && *told > 1) return coding_speedup_of(*told, bytes);
  return std::max(agreed_coding_speedup(bytes), coding_speedup_of(stated_speedup(), bytes));
}

}  // namespace tightwire::runtime
