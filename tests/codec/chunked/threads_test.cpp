#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <mutex>
#include <thread>

#include "chunked/support.h"
#include "os/cores/affinity.h"
#include "os/thread_pool.h"

namespace tightwire::codec::chunked {
namespace {

// Everything below needs a second core to mean anything.
class Threads : public testing::Test {
 protected:
  void SetUp() override {
    if (os::cores_in(os::affinity_mask()) < 2) GTEST_SKIP() << "one core only";
  }
};

// The calling thread on its first `cores` cores, for as long as this lives.
class NarrowMask {
 public:
  explicit NarrowMask(unsigned cores) : before_(os::affinity_mask()) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    for (int cpu = 0; cpu < CPU_SETSIZE && os::cores_in(mask) < cores; ++cpu) {
      if (CPU_ISSET(cpu, &before_)) CPU_SET(cpu, &mask);
    }
    sched_setaffinity(0, sizeof mask, &mask);
  }
  ~NarrowMask() { sched_setaffinity(0, sizeof before_, &before_); }
  NarrowMask(const NarrowMask&) = delete;
  NarrowMask& operator=(const NarrowMask&) = delete;

 private:
  cpu_set_t before_;
};

// A task in which caller and one helper meet: it does not end before both are there.
struct Meeting {
  std::barrier<> both{2};
  cpu_set_t helper_mask{};
  sigset_t helper_blocks{};

