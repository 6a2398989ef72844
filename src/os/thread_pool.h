// A few threads that help the calling one, on the cores that its affinity mask leaves spare.
//
// Helpers start when first needed, sleep between tasks, block all signals, and take over the mask
// of whoever calls. Nothing here throws: where the system gives no thread or memory there are fewer
// helpers, at worst none. Thread safety: any number of threads may use one pool; while one has the
// helpers, the others do their work alone. After a fork the child starts helpers of its own.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>

namespace tightwire::os {

class ThreadPool {
 public:
  // At most `limit` threads work at once, the caller's included. 1: the caller alone; 0: as many as
  // there are cores in the caller's mask, which is the upper limit in any case. Processes that
  // share their cores must say so by a limit: a mask does not show it.
  explicit ThreadPool(unsigned limit = 0) noexcept;
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // How many threads a task of the calling thread can have at most.
  [[nodiscard]] unsigned available() const noexcept;

  struct Task {
    // Called once by the caller (`worker` 0) and at most once by each helper (1 to `threads` - 1,
    // each always the same thread), all at the same time; must not throw, and returns when no work
    // is left to take up. `workspace` is the thread's own, with arbitrary contents.
    void (*work)(void* context, std::span<std::byte> workspace, std::size_t worker) = nullptr;
    void* context = nullptr;
    std::size_t workspace_size = 0;  // bytes for each thread
    std::size_t threads = 1;         // most that are of use
  };

  // True when work() was called and has returned on all threads. False, with nothing done, if there
  // would be no helper or no memory, or another thread has the helpers.
  [[nodiscard]] bool run(const Task& task) noexcept;

 private:
  class Workers;

  [[nodiscard]] bool prepare(const Task& task, std::size_t& helpers) noexcept;

  const unsigned limit_;
  std::mutex in_use_;  // held during run(); guards what follows
  std::unique_ptr<Workers> workers_;
  std::unique_ptr<std::byte[]> workspace_;  // of all threads, one after the other
  std::size_t workspace_size_ = 0;
};

}  // namespace tightwire::os
