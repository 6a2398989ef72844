#include "os/thread_pool.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "os/affinity.h"
#include "os/signals.h"

namespace tightwire::os {
namespace {

void adopt(const cpu_set_t& mask, cpu_set_t& own) {
  if (CPU_EQUAL(&mask, &own)) return;
  if (sched_setaffinity(0, sizeof mask, &mask) == 0) own = mask;
}

}  // namespace

// The helpers, and the one task that they are at.
class ThreadPool::Workers {
 public:
  Workers() : process_(getpid()) {}
  ~Workers() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // False in the child of a fork, where nothing of this is alive.
  [[nodiscard]] bool ours() const { return process_ == getpid(); }

  // Starts helpers until there are `wanted`, or as many as the system gives.
  std::size_t grow(std::size_t wanted) {
    try {
      const AllSignalsBlocked blocked;
      while (threads_.size() < wanted) threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
    return std::min(threads_.size(), wanted);
  }

  void run(const Task& task, std::byte* workspace, std::size_t helpers) {
    {
      const std::lock_guard lock(mutex_);
      task_ = &task;
      workspace_ = workspace;
      mask_ = affinity_mask();
      places_ = helpers;
      ++tasks_;
    }
    for (std::size_t i = 0; i < helpers; ++i) wake_.notify_one();
    task.work(task.context, {workspace, task.workspace_size}, true);
    // Who has not woken up by now is not waited for.
    std::unique_lock lock(mutex_);
    places_ = 0;
    idle_.wait(lock, [this] { return working_ == 0; });
  }

 private:
  void serve() {
    cpu_set_t own_mask = affinity_mask();
    std::uint64_t last_task = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return stop_ || (places_ > 0 && last_task != tasks_); });
      if (stop_) return;
      last_task = tasks_;
      const Task& task = *task_;
      std::byte* const workspace = workspace_ + places_ * task.workspace_size;
      const cpu_set_t mask = mask_;
      --places_;
      ++working_;
      lock.unlock();
      adopt(mask, own_mask);
      task.work(task.context, {workspace, task.workspace_size}, false);
      lock.lock();
      if (--working_ == 0) idle_.notify_one();
    }
  }

  const pid_t process_;
  std::vector<std::thread> threads_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::condition_variable idle_;
  const Task* task_ = nullptr;
  std::byte* workspace_ = nullptr;  // the caller's, then one of each helper
  cpu_set_t mask_{};                // of the caller
  std::uint64_t tasks_ = 0;         // so far: no helper takes one up twice
  std::size_t places_ = 0;          // helpers still wanted
  std::size_t working_ = 0;         // helpers at it
  bool stop_ = false;
};

ThreadPool::ThreadPool(unsigned limit) noexcept : limit_(limit) {}

ThreadPool::~ThreadPool() {
  // In the child of a fork its threads cannot be joined, nor what they wait for be destroyed.
  if (workers_ != nullptr && !workers_->ours()) static_cast<void>(workers_.release());
}

unsigned ThreadPool::available() const noexcept {
  if (limit_ == 1) return 1;
  const unsigned cores = std::max(1U, cores_in(affinity_mask()));
  return limit_ == 0 ? cores : std::min(limit_, cores);
}

bool ThreadPool::prepare(const Task& task, std::size_t& helpers) noexcept {
  const std::size_t threads = std::min<std::size_t>(task.threads, available());
  if (threads < 2) return false;
  if (workers_ != nullptr && !workers_->ours()) static_cast<void>(workers_.release());
  if (workers_ == nullptr) {
    try {
      workers_ = std::make_unique<Workers>();
    } catch (const std::bad_alloc&) {
      return false;
    }
  }
  helpers = workers_->grow(threads - 1);
  if (helpers == 0) return false;
  const std::size_t needed = (helpers + 1) * task.workspace_size;
  if (needed > workspace_size_) {
    workspace_size_ = 0;
    workspace_.reset(new (std::nothrow) std::byte[needed]);
    if (workspace_ == nullptr) return false;
    workspace_size_ = needed;
  }
  return true;
}

bool ThreadPool::run(const Task& task) noexcept {
  const std::unique_lock in_use(in_use_, std::try_to_lock);
  if (!in_use.owns_lock()) return false;
  std::size_t helpers = 0;
  if (!prepare(task, helpers)) return false;
  workers_->run(task, workspace_.get(), helpers);
  return true;
}

}  // namespace tightwire::os
