// What was done: per operation, tier and codec, counted by every rank for itself.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "policy/call.h"
#include "runtime/report/phase.h"

namespace tightwire::runtime {

struct Row {
  policy::Operation operation = policy::Operation::bcast;
  policy::Plan plan;

  std::uint64_t calls = 0;
  std::uint64_t message_bytes = 0;  // of the user's buffers
  std::uint64_t bytes_before = 0;   // of the values in the frames that this rank sent
  std::uint64_t bytes_after = 0;    // of those frames
  double seconds = 0;
  double largest_bound = 0;  // error bound of the results; 0 in exact rows
  Split split;               // of `seconds`
};

// Messages that were predicted from earlier ones.
struct Predicted {
  std::uint64_t messages = 0;
  std::uint64_t bytes_before = 0;  // of the values
  std::uint64_t bytes_after = 0;   // of their frames
  std::uint64_t bytes_alone = 0;   // what these would come to without prediction, by samples
  std::uint64_t kept_bytes = 0;    // of earlier messages, at most at any time
};

// Thread safe.
class Statistics {
 public:
  // A call that was passed through to MPI unmodified. Cheap: it stands on the path of small
  // messages. `nanoseconds` is 0 where nobody measures.
  void count_passed(policy::Operation operation, policy::Reason why, std::uint64_t message_bytes,
                    std::uint64_t nanoseconds) {
    Passed& passed = passed_[place(operation, why)];
    add(passed.calls, 1);
    add(passed.bytes, message_bytes);
    if (nanoseconds != 0) add(passed.nanoseconds, nanoseconds);
  }
  void count_passed(policy::Operation operation, policy::Reason why, std::uint64_t message_bytes,
                    std::chrono::nanoseconds time) {
    count_passed(operation, why, message_bytes, static_cast<std::uint64_t>(time.count()));
  }
  // No two threads ever count at once.
  void set_single_threaded() { single_threaded_ = true; }

  // Time that went into encoding and decoding messages between two ranks.
  void count_coding(std::chrono::nanoseconds time) { add_time(encoding_, time); }
  void count_expanding(std::chrono::nanoseconds time) { add_time(decoding_, time); }
  [[nodiscard]] double encoding_seconds() const { return 1e-9 * static_cast<double>(encoding_); }
  [[nodiscard]] double decoding_seconds() const { return 1e-9 * static_cast<double>(decoding_); }

  // `ratio_alone`: how many times it shrinks without prediction, mostly by a sample.
  void count_predicted(std::uint64_t bytes_before, std::uint64_t bytes_after, double ratio_alone);
  void count_kept(std::uint64_t bytes);
  [[nodiscard]] Predicted predicted() const;

  // Adds one call's figures to the row of the same operation and plan.
  void add(const Row& call);

  // In a fixed order; rows of no calls are left out.
  [[nodiscard]] std::vector<Row> rows() const;

 private:
  struct Passed {
    std::atomic<std::uint64_t> calls{0};
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<std::uint64_t> nanoseconds{0};
  };
  using Key = std::tuple<policy::Operation, policy::Tier, policy::Reason, codec::Id, bool,
                         settings::Algorithm>;

  static constexpr std::size_t place(policy::Operation operation, policy::Reason why) {
    return static_cast<std::size_t>(operation) * policy::reason_count +
           static_cast<std::size_t>(why);
  }
  void add(std::atomic<std::uint64_t>& sum, std::uint64_t more) const {
    if (single_threaded_) {
      sum.store(sum.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
    } else {
      sum.fetch_add(more, std::memory_order_relaxed);
    }
  }
  static void add_time(std::atomic<std::uint64_t>& sum, std::chrono::nanoseconds time) {
    sum.fetch_add(static_cast<std::uint64_t>(time.count()), std::memory_order_relaxed);
  }

  std::atomic<std::uint64_t> encoding_{0};  // nanoseconds
  std::atomic<std::uint64_t> decoding_{0};
  std::array<Passed, policy::operation_count * policy::reason_count> passed_;
  bool single_threaded_ = false;
  mutable std::mutex mutex_;
  Predicted predicted_;
  std::map<Key, Row> rows_;
};

}  // namespace tightwire::runtime
