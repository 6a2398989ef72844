// Lanes as a device has them: each runs the whole kernel by itself, up to the next barrier. They
// take turns, so that every run of one order is the same. A barrier can be left out, to see whether
// it is needed, and whether tests see that.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "device/kernels/vocabulary.h"

namespace tightwire::device {

class LanesInTurn {
 public:
  static constexpr unsigned none = ~0U;
  // That go on while the others wait.
  static constexpr unsigned few_lanes = 3;
  // More than the few ever take.
  static constexpr unsigned most_rounds = 1000;

  LanesInTurn(unsigned lanes, HostLanes::Order order, unsigned without = none, unsigned seed = 1)
      : order_(order), without_(without), random_(seed), waiting_(lanes) {
    std::iota(waiting_.begin(), waiting_.end(), 0U);
  }

  class Lane {
   public:
    Lane(LanesInTurn& all, unsigned number, unsigned lanes)
        : all_(all), number_(number), lanes_(lanes) {}

    // Of all items: those of other lanes are not looked at.
    template <class Each, unsigned most>
    using Kept = HostLanes::Kept<Each, most>;

    template <class Each, unsigned most, class Does>
    void each(Kept<Each, most>& kept, unsigned count, Does does) {
      each(count, [&](unsigned i) { does(i, kept.of(i)); });
    }
    template <class From, class To, class Does>
    void copy(unsigned count, From from, To to, unsigned others, Does does) {
      each(std::max(count, others), [&](unsigned i) {
        if (i < count) *to(i) = *from(i);
        if (i < others) does(i);
      });
    }
    template <class Does>
    void few(Does does) {
      const unsigned some = std::min(lanes_, few_lanes);
      const unsigned all_done = ++times_few_ * some;
      if (number_ < some) {
        Lane lane(all_, number_, some);
        lane.barriers_ = barriers_;
        lane.times_summed_ = times_summed_;
        lane.times_least_ = times_least_;
        does(lane);
        times_summed_ = lane.times_summed_;
        times_least_ = lane.times_least_;
        all_.barriers_of_few_ = lane.barriers_;
        if (++all_.few_done_ == all_done) all_.few_done_in_ = all_.round_;
      }
      // All go on in the same round; without a barrier some of the few may never come.
      for (unsigned rounds = 0; rounds < most_rounds; ++rounds) {
        if (all_.few_done_ >= all_done && all_.round_ != all_.few_done_in_) break;
        all_.wait(number_);
      }
      barriers_ = all_.barriers_of_few_;
    }
    template <class Number>
    std::uint32_t sum(unsigned count, Number number) {
      std::uint32_t& sum = all_.sums_[times_summed_ % 3];
      each(count, [&](unsigned i) { sum += number(i); });
      // All have long looked at that one.
      all_.sums_[(times_summed_ + 2) % 3] = 0;
      ++times_summed_;
      return sum;
    }
    template <class Number>
    std::uint32_t least(unsigned count, Number number) {
      std::uint32_t& least = all_.least_[times_least_ % 3];
      each(count, [&](unsigned i) { least = std::min(least, std::uint32_t{number(i)}); });
      all_.least_[(times_least_ + 2) % 3] = ~std::uint32_t{0};
      ++times_least_;
      return least;
    }
    template <class Word>
    void sum_before(Word* words, unsigned count) {
      each(1, [&](unsigned) { HostLanes::sum_before(words, count); });
    }

    template <class Does>
    void each(unsigned count, Does does) {
      for (unsigned i = number_; i < count; i += lanes_) does(i);
      if (barriers_++ != all_.without_) all_.wait(number_);
    }
    static void set_bits(std::uint32_t& word, std::uint32_t bits) { word |= bits; }
    static void add(std::uint32_t& word, std::uint32_t more) { word += more; }
    static void lower(std::uint64_t& word, std::uint64_t to) { word = std::min(word, to); }
    static void raise(std::uint64_t& word, std::uint64_t to) { word = std::max(word, to); }
    [[nodiscard]] unsigned barriers() const { return barriers_; }

   private:
    LanesInTurn& all_;
    unsigned number_;
    unsigned lanes_;
    unsigned barriers_ = 0;
    unsigned times_few_ = 0;
    unsigned times_summed_ = 0;
    unsigned times_least_ = 0;
  };

  // kernel(lane) on every lane. Returns how many barriers the first one came to.
  template <class Kernel>
  unsigned run(Kernel kernel) {
    const auto lanes = static_cast<unsigned>(waiting_.size());
    unsigned barriers = 0;
    body_ = [&](unsigned number) {
      Lane lane(*this, number, lanes);
      kernel(lane);
      if (number == 0) barriers = lane.barriers();
    };
    for (unsigned i = 0; i < lanes; ++i) threads_.push_back(std::make_unique<Thread>(*this));
    while (!waiting_.empty()) run_round();
    return barriers;
  }

 private:
  // One that goes on only when told to.
  struct Thread {
    explicit Thread(LanesInTurn& all) : stack(std::size_t{1} << 17) {
      getcontext(&context);
      context.uc_stack.ss_sp = stack.data();
      context.uc_stack.ss_size = stack.size();
      context.uc_link = &all.main_;
      const auto address = reinterpret_cast<std::uintptr_t>(&all);
      makecontext(&context, reinterpret_cast<void (*)()>(&LanesInTurn::start), 2,
                  static_cast<unsigned>(address), static_cast<unsigned>(address >> 32));
    }
    ucontext_t context;
    std::vector<char> stack;
  };

  static void start(unsigned low, unsigned high) {
    auto* const all = reinterpret_cast<LanesInTurn*>(std::uintptr_t{high} << 32 | low);
    all->body_(all->turn_);
  }

  void wait(unsigned lane) {
    waiting_.push_back(lane);
    swapcontext(&threads_[lane]->context, &main_);
  }

  // Each goes on to its next barrier, or its end.
  void run_round() {
    ++round_;
    std::vector<unsigned> turns;
    turns.swap(waiting_);
    std::sort(turns.begin(), turns.end());
    if (order_ == HostLanes::Order::backward) std::reverse(turns.begin(), turns.end());
    if (order_ == HostLanes::Order::shuffled) std::shuffle(turns.begin(), turns.end(), random_);
    for (const unsigned turn : turns) {
      turn_ = turn;
      swapcontext(&main_, &threads_[turn]->context);
    }
  }

  HostLanes::Order order_;
  unsigned without_;
  std::minstd_rand random_;
  std::vector<unsigned> waiting_;  // for the next round
  unsigned turn_ = 0;
  unsigned round_ = 0;
  std::uint32_t sums_[3] = {};
  std::uint32_t least_[3] = {~0U, ~0U, ~0U};
  unsigned few_done_ = 0;
  unsigned few_done_in_ = 0;  // round
  unsigned barriers_of_few_ = 0;
  std::function<void(unsigned)> body_;
  std::vector<std::unique_ptr<Thread>> threads_;
  ucontext_t main_{};
};

}  // namespace tightwire::device
