#include "os/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "os/exec_arguments.h"

namespace tightwire::os {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t largest_output = 1 << 20;

[[noreturn]] void be_child(int output, const std::function<int()>& body) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::_exit(body());
}

// Reads until the child closes its end; false if it did not within the limit.
bool collect(int input, Clock::time_point deadline, std::string& output) {
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd readable{input, POLLIN, 0};
    const int ready = ::poll(&readable, 1, static_cast<int>(left));
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t size = ::read(input, buffer.data(), buffer.size());
    if (size <= 0) return true;
    if (output.size() < largest_output)
      output.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace

ChildResult run_in_child(const std::function<int()>& body, std::chrono::milliseconds limit) {
  ChildResult result;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return result;
  const pid_t child = ::fork();
  if (child == 0) be_child(ends[1], body);
  ::close(ends[1]);
  if (child > 0) {
    result.started = true;
    result.timed_out = !collect(ends[0], Clock::now() + limit, result.output);
    if (result.timed_out) ::kill(child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  }
  ::close(ends[0]);
  return result;
}

ChildResult run_program(const std::vector<std::string>& arguments,
                        const std::vector<Variable>& changes, std::chrono::milliseconds limit) {
  const std::vector<char*> pointers = exec_arguments(arguments);
  return run_in_child(
      [&] {
        for (const auto& [name, value] : changes) {
          if (value) {
            ::setenv(name.c_str(), value->c_str(), 1);
          } else {
            ::unsetenv(name.c_str());
          }
        }
        ::execv(pointers[0], pointers.data());
        return 127;
      },
      limit);
}

}  // namespace tightwire::os
