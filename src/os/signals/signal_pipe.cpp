#include "os/signals/signal_pipe.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <vector>

namespace tightwire::os {
namespace {

std::atomic<int> writer{-1};
std::atomic<pid_t> owner{0};

struct Handled {
  int signal;
  struct sigaction before;
};

std::vector<Handled>& handled() {
  static auto* const handled = new std::vector<Handled>;
  return *handled;
}

// By signal: what is called behind our handler.
std::array<std::atomic<void (*)(int)>, 65> next_handlers{};

void tell(unsigned char byte) {
  const int errno_of_program = errno;
  // A full pipe holds more than anybody needs to know.
  [[maybe_unused]] const ssize_t written = ::write(writer.load(), &byte, 1);
  errno = errno_of_program;
}

// Only what is async-signal-safe.
extern "C" void tightwire_on_signal(int signal) {
  const bool is_child = ::getpid() != owner.load();
  if (!is_child) tell(static_cast<unsigned char>(signal));
  if (const auto next = next_handlers[static_cast<std::size_t>(signal)].load()) return next(signal);
  if (!is_child) return;
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

bool is_plain(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0;
}

bool is_default(const struct sigaction& action) {
  return is_plain(action) && action.sa_handler == SIG_DFL;
}

bool is_ours(const struct sigaction& action) {
  return is_plain(action) && action.sa_handler == &tightwire_on_signal;
}

void handle(int signal, const struct sigaction& before, int more_flags) {
  struct sigaction ours {};
  ours.sa_handler = &tightwire_on_signal;
  ours.sa_flags = SA_RESTART | SA_ONSTACK | more_flags;
  sigemptyset(&ours.sa_mask);
  if (::sigaction(signal, &ours, nullptr) == 0) handled().push_back({signal, before});
}

struct sigaction action_of(int signal) {
  struct sigaction now {};
  ::sigaction(signal, nullptr, &now);
  return now;
}

}  // namespace

bool has_default_action(int signal) {
  return is_default(action_of(signal));
}

SignalPipe::SignalPipe(std::span<const int> ends, std::span<const int> asks) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;
  reader_ = pipe[0];
  writer = pipe[1];
  owner = ::getpid();
  for (const int signal : ends) {
    const struct sigaction before = action_of(signal);
    if (is_default(before)) handle(signal, before, static_cast<int>(SA_RESETHAND));
  }
  for (const int signal : asks) {
    const struct sigaction before = action_of(signal);
    if (!is_plain(before)) continue;
    const bool calls = before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN;
    next_handlers[static_cast<std::size_t>(signal)] = calls ? before.sa_handler : nullptr;
    handle(signal, before, 0);
  }
}

SignalPipe::~SignalPipe() {
  if (!works()) return;
  for (const Handled& one : handled()) {
    if (is_ours(action_of(one.signal))) ::sigaction(one.signal, &one.before, nullptr);
  }
  handled().clear();
  ::close(writer.exchange(-1));
  ::close(reader_);
}

std::optional<int> SignalPipe::wait(std::chrono::duration<double> limit) {
  constexpr double longest = 1e6;  // seconds
  const double seconds = std::min(limit.count(), longest);
  const int milliseconds = seconds > 0 ? static_cast<int>(1e3 * seconds) + 1 : -1;
  struct pollfd poll {
    reader_, POLLIN, 0
  };
  unsigned char byte = 0;
  if (::poll(&poll, 1, milliseconds) <= 0 || ::read(reader_, &byte, 1) != 1) return std::nullopt;
  return byte == 0 ? std::nullopt : std::optional<int>(byte);
}

void SignalPipe::interrupt() {
  tell(0);
}

void take_default_action(int signal) {
  ::kill(::getpid(), signal);
}

}  // namespace tightwire::os
