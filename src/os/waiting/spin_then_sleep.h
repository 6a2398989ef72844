// Waiting for what only a look can tell: by looking again and again, as MPI libraries do, while the
// core is the thread's own, and with naps where others want it.
//
// Whether they do is measured: what the clock says of a wait that only looks, and the thread's
// processor time does not, others had. Numbers of ranks and cores would not tell, since containers
// and batch systems hide cores.
#pragma once

#include <algorithm>

namespace tightwire::os {

// What the looks of a thread have found out about its core. Not thread safe.
class SharedCore {
 public:
  // A wait that has only looked: what it took of the clock, and of processor time, up to `now`, all
  // in seconds.
  void note(double now, double clock, double own) {
    if (clock >= enough && own < own_share * clock) until_ = now + remembered;
  }
  [[nodiscard]] bool is_wanted(double now) {
    was_wanted_ = now < until_;
    return was_wanted_;
  }
  // When that was asked last.
  [[nodiscard]] bool was_wanted() const { return was_wanted_; }

  // What such a wait took since it was last asked.
  void add(double clock, double own) {
    if (others_ > long_enough) {
      for (double* sum : {&own_, &in_yields_, &others_, &given_}) *sum /= 2;
    }
    own_ += own;
    others_ += clock - own;
  }
  // A sched_yield() of it took so long.
  void yielded(double clock) {
    shortest_yield_ = std::min(shortest_yield_, clock);
    in_yields_ += shortest_yield_;
    given_ += clock - shortest_yield_;
  }
  // sched_yield() gives way to threads of one's own session and control group alone. What the
  // scheduler takes by itself it takes at any moment, no more often in yields than they
  // take of the thread's time. MPI's looks may give way, too, so not all need be given in ours.
  [[nodiscard]] bool yields_suffice() const {
    const double by_chance = own_ > 0 ? in_yields_ / own_ : 0;
    return given_ >= std::min(most_by_chance, 3 * by_chance) * others_;
  }

  // How long to sleep in a wait that has taken so long: a part of it, so that it takes little
  // longer.
  [[nodiscard]] static double nap(double waited) {
    return std::clamp(waited / 8, shortest_nap, longest_nap);
  }

 private:
  static constexpr double enough = 200e-6;
  static constexpr double own_share = 0.75;
  static constexpr double remembered = 0.2;
  static constexpr double long_enough = 30e-3;  // of others: some of the scheduler's turns
  static constexpr double most_by_chance = 0.5;
  static constexpr double shortest_nap = 20e-6;
  static constexpr double longest_nap = 1e-3;

  double until_ = 0;
  bool was_wanted_ = false;
  double own_ = 0;        // in waits that only looked, of late
  double in_yields_ = 0;  // of that
  double others_ = 0;
  double given_ = 0;  // of that, in yields
  double shortest_yield_ = 1;
};

// One wait of one thread.
class SpinThenSleep {
 public:
  // Naps end late, by the kernel's choice 50 us or more. In a wait for a message of the program,
  // which is soon there once its sender has the core, yields come first where they hand the core
  // on; in one for what all ranks encode they would be in the way of the threads that help with
  // that.
  enum class Naps : bool { at_once, after_yields };
  explicit SpinThenSleep(Naps naps = Naps::at_once) : naps_(naps) {}

  // Between two looks.
  void pause();

 private:
  void measure(double now);
  [[nodiscard]] bool begins_with_yields() const;
  [[nodiscard]] bool yields_suffice(double now) const;
  void yield(double now);
  void give_way(double now);

  Naps naps_;
  unsigned looks_ = 0;
  double begin_ = 0;     // of the wait, or since the last look that may have moved something
  double since_ = 0;     // it has only looked since then
  double own_ = 0;       // processor time, then
  double last_ = 0;      // measurement
  double last_own_ = 0;  // processor time, then
  double next_ = 0;      // measurement; 0: the first one
  // Processor time where others want the core; 0: not known.
  double own_before_look_ = 0;
  double cheapest_look_ = 1;
};

}  // namespace tightwire::os
