// Runs something in a child process and collects what it writes, so that whatever happens there
// (a crash, a library that refuses to load) does not happen here.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tightwire::os {

struct ChildResult {
  bool started = false;
  bool timed_out = false;  // it was killed
  int exit_code = -1;      // -1 if it ended by a signal
  int signal = 0;
  std::string output;  // stdout and stderr together, at most 1 MiB
  [[nodiscard]] bool ok() const { return started && !timed_out && exit_code == 0; }
};

// The body's return value is the exit code. The caller must have no other threads.
[[nodiscard]] ChildResult run_in_child(const std::function<int()>& body,
                                       std::chrono::milliseconds limit);

// A variable of the environment; without a value it is not set.
using Variable = std::pair<std::string, std::optional<std::string>>;

// As above for a program: arguments[0] is its path, `changes` are made to its environment.
[[nodiscard]] ChildResult run_program(const std::vector<std::string>& arguments,
                                      const std::vector<Variable>& changes,
                                      std::chrono::milliseconds limit);

}  // namespace tightwire::os
