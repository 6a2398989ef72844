// Waiting for what only a look can tell: by looking again and again, as MPI libraries do, while the
// core is the thread's own, and with naps where others want it.
//
// Whether they do is measured: what the clock says of a wait that only looks, and the thread's
// processor time does not, others had. Numbers of ranks and cores would not tell, since containers
// and batch systems hide cores; and sched_yield() gives way to threads of one's own session and
// control group alone.
#pragma once

#include <chrono>

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

  // How long to sleep in a wait that has taken so long: a part of it, so that it takes little
  // longer.
  [[nodiscard]] static double nap(double waited) {
    const double part = waited / 8;
    return part < shortest_nap ? shortest_nap : (part > longest_nap ? longest_nap : part);
  }

 private:
  static constexpr double enough = 200e-6;
  static constexpr double own_share = 0.75;
  static constexpr double remembered = 0.2;
  static constexpr double shortest_nap = 20e-6;
  static constexpr double longest_nap = 1e-3;

  double until_ = 0;
  bool was_wanted_ = false;
};

// One wait of one thread.
class SpinThenSleep {
 public:
  // Naps end late, by the kernel's choice 50 us or more. A message of the program is soon there
  // once its sender has the core, so a wait for one begins with yields: beside threads of one's own
  // session and control group they are enough, and beside others no worse than MPI's own waits.
  // What all ranks encode takes longer, and threads that help with it look for cores that sleep.
  enum class Naps : bool { at_once, after_yields };
  explicit SpinThenSleep(Naps naps = Naps::at_once) : naps_(naps) {}

  // Between two looks.
  void pause();

 private:
  [[nodiscard]] bool begins_with_yields() const;
  [[nodiscard]] bool yields_first(double now) const;
  void measure(double now);
  void give_way(double now);

  Naps naps_;
  unsigned looks_ = 0;
  double first_ = 0;  // look after those at once
  double begin_ = 0;  // of the wait, or since the last look that may have moved something
  double since_ = 0;  // it has only looked since then
  double own_ = 0;    // processor time, then
  double next_ = 0;   // measurement; 0: the first one
  // Processor time where others want the core; 0: not known.
  double own_before_look_ = 0;
  double cheapest_look_ = 1;
};

}  // namespace tightwire::os
