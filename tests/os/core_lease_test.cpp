#include "os/cores/core_lease.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>

#include <array>
#include <atomic>
#include <memory>

#include "../false_root.h"
#include "other_process.h"

namespace tightwire::os {
namespace {

constexpr int core = 3;

class CoreLease : public FalseRoot {
 protected:
  [[nodiscard]] std::string path() const { return root_ / "leases"; }

  // Whether a process that comes now gets the core; it gives it up by its end.
  [[nodiscard]] bool is_free(int wanted = core) const {
    auto& got = shared_with_children<std::atomic<bool>>();
    OtherProcess([&] { got = CoreLeases(path()).take(wanted); }).wait();
    return got;
  }
  // A process that has the core until it is killed.
  [[nodiscard]] std::unique_ptr<OtherProcess> holder() const {
    auto& holds = shared_with_children<std::atomic<bool>>();
    auto other = std::make_unique<OtherProcess>([&] {
      CoreLeases leases(path());
      holds = leases.take(core);
      ::pause();
    });
    wait_until([&] { return holds.load(); });
    return other;
  }
};

TEST_F(CoreLease, IsGivenOnceInAProcess) {
  CoreLeases leases(path());
  EXPECT_TRUE(leases.take(core));
  EXPECT_FALSE(leases.take(core));
  EXPECT_TRUE(leases.take(core + 1));
  leases.give_back(core);
  EXPECT_TRUE(leases.take(core));
}

TEST_F(CoreLease, IsGivenToOneProcess) {
  CoreLeases leases(path());
  EXPECT_TRUE(leases.take(core));
  EXPECT_FALSE(is_free());
  EXPECT_TRUE(is_free(core - 1));
  EXPECT_TRUE(is_free(core + 1));
  leases.give_back(core);
  EXPECT_TRUE(is_free());
}

TEST_F(CoreLease, IsNeverHeldByTwo) {
  constexpr int cores = 3;
  struct Counts {
    std::array<std::atomic<int>, cores> holders{};
    std::atomic<int> taken{0};
    std::atomic<int> shared{0};
  };
  auto& counts = shared_with_children<Counts>();
  const auto take_and_give_back = [&] {
    CoreLeases leases(path());
    for (int i = 0; i < 3000; ++i) {
      const int place = i % cores;
      if (!leases.take(place)) continue;
      std::atomic<int>& holders = counts.holders[static_cast<std::size_t>(place)];
      ++counts.taken;
      if (holders++ > 0) ++counts.shared;
      ::sched_yield();
      --holders;
      leases.give_back(place);
    }
  };
  OtherProcess one(take_and_give_back);
  OtherProcess two(take_and_give_back);
  OtherProcess three(take_and_give_back);
  one.wait();
  two.wait();
  three.wait();
  EXPECT_GE(counts.taken, 3000);
  EXPECT_EQ(counts.shared, 0);
}

TEST_F(CoreLease, IsNoFileThatAProgramPrintsInto) {
  auto& is_elsewhere = shared_with_children<std::atomic<bool>>();
  OtherProcess([&] {
    ::close(STDOUT_FILENO);
    CoreLeases leases(path());
    is_elsewhere = leases.take(core) && ::fcntl(STDOUT_FILENO, F_GETFD) == -1 && !is_free();
  }).wait();
  EXPECT_TRUE(is_elsewhere);
}

TEST_F(CoreLease, EndsWithItsProcess) {
  const auto other = holder();
  CoreLeases leases(path());
  EXPECT_FALSE(leases.take(core));
  other->kill();
  EXPECT_TRUE(leases.take(core));
}

TEST_F(CoreLease, IsNotKeptByAFork) {
  auto& child = shared_with_children<std::atomic<pid_t>>();
  OtherProcess other([&] {
    CoreLeases leases(path());
    if (!leases.take(core)) return;
    if (const pid_t forked = ::fork(); forked != 0) child = forked;
    ::pause();
  });
  wait_until([&] { return child > 0; });
  ASSERT_GT(child, 0);
  EXPECT_FALSE(is_free());
  other.kill();
  EXPECT_EQ(::kill(child, 0), 0);
  EXPECT_TRUE(is_free());
  ::kill(child, SIGKILL);
}

TEST_F(CoreLease, IsNotGivenUpByAFork) {
  auto leases = std::make_unique<CoreLeases>(path());
  EXPECT_TRUE(leases->take(core));
  OtherProcess([&] {
    leases->give_back(core);
    leases.reset();
  }).wait();
  EXPECT_FALSE(is_free());
}

// What others could have put there locks nothing, nor is it touched; helpers of this process know
// of each other all the same.
class BadFile : public CoreLease {
 protected:
  void expect_unused() const {
    CoreLeases leases(path());
    EXPECT_TRUE(leases.take(core));
    EXPECT_FALSE(leases.take(core));
    EXPECT_TRUE(is_free());
    leases.give_back(core);
    EXPECT_TRUE(leases.take(core));
  }
};

TEST_F(BadFile, SymbolicLink) {
  const std::filesystem::path target = root_ / "target";
  std::filesystem::create_symlink(target, path());
  expect_unused();
  EXPECT_FALSE(std::filesystem::exists(target));
  write("target", "");
  ::chmod(target.c_str(), 0600);
  expect_unused();
}

TEST_F(BadFile, HardLink) {
  write("target", "");
  ::chmod((root_ / "target").c_str(), 0600);
  std::filesystem::create_hard_link(root_ / "target", path());
  expect_unused();
}

TEST_F(BadFile, OpenToOthers) {
  for (const mode_t mode : {0666, 0640, 0604}) {
    write("leases", "");
    ::chmod(path().c_str(), mode);
    expect_unused();
  }
}

TEST_F(BadFile, NoRegularFile) {
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  expect_unused();
}

TEST_F(BadFile, InNoFolder) {
  std::filesystem::remove_all(root_);
  expect_unused();
}

TEST_F(BadFile, OfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  constexpr uid_t other = 12345;
  write("leases", "");
  ::chmod(path().c_str(), 0600);
  ASSERT_EQ(::chown(path().c_str(), other, 0), 0);
  expect_unused();
}

// Programs that close all files may have one of their own by its number.
TEST_F(CoreLease, LocksNoFileOfTheProgram) {
  write("own", "");
  CoreLeases leases(path());
  EXPECT_TRUE(leases.take(core));
  const int next = ::open(path().c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GT(next, 0);
  int file = next - 1;
  struct stat wanted {};
  ASSERT_EQ(::stat(path().c_str(), &wanted), 0);
  for (struct stat found{}; file > 2; --file) {
    if (::fstat(file, &found) == 0 && found.st_ino == wanted.st_ino) break;
  }
  ::close(next);
  ASSERT_GT(file, 2);
  const int own = ::open((root_ / "own").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::dup2(own, file), file);
  EXPECT_TRUE(leases.take(core + 1));
  auto& locked = shared_with_children<std::atomic<bool>>();
  OtherProcess([&] {
    struct flock all {};
    all.l_type = F_WRLCK;
    locked = ::fcntl(own, F_SETLK, &all) != 0;
  }).wait();
  EXPECT_FALSE(locked);
  ::close(own);
}

}  // namespace
}  // namespace tightwire::os
