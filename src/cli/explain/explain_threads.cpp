#include "cli/explain/explain_threads.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>

#include "os/thread_pool.h"
#include "policy/tuning/coding_speedup.h"

namespace tightwire::cli {
namespace {

// Pieces that the threads of a pool take one after the other.
struct Taken {
  const std::function<void(std::size_t)>& work;
  std::size_t pieces;
  std::atomic<std::size_t> next{0};

  void take_all() {
    for (std::size_t piece = next++; piece < pieces; piece = next++) work(piece);
  }
};

double measured_with(os::ThreadPool& pool, std::size_t threads) {
  return policy::measure_coding_speedup(
      threads, [&](std::size_t pieces, const std::function<void(std::size_t)>& work) {
        Taken taken{work, pieces};
        os::ThreadPool::Task task;
        task.context = &taken;
        task.threads = threads;
        task.work = [](void* context, std::span<std::byte>, std::size_t) {
          static_cast<Taken*>(context)->take_all();
        };
        if (!pool.run(task)) taken.take_all();
      });
}

std::string said(std::size_t threads, double speedup) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "%zu threads encode and decode %.2g times as fast as one here, as measured just "
                "now; a job measures it where it runs.\n",
                threads, speedup);
  return text.data();
}

}  // namespace

ThreadsOfRank threads_of_rank(const settings::Settings& settings, std::size_t bytes) {
  if (settings.threads.value == 1) return {};
  if (!settings.threads.given()) {
    return {1, "Reckoned with one thread: how many cores are idle is seen where a job runs.\n"};
  }
  os::ThreadPool pool(settings.threads.value);
  const std::size_t threads = std::max(pool.available(), 1U);
  const double measured = threads < 2 ? 1 : measured_with(pool, threads);
  return {policy::coding_speedup_of_call(measured, bytes), said(threads, measured)};
}

}  // namespace tightwire::cli
