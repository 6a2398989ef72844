#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <thread>

#include "os/signals.h"
#include "os/signals/signal_pipe.h"
#include "runtime/report/part.h"
#include "runtime/runtime.h"

namespace tightwire::runtime {
namespace {

// What batch systems and users end a job by; its time limit is the first one in most.
constexpr std::array ends{SIGTERM, SIGINT, SIGHUP, SIGXCPU};
constexpr std::array end_names{"SIGTERM", "SIGINT", "SIGHUP", "SIGXCPU"};
constexpr int ask = SIGUSR1;

// Some launchers kill all other ranks as soon as one is gone: they have got the signal, too, and
// write their parts.
constexpr std::chrono::milliseconds grace{500};

// By the program: MPICH has a handler of its own.
bool may_ask = false;

struct Watch {
  std::unique_ptr<os::SignalPipe> signals;
  std::thread thread;
  std::atomic<bool> over{true};
  pid_t process = 0;
  std::mutex ending;
};

Watch& watch() {
  // Never destroyed: the program may exit at any time.
  static auto* const watch = new Watch;
  return *watch;
}

void watch_signals() {
  Watch& watch = runtime::watch();
  while (!watch.over) {
    const std::chrono::duration<double> limit(current().settings.report_every.seconds);
    const std::optional<int> signal = watch.signals->wait(limit);
    if (watch.over) return;
    if (!signal || *signal == ask) {
      write_part_of_report("so far");
      continue;
    }
    note_end(end_names[static_cast<std::size_t>(std::ranges::find(ends, *signal) - ends.begin())]);
    std::this_thread::sleep_for(grace);
    os::take_default_action(*signal);
  }
}

// A child that the program forks may exit, too.
void exit_before_finalize() {
  if (::getpid() == watch().process) note_end("exit");
}

}  // namespace

void before_mpi() {
  may_ask = os::has_default_action(ask);
}

void start_watching() {
  const settings::Settings& settings = current().settings;
  Watch& watch = runtime::watch();
  if (settings.report.value.empty() && !timeline::active()) return;
  watch.over = false;
  watch.process = ::getpid();
  const std::span<const int> asks(&ask, may_ask ? 1 : 0);
  watch.signals = std::make_unique<os::SignalPipe>(ends, asks);
  static const int registered = std::atexit(&exit_before_finalize);
  static_cast<void>(registered);
  if (!watch.signals->works()) return;
  const os::AllSignalsBlocked blocked;
  try {
    watch.thread = std::thread(&watch_signals);
  } catch (const std::exception&) {  // no thread, or no memory for one
    watch.signals.reset();
  }
}

void stop_watching() {
  Watch& watch = runtime::watch();
  if (watch.over.exchange(true)) return;
  if (watch.thread.joinable()) {
    watch.signals->interrupt();
    watch.thread.join();
  }
  watch.signals.reset();
}

void note_end(const std::string& why) {
  Watch& watch = runtime::watch();
  const std::scoped_lock lock(watch.ending);
  if (watch.over) return;
  write_part_of_report(why);
  write_timeline(why);
}

}  // namespace tightwire::runtime
