#include "os/thread_pool.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "os/cores/affinity.h"
#include "os/signals.h"

namespace tightwire::os {
namespace {

void adopt(const cpu_set_t& mask, cpu_set_t& own) {
  if (CPU_EQUAL(&mask, &own)) return;
  if (sched_setaffinity(0, sizeof mask, &mask) == 0) own = mask;
}

}  // namespace

// The helpers, and the one task that they are at. The first ones are always those that are woken,
// so that what a helper knows of its core stays true.
class ThreadPool::Workers {
 public:
  Workers() : process_(getpid()) {}
  ~Workers() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    for (const auto& helper : helpers_) helper->wake.notify_one();
    for (const auto& helper : helpers_) helper->thread.join();
  }

  // False in the child of a fork, where nothing of this is alive.
  [[nodiscard]] bool ours() const { return process_ == getpid(); }

  // Starts helpers until there are `wanted`, or as many as the system gives.
  std::size_t grow(std::size_t wanted) {
    try {
      const AllSignalsBlocked blocked;
      helpers_.reserve(wanted);
      while (helpers_.size() < wanted) {
        auto helper = std::make_unique<Helper>();
        helper->worker = helpers_.size() + 1;
        helper->thread = std::thread([this, self = helper.get()] { serve(*self); });
        helpers_.push_back(std::move(helper));
      }
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
    return std::min(helpers_.size(), wanted);
  }

  void run(const Task& task, std::byte* workspace, std::size_t helpers) {
    {
      const std::lock_guard lock(mutex_);
      task_ = &task;
      workspace_ = workspace;
      mask_ = affinity_mask();
      for (std::size_t i = 0; i < helpers; ++i) helpers_[i]->wanted = true;
    }
    for (std::size_t i = 0; i < helpers; ++i) helpers_[i]->wake.notify_one();
    task.work(task.context, {workspace, task.workspace_size}, 0);
    // Who has not woken up by now is not waited for.
    std::unique_lock lock(mutex_);
    for (std::size_t i = 0; i < helpers; ++i) helpers_[i]->wanted = false;
    idle_.wait(lock, [this] { return working_ == 0; });
  }

 private:
  struct Helper {
    std::thread thread;
    std::size_t worker = 0;
    std::condition_variable wake;
    bool wanted = false;  // guarded by mutex_
  };

  void serve(Helper& self) {
    cpu_set_t own_mask = affinity_mask();
    std::unique_lock lock(mutex_);
    for (;;) {
      self.wake.wait(lock, [&] { return stop_ || self.wanted; });
      if (stop_) return;
      self.wanted = false;
      const Task& task = *task_;
      std::byte* const workspace = workspace_ + self.worker * task.workspace_size;
      const cpu_set_t mask = mask_;
      ++working_;
      lock.unlock();
      adopt(mask, own_mask);
      task.work(task.context, {workspace, task.workspace_size}, self.worker);
      lock.lock();
      if (--working_ == 0) idle_.notify_one();
    }
  }

  const pid_t process_;
  std::vector<std::unique_ptr<Helper>> helpers_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable idle_;
  const Task* task_ = nullptr;
  std::byte* workspace_ = nullptr;  // the caller's, then one of each helper
  cpu_set_t mask_{};                // of the caller
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