  [[nodiscard]] bool hold(os::ThreadPool& pool) {
    os::ThreadPool::Task task;
    task.context = this;
    task.threads = 2;
    task.work = [](void* context, std::span<std::byte>, std::size_t worker) {
      auto& meeting = *static_cast<Meeting*>(context);
      if (worker > 0) {
        meeting.helper_mask = os::affinity_mask();
        pthread_sigmask(SIG_BLOCK, nullptr, &meeting.helper_blocks);
      }
      meeting.both.arrive_and_wait();
    };
    return pool.run(task);
  }
};

TEST_F(Threads, BytesDoNotDependOnTheirNumber) {
  for (const Codec* codec : all()) {
    const ElementType type =
        codec->supports(ElementType::float64) ? ElementType::float64 : ElementType::bytes;
    const Bytes values = values_of(type, 50'000);
    const Bytes serial = encoded(*codec, type, values, in_chunks_of(1000));
    for (const unsigned limit : {2U, 3U, 4U, 0U}) {
      os::ThreadPool pool(limit);
      for (int repetition = 0; repetition < 5; ++repetition) {
        ASSERT_EQ(encoded(*codec, type, values, in_chunks_of(1000, &pool)), serial)
            << codec->name() << ' ' << limit;
      }
      Bytes back(values.size());
      Bytes serial_back(values.size());
      ASSERT_TRUE(decode(type, serial, {}, serial_back).ok());
      ASSERT_TRUE(decode(type, serial, in_chunks_of(0, &pool), back).ok());
      EXPECT_EQ(back, serial_back) << codec->name();
    }
  }
}

TEST_F(Threads, NoMoreThanTheLimitNorTheMask) {
  EXPECT_EQ(os::ThreadPool(1).available(), 1U);
  EXPECT_EQ(os::ThreadPool(2).available(), 2U);
  EXPECT_EQ(os::ThreadPool(0).available(), os::cores_in(os::affinity_mask()));
  EXPECT_EQ(os::ThreadPool(10'000).available(), os::cores_in(os::affinity_mask()));
  const NarrowMask one_core(1);
  os::ThreadPool pool;
  EXPECT_EQ(pool.available(), 1U);
  EXPECT_FALSE(Meeting().hold(pool)) << "there is no spare core to run a helper on";
}

TEST_F(Threads, HelpersTakeOverTheMaskOfTheCaller) {
  os::ThreadPool pool;
  Meeting meeting;
  ASSERT_TRUE(meeting.hold(pool));
  const cpu_set_t own = os::affinity_mask();
  EXPECT_TRUE(CPU_EQUAL(&meeting.helper_mask, &own));
  const NarrowMask two_cores(2);
  ASSERT_TRUE(meeting.hold(pool));
  const cpu_set_t narrow = os::affinity_mask();
  EXPECT_TRUE(CPU_EQUAL(&meeting.helper_mask, &narrow));
}

TEST_F(Threads, HelpersLeaveSignalsToTheProgram) {
  os::ThreadPool pool;
  Meeting meeting;
  ASSERT_TRUE(meeting.hold(pool));
  for (const int signal : {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGCHLD}) {
    EXPECT_EQ(sigismember(&meeting.helper_blocks, signal), 1) << signal;
  }
  sigset_t own;
  pthread_sigmask(SIG_BLOCK, nullptr, &own);
  EXPECT_EQ(sigismember(&own, SIGINT), 0);
}

TEST_F(Threads, ASecondCallerWorksAlone) {
  os::ThreadPool pool;
  struct Nested {
    os::ThreadPool& pool;
    std::atomic<int> refused{0};
  } nested{pool};
  os::ThreadPool::Task task;
  task.context = &nested;
  task.threads = 2;
  task.work = [](void* context, std::span<std::byte>, std::size_t worker) {
    auto& self = *static_cast<Nested*>(context);
    if (worker > 0) return;
    std::thread([&self] { self.refused = Meeting().hold(self.pool) ? 0 : 1; }).join();
  };
  ASSERT_TRUE(pool.run(task));
  EXPECT_EQ(nested.refused, 1);
}

TEST_F(Threads, ManyCallersShareOnePool) {
  os::ThreadPool pool;
  const Codec& codec = *find(Id::bounded);
  const Bytes values = values_of(ElementType::float32, 40'000);
  const Bytes expected = encoded(codec, ElementType::float32, values, in_chunks_of(1000));
  std::atomic<int> wrong{0};
  const auto call = [&] {
    for (int i = 0; i < 20; ++i) {
      const Bytes stream = encoded(codec, ElementType::float32, values, in_chunks_of(1000, &pool));
      if (stream != expected) ++wrong;
      Bytes back(values.size());
      if (!decode(ElementType::float32, stream, in_chunks_of(0, &pool), back).ok()) ++wrong;
    }
  };
  std::thread other(call);
  call();
  other.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Threads, PollRunsOnTheCallerAlone) {
  struct Polls {
    std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> here{0};
    std::atomic<int> elsewhere{0};
  } polls;
  os::ThreadPool pool;
  Options options = in_chunks_of(1000, &pool);
  options.poll = {
      [](void* context) {
        auto& counts = *static_cast<Polls*>(context);
        ++(std::this_thread::get_id() == counts.caller ? counts.here : counts.elsewhere);
      },
      &polls};
  const Bytes values = values_of(ElementType::float32, 100'000);
  EXPECT_FALSE(encoded(*find(Id::bounded), ElementType::float32, values, options).empty());
  EXPECT_EQ(polls.elsewhere, 0);
  EXPECT_LE(polls.here, 100);
}

// Encodes as raw, but fails where a chunk starts with a marked byte, and out of memory off the
// thread it was made on.
class Failing final : public Codec {
 public:
  explicit Failing(bool short_of_memory) : short_of_memory_(short_of_memory) {}
  Id id() const override { return Id::raw; }
  bool lossy() const override { return false; }
  bool supports(ElementType) const override { return true; }
  std::size_t max_encoded_size(ElementType type, std::size_t count) const override {
    return count * element_size(type);
  }
  Result encode(ElementType, std::span<const std::byte> values, const Parameters&,
                std::span<std::byte> encoded) const override {
    if (short_of_memory_ && std::this_thread::get_id() != home_) return {Error::out_of_memory, 0};
    if (values[0] == std::byte{1}) return {Error::mismatched_grid, 0};
    if (values[0] == std::byte{2}) return {Error::bad_parameter, 0};
    std::memcpy(encoded.data(), values.data(), values.size());
    return {Error::none, values.size()};
  }
  Result decode(ElementType, std::span<const std::byte>, std::span<std::byte>) const override {
    return {Error::damaged, 0};
  }

 private:
  const bool short_of_memory_;
  const std::thread::id home_ = std::this_thread::get_id();
};

TEST_F(Threads, TheFirstChunksErrorStands) {
  Bytes values(100'000);
  values[70'000] = std::byte{1};
  values[71'000] = std::byte{2};
  values[90'000] = std::byte{2};
  Bytes out(200'000);
  os::ThreadPool pool;
  for (int repetition = 0; repetition < 200; ++repetition) {
    EXPECT_EQ(encode(Failing(false), ElementType::bytes, values, {}, in_chunks_of(1000, &pool), out)
                  .error,
              Error::mismatched_grid);
  }
}

TEST_F(Threads, HelpersOutOfMemoryLeaveItToTheCaller) {
  const Bytes values(1'000'000, std::byte{3});
  Bytes out(2'000'000);
  os::ThreadPool pool;
  for (int repetition = 0; repetition < 20; ++repetition) {
    const Result result =
        encode(Failing(true), ElementType::bytes, values, {}, in_chunks_of(1000, &pool), out);
    ASSERT_TRUE(result.ok());
    const std::span stored = std::span(out).subspan(header_size + 1000 * index_entry_size);
    EXPECT_TRUE(std::equal(values.begin(), values.end(), stored.begin()));
  }
}

TEST_F(Threads, DamageIsFoundWhicheverThreadSeesIt) {
  const Bytes values = values_of(ElementType::float32, 50'000);
  Bytes stream = encoded(*find(Id::zstd), ElementType::float32, values, in_chunks_of(1000));
  View view;
  ASSERT_EQ(View::open(stream, view), Error::none);
  const std::size_t at = static_cast<std::size_t>(view.encoded_chunk(30).data() - stream.data());
  stream[at] ^= std::byte{0xff};  // zstd's magic number
  Bytes back(values.size());
  os::ThreadPool pool;
  for (int repetition = 0; repetition < 50; ++repetition) {
    EXPECT_EQ(decode(ElementType::float32, stream, in_chunks_of(0, &pool), back).error,
              Error::damaged);
  }
}

TEST_F(Threads, AForkedChildHasHelpersOfItsOwn) {
  if (TIGHTWIRE_SANITIZE == std::string_view("thread")) {
    GTEST_SKIP() << "TSan allows no threads in a forked child";
  }
  os::ThreadPool pool;
  ASSERT_TRUE(Meeting().hold(pool));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(60);  // rather a dead child than a stuck test
    const bool helped = Meeting().hold(pool);
    _exit(helped ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(Meeting().hold(pool)) << "the parent's helpers are not disturbed";
}

}  // namespace
}  // namespace tightwire::codec::chunked
