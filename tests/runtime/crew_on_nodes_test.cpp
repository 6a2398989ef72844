// Which cores helpers get on a machine of two NUMA nodes, whatever the tests run on: a program of
// its own, in which the system's calls about cores are these.
#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "../false_root.h"
#include "os/cores/affinity.h"
#include "runtime/crew/crew.h"

namespace tightwire::runtime {
namespace {

constexpr std::size_t cores = 8;
constexpr int core_of_caller = 5;

std::mutex mutex;
std::vector<cpu_set_t> wanted;  // by helpers, guarded by mutex

void note(const cpu_set_t& mask) {
  const std::scoped_lock lock(mutex);
  wanted.push_back(mask);
}

cpu_set_t first_cores(std::size_t end, std::size_t begin = 0) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (std::size_t core = begin; core < end; ++core) CPU_SET(core, &mask);
  return mask;
}

}  // namespace
}  // namespace tightwire::runtime

extern "C" {

int sched_getaffinity(pid_t /*thread*/, std::size_t /*size*/, cpu_set_t* mask) noexcept {
  *mask = tightwire::runtime::first_cores(tightwire::runtime::cores);
  return 0;
}

int sched_setaffinity(pid_t /*thread*/, std::size_t /*size*/, const cpu_set_t* mask) noexcept {
  tightwire::runtime::note(*mask);
  return 0;
}

int sched_getcpu() noexcept {
  return tightwire::runtime::core_of_caller;
}

}  // extern "C"

namespace tightwire::runtime {
namespace {

class CrewOnNodes : public FalseRoot {
 protected:
  void SetUp() override {
    FalseRoot::SetUp();
    write("nodes/node0/cpulist", "0-3\n");
    write("nodes/node1/cpulist", "4-7\n");
    wanted.clear();
  }

  // Where a helper that takes an item is told to be.
  [[nodiscard]] cpu_set_t cores_of_helper(std::size_t threads) const {
    Crew crew((root_ / "nodes").string());
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> taken{0};
    Crew::Items items;
    items.count = 2;
    items.window = 64;
    items.work = [&](std::size_t) {
      taken.fetch_add(1);
      taken.notify_all();
      if (std::this_thread::get_id() == caller) taken.wait(1);
    };
    items.deliver = [](std::size_t) {};
    EXPECT_GE(crew.run(items, {threads, true}).by_helpers, 1U);
    const std::scoped_lock lock(mutex);
    EXPECT_FALSE(wanted.empty());
    return wanted.empty() ? cpu_set_t{} : wanted.front();
  }
};

TEST_F(CrewOnNodes, IsOnThatOfTheCaller) {
  const cpu_set_t found = cores_of_helper(2);
  const cpu_set_t node = first_cores(8, 4);
  EXPECT_TRUE(CPU_EQUAL(&found, &node));
}

TEST_F(CrewOnNodes, IsOnAllIfOneHasTooFewCores) {
  const cpu_set_t found = cores_of_helper(5);
  const cpu_set_t all = first_cores(8);
  EXPECT_TRUE(CPU_EQUAL(&found, &all));
}

}  // namespace
}  // namespace tightwire::runtime
