#include "collective/transfer/progress_thread.h"

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "collective/transfer/background.h"
#include "os/cores/affinity.h"
#include "os/cores/idle_core.h"
#include "os/signals.h"
#include "os/waiting/spin_then_sleep.h"
#include "timeline/events.h"

namespace tightwire::collective {
namespace {

class ProgressThread {
 public:
  explicit ProgressThread(bool any_core) {
    const os::AllSignalsBlocked blocked;
    thread_ = std::thread([this, any_core, mask = os::affinity_mask()] { run(mask, any_core); });
  }
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;

  // Under the lock, so that it is not missed between the thread's look and its sleep.
  void wake() {
    { const std::scoped_lock lock(mutex_); }
    has_come_.notify_one();
  }

  ~ProgressThread() {
    {
      const std::scoped_lock lock(mutex_);
      ends_ = true;
    }
    has_come_.notify_one();
    thread_.join();
  }

 private:
  // Between looks for a core that has become idle.
  static constexpr std::chrono::milliseconds rest{10};

  void run(const cpu_set_t& mask, bool any_core) {
    timeline::name_thread("progress");
    os::IdleCore core(mask, any_core);
    std::unique_lock lock(mutex_);
    while (!ends_) {
      has_come_.wait(lock, [this] { return ends_.load() || background().any(); });
      lock.unlock();
      const bool alone = core.available() && move_on(core);
      lock.lock();
      if (!alone) has_come_.wait_for(lock, rest, [this] { return ends_.load(); });
    }
  }

  // Until nothing is left to do; false where others want the core.
  bool move_on(os::IdleCore& core) {
    for (os::SpinThenSleep spin; background().any() && !ends_; spin.pause()) {
      background().advance();
      if (!core.still_alone()) return false;
    }
    return true;
  }

  std::mutex mutex_;
  std::condition_variable has_come_;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

// Those that start calls look at it while none is being made or ended.
std::atomic<ProgressThread*> the_thread{nullptr};

}  // namespace

const char* hindrance_to_progress_thread() {
#ifdef OPEN_MPI
  return os::cores_in(os::affinity_mask()) > 1 ? nullptr : "the rank may use one core only";
#else
  return "this MPI library lets no second thread in while it calls Tightwire";
#endif
}

const char* start_progress_thread(settings::ProgressThread wanted) {
  if (const char* hindrance = hindrance_to_progress_thread()) return hindrance;
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  if (level != MPI_THREAD_MULTIPLE) return "the MPI library gives no MPI_THREAD_MULTIPLE";
  try {
    the_thread = std::make_unique<ProgressThread>(wanted == settings::ProgressThread::on).release();
    return nullptr;
  } catch (const std::system_error&) {
    return "the system gives no thread";
  }
}

void wake_progress_thread() {
  ProgressThread* const thread = the_thread.load(std::memory_order_relaxed);
  if (thread != nullptr) thread->wake();
}

void stop_progress_thread() {
  const std::unique_ptr<ProgressThread> thread(the_thread.exchange(nullptr));
}

}  // namespace tightwire::collective
