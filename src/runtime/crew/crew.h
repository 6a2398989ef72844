// The threads that work on the pieces of one call: the calling one, and helpers on cores that
// nobody else needs.
//
// Helpers encode, decode, merge and look at values, and do nothing else: no MPI, no memory of their
// own. A call that has several pieces to work on at once forks here and joins before it goes on.
// Between calls the helpers sleep.
#pragma once

#include <sched.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "os/cores/idle_core.h"
#include "os/numa/nodes.h"
#include "os/thread_pool.h"

namespace tightwire::runtime {

// Thread safe: while one call has the helpers, others do without.
class Crew {
 public:
  // `nodes`: where the machine tells of its NUMA nodes.
  explicit Crew(std::string nodes = os::folder_of_nodes) : home_(std::move(nodes)) {}

  struct Limits {
    std::size_t threads = 1;  // at most, with the calling one
    bool any_core = false;    // helpers run on any core of the caller's mask; else on spare ones
  };

  // Items 0 to `count` - 1, each in one of `window` places: item k in place k % window.
  struct Items {
    std::size_t count = 0;
    std::size_t window = 1;
    // On any thread, several at a time; must not throw.
    std::function<void(std::size_t item)> work;
    // On the calling thread, in order, each when it has been done; its place is free after that.
    // What it throws leaves run(), once nobody is at work any more.
    std::function<void(std::size_t item)> deliver;
    // Where they become known one after the other: how many are by now. Asked on the calling
    // thread, before its items and while helpers are at theirs. Once all of these are delivered
    // and it tells of no more, run() returns.
    std::function<std::size_t()> known = nullptr;
  };
  struct Done {
    std::size_t by_helpers = 0;  // items
    bool in_vain = false;        // helpers were wanted: another call had them, or there were none
  };
  // Returns when all is delivered, or all that became known. With one place the caller does it all.
  Done run(const Items& items, const Limits& limits);

  // How many threads might come to a call made now, so that as many places are of use.
  [[nodiscard]] std::size_t threads(const Limits& limits) const;
  // Whether it is known that some will.
  [[nodiscard]] bool has_helpers(const Limits& limits) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Run;

  // One helper, and what it alone knows of its core.
  struct Helper {
    // Once it has found none, it looks for one again only so much later.
    std::atomic<Clock::rep> rests_until{0};
    std::atomic<bool> has_core{false};
    std::optional<os::IdleCore> core;
    cpu_set_t mask{};  // of the last caller
    bool any_core = false;

    // Whether it stands on a core that it may use.
    [[nodiscard]] bool on_core(const cpu_set_t& mask_of_caller, bool forced);
    void rest();
  };
  static constexpr std::size_t most_helpers = 63;

  // What helpers may use of the mask of those who call: where that spans several nodes, the cores
  // of the one on which the first of them was, so that what they write first lies there as well.
  class Home {
   public:
    explicit Home(std::string folder) : folder_(std::move(folder)) {}
    [[nodiscard]] cpu_set_t near(const cpu_set_t& mask, const Limits& limits);

   private:
    const std::string folder_;
    std::mutex mutex_;  // guards what follows
    std::optional<std::vector<cpu_set_t>> nodes_;
    int core_ = -1;
  };

  static void work_as_caller(Run& run);
  static void work_as_helper(Run& run, Helper& helper);

  Home home_;
  std::array<Helper, most_helpers> helpers_;
  os::ThreadPool pool_;
};

// By the calling thread.
void work_alone(const Crew::Items& items);

}  // namespace tightwire::runtime
