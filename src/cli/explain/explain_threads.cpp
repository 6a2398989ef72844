#include "cli/explain/explain_threads.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "os/thread_pool.h"
#include "policy/cost/helpers.h"
#include "policy/tuning/coding_speedup.h"

namespace tightwire::cli {
namespace {

std::string said(std::size_t threads, double speedup, const char* how) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "%zu threads encode and decode %.2g times as fast as one here, %s\n", threads,
                speedup, how);
  return text.data();
}

}  // namespace

ThreadsOfRank threads_of_rank(const settings::Settings& settings, std::size_t bytes) {
  if (settings.threads.value == 1) return {};
  if (!settings.threads.given()) {
    return {1, "Reckoned with one thread: how many cores are idle is seen where a job runs.\n"};
  }
  const settings::CodingSpeedups& known = settings.coding_speedups;
  if (known.given()) {
    const double speedup = policy::known_coding_speedup(known, settings.threads.value);
    return {policy::coding_speedup_of_call(speedup, bytes),
            said(settings.threads.value, speedup, "as coding-speedups says.")};
  }
  os::ThreadPool pool(settings.threads.value);
  const std::size_t threads = std::max(pool.available(), 1U);
  const double measured = policy::coding_speedup_of_pool(pool, threads);
  return {policy::coding_speedup_of_call(measured, bytes),
          said(threads, measured, "as measured just now; a job measures it where it runs.")};
}

}  // namespace tightwire::cli
