// Signals as bytes of a pipe, which a thread waits for: the handler does nothing else, so it may
// come while any lock is held.
#pragma once

#include <chrono>
#include <optional>
#include <span>

namespace tightwire::os {

// Whether nobody has decided what is to happen.
[[nodiscard]] bool has_default_action(int signal);

// There is one in a process, as there is one handler of each signal. A child that the program forks
// has the actions from before.
class SignalPipe {
 public:
  // Of `ends`, which end the process, those are left alone that somebody has decided on; the second
  // signal ends the process at once, as the handler is gone after the first. `asks` may come again
  // and again; a handler that is there is called, too.
  SignalPipe(std::span<const int> ends, std::span<const int> asks);
  // Takes the handlers away that are still there.
  ~SignalPipe();
  SignalPipe(const SignalPipe&) = delete;
  SignalPipe& operator=(const SignalPipe&) = delete;

  // Whether there is a pipe, and any signal that would come through it.
  [[nodiscard]] bool works() const { return reader_ >= 0; }

  // A signal, or nothing when the time is over, or interrupt() was called. 0 seconds: no time
  // limit.
  [[nodiscard]] std::optional<int> wait(std::chrono::duration<double> limit);
  // Ends a wait(), on another thread.
  void interrupt();

 private:
  int reader_ = -1;
};

// Does what the signal would have done to the process without the handler.
void take_default_action(int signal);

}  // namespace tightwire::os
