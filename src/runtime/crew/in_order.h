// Who takes which item of a call that several threads work on, and how far they are.
//
// Items are taken in order; one is taken only when the item that had its place before has been
// delivered. Where items become known one after the other, the calling thread, which alone finds
// and delivers them, leaves the work on them to helpers if there are enough: what it would leave
// waiting meanwhile, others wait for too.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/crew/crew.h"

namespace tightwire::runtime {

class InOrder {
 public:
  // So many helpers may come.
  InOrder(const Crew::Items& items, std::size_t helpers);

  // For the calling thread: until all is delivered.
  void work_and_deliver();
  // For it as well, before that: no helper comes.
  void is_alone() { helpers_.store(0, std::memory_order_relaxed); }
  // For it as well: nothing is taken any more.
  void stop();

  // What follows is for helpers. Each has one of these as long as it may take items.
  class Helping {
   public:
    explicit Helping(InOrder& in_order) : helpers_(in_order.helpers_) {}
    ~Helping() { helpers_.fetch_sub(1, std::memory_order_relaxed); }
    Helping(const Helping&) = delete;
    Helping& operator=(const Helping&) = delete;

   private:
    std::atomic<std::size_t>& helpers_;
  };
  // Works on the next item; false if there is none that may be taken.
  bool work_on_one();
  // Until there may be a next item; false if there will be none.
  bool wait_for_next();

 private:
  std::optional<std::size_t> take();
  void deliver_done(bool wait);
  void deliver_as_they_come();
  bool find_more();
  [[nodiscard]] bool is_left_to_helpers();
  void open();

  const Crew::Items& items_;
  std::atomic<std::size_t> next_{0};
  // How many may be taken in all: they are known, and have a place.
  std::atomic<std::size_t> open_{0};
  std::atomic<std::size_t> helpers_;
  std::atomic<std::size_t> at_work_{0};         // threads
  std::vector<std::atomic<std::size_t>> done_;  // by place: the last item done there, plus 1
  // Of the calling thread.
  std::size_t known_;
  std::size_t delivered_ = 0;
  // When it looked last, and since when a helper could have taken the next item.
  struct Seen {
    std::size_t taken = 0;
    std::size_t open = 0;
  };
  Seen seen_;
  std::chrono::steady_clock::time_point idle_since_;
};

}  // namespace tightwire::runtime
