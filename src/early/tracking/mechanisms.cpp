#include "early/tracking/mechanisms.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <vector>

#include "early/memory/pinned_memory.h"
#include "early/tracking/async_guard.h"
#include "early/tracking/guarded_tracker.h"
#include "early/tracking/hash_tracker.h"
#include "early/tracking/sync_guard.h"

namespace tightwire::early {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool has_entries(const char* folder) {
  std::error_code error;
  const std::filesystem::directory_iterator entries(folder, error);
  return !error && entries != std::filesystem::directory_iterator();
}

GuardOffer guard_of(Mechanism mechanism) {
  return mechanism == Mechanism::wp_async ? make_async_guard() : make_sync_guard();
}

// Share of the pages of a buffer of which protection must be worth while, to be used at all.
constexpr double seldom = 0.05;

double fault_seconds(Tracker& tracker) {
  constexpr std::size_t pages = 64;
  const std::size_t size = pages * page_size();
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 0;
  madvise(memory, size, MADV_NOHUGEPAGE);
  auto* const bytes = static_cast<volatile std::byte*>(memory);
  for (std::size_t page = 0; page < pages; ++page) bytes[page * page_size()] = std::byte{1};
  const Bytes buffer{static_cast<const std::byte*>(memory), size};
  double seconds = 0;
  if (tracker.watch(buffer)) {
    static_cast<void>(tracker.mark(buffer));
    const auto start = Clock::now();
    for (std::size_t page = 0; page < pages; ++page) bytes[page * page_size()] = std::byte{2};
    seconds = seconds_since(start) / pages;
    tracker.forget(buffer);
  }
  munmap(memory, size);
  return seconds;
}

// The best of some: others may have the core for a while.
double hash_seconds_per_byte() {
  constexpr int repeats = 3;
  const std::vector<std::byte> memory(std::size_t{1} << 19, std::byte{1});
  double best = 1;
  for (int i = 0; i < repeats; ++i) {
    const auto start = Clock::now();
    // Uses the hash, so that it is not left out.
    if (hash_of(memory) == ContentHash{}) return 0;
    best = std::min(best, seconds_since(start));
  }
  return best / static_cast<double>(memory.size());
}

}  // namespace

std::string_view name_of(Mechanism mechanism) {
  switch (mechanism) {
    case Mechanism::wp_async:
      return "wp-async";
    case Mechanism::wp_sync:
      return "wp-sync";
    case Mechanism::hash:
      return "hash";
  }
  return "";
}

Offer offer(Mechanism mechanism) {
  if (mechanism == Mechanism::hash) return {make_hash_tracker(), {}};
  GuardOffer found = guard_of(mechanism);
  if (found.guard == nullptr) return {nullptr, found.reason};
  return {make_guarded_tracker(mechanism, std::move(found.guard)), {}};
}

std::string unseen_writers() {
  if (has_entries("/sys/class/infiniband")) return "RDMA devices write past the page tables";
  std::error_code error;
  for (const char* device : {"/sys/class/cxi", "/dev/kgni0", "/dev/knem", "/dev/xpmem",
                             "/dev/nvidiactl", "/dev/kfd", "/dev/dri/renderD128"}) {
    if (std::filesystem::exists(device, error))
      return std::string(device) + " lets memory be written past the page tables";
  }
  if (PinnedMemory().any()) return "memory is pinned for devices (VmPin)";
  return {};
}

Cost measure_cost(Tracker* guarded) {
  return {guarded == nullptr ? 0 : fault_seconds(*guarded), hash_seconds_per_byte()};
}

bool too_dear(const Cost& cost, double share_written) {
  return share_written * cost.fault_seconds >
         static_cast<double>(page_size()) * cost.hash_seconds_per_byte;
}

Trackers choose_trackers(std::optional<Mechanism> wanted) {
  const auto hash_alone = [](std::string because) {
    return Trackers{{make_hash_tracker(), nullptr}, std::move(because), measure_cost(nullptr)};
  };
  if (wanted) {
    Offer only = offer(*wanted);
    if (only.tracker == nullptr)
      return hash_alone(std::string(name_of(*wanted)) + " is not to be had: " + only.reason);
    const Cost cost = measure_cost(only.tracker.get());
    return {{std::move(only.tracker), nullptr}, "asked for", cost};
  }
  if (std::string writers = unseen_writers(); !writers.empty())
    return hash_alone(std::move(writers));
  std::string reasons;
  for (const Mechanism mechanism : {Mechanism::wp_async, Mechanism::wp_sync}) {
    Offer found = offer(mechanism);
    if (found.tracker != nullptr) {
      const Cost cost = measure_cost(found.tracker.get());
      if (!too_dear(cost, seldom))
        return {{std::move(found.tracker), make_hash_tracker()}, "the kernel offers it", cost};
      found.reason = "the first write to a page costs too much";
    }
    if (!reasons.empty()) reasons += "; ";
    reasons += std::string(name_of(mechanism)) + ": " + found.reason;
  }
  return hash_alone(std::move(reasons));
}

}  // namespace tightwire::early
