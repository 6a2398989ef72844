// A process beside the test's, and what both have in memory.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <new>
#include <thread>

namespace tightwire::os {

// Zeros at first. Lives as long as the test program.
template <class T>
T& shared_with_children() {
  void* const page =
      ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::bad_alloc();
  return *new (page) T();
}

template <class Condition>
void wait_until(Condition condition) {
  for (int i = 0; i < 20000 && !condition(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(condition()) << "within 20 s";
}

class OtherProcess {
 public:
  template <class Work>
  explicit OtherProcess(Work work) : process_(::fork()) {
    if (process_ != 0) return;
    work();
    ::_exit(0);
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;
  ~OtherProcess() { kill(); }

  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    wait();
  }
  void wait() {
    if (process_ > 0) ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  pid_t process_;
};

}  // namespace tightwire::os
