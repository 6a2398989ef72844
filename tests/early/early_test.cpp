#include "early/early.h"

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <array>
#include <atomic>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>

#include "memory.h"

namespace tightwire::early {
namespace {

using settings::EarlyMechanism;

constexpr std::size_t pages_per_chunk = 16;
constexpr std::size_t chunks = 8;

// A program's side of things: a buffer, and sends of it whose every byte is checked.
class Program {
 public:
  explicit Program(EarlyMechanism mechanism, settings::Early mode = settings::Early::on,
                   std::size_t limit = std::size_t{64} << 20)
      : early({mode, mechanism, limit}), memory(pages_per_chunk * chunks) {
    for (std::size_t chunk = 1; chunk <= chunks; ++chunk)
      ends.push_back(chunk * pages_per_chunk * page_size());
    auto* const values = reinterpret_cast<float*>(memory.bytes().data());
    for (std::size_t i = 0; i < memory.bytes().size() / sizeof(float); ++i)
      values[i] = std::sin(1e-3F * static_cast<float>(i));
  }

  // Which chunks were ready.
  std::vector<bool> send(const codec::Encoding& how, std::span<std::byte> values) {
    std::vector<bool> ready;
    Send sending = early.begin(values, cut_of(values), how, {});
    std::vector<std::byte> decoded(values.size());
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      const std::size_t size = values.size() / chunks;
      const std::span<std::byte> own = values.subspan(chunk * size, size);
      const std::span<std::byte> out = std::span(decoded).subspan(chunk * size, size);
      const auto taken = sending.take(chunk);
      ready.push_back(taken.has_value());
      if (taken && taken->codec == codec::Id::raw) {
        EXPECT_TRUE(taken->payload.empty());
        continue;
      }
      if (taken) {
        EXPECT_TRUE(codec::find(taken->codec)->decode(how.type, taken->payload, out).ok());
        EXPECT_EQ(std::memcmp(own.data(), out.data(), size), 0) << "chunk " << chunk << " is stale";
        continue;
      }
      std::vector<std::byte> room(workspace_size(how, size));
      const codec::Result made = how.codec->encode(how.type, own, how.parameters, room);
      if (made.ok()) {
        sending.keep(chunk, how.codec->id(), std::span(room).first(made.size), 1e-3);
      } else {
        sending.keep(chunk, codec::Id::raw, own, 1e-3);
      }
    }
    return ready;
  }
  std::vector<bool> send() { return send(encoding, memory.bytes()); }

  static std::vector<std::size_t> cut_of(Bytes values) {
    std::vector<std::size_t> cut;
    for (std::size_t chunk = 1; chunk <= chunks; ++chunk)
      cut.push_back(chunk * (values.size() / chunks));
    return cut;
  }

  Early early;
  const Mapped memory;
  std::vector<std::size_t> ends;
  codec::Encoding encoding{codec::find(codec::Id::exact), codec::ElementType::float32, {}};
};

const std::vector<bool> none(chunks, false);
const std::vector<bool> all(chunks, true);

struct NameOf {
  std::string operator()(const testing::TestParamInfo<EarlyMechanism>& mechanism) const {
    const std::array names{"automatic", "wp_async", "wp_sync", "hash"};
    return names[static_cast<std::size_t>(mechanism.param)];
  }
};

class EarlyByMechanism : public testing::TestWithParam<EarlyMechanism> {};

TEST_P(EarlyByMechanism, AnUnchangedBufferIsReadyFromItsThirdSendOn) {
  Program program(GetParam());
  EXPECT_EQ(program.send(), none);  // seen
  EXPECT_EQ(program.send(), none);  // tracked
  EXPECT_EQ(program.send(), all);
  EXPECT_EQ(program.send(), all);
  const Statistics statistics = program.early.statistics();
  EXPECT_EQ(statistics.ready, 2 * chunks);
  EXPECT_EQ(statistics.chunks, 3 * chunks);
}

TEST_P(EarlyByMechanism, OnlyChunksThatWereWrittenToAreCodedAgain) {
  Program program(GetParam());
  program.send();
  program.send();
  // Faster than the helper looks, or not: what is ready is right either way.
  program.memory.write(3 * pages_per_chunk * page_size() + 5, 99);
  const std::vector<bool> ready = program.send();
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    if (chunk != 3) {
      EXPECT_TRUE(ready[chunk]) << chunk;
    }
  }
  EXPECT_EQ(program.send(), all);
}

TEST_P(EarlyByMechanism, AnotherCodingGetsNothingMadeForThis) {
  Program program(GetParam());
  for (int i = 0; i < 3; ++i) program.send();
  codec::Encoding other = program.encoding;
  other.codec = codec::find(codec::Id::zstd);
  EXPECT_EQ(program.send(other, program.memory.bytes()), none);
}

TEST_P(EarlyByMechanism, OverlappingBuffersEachGetTheirOwn) {
  Program program(GetParam());
  const std::span<std::byte> left = program.memory.pages(0, 64);
  const std::span<std::byte> right = program.memory.pages(32, 64);
  for (int i = 0; i < 3; ++i) {
    program.send(program.encoding, left);
    program.send(program.encoding, right);
  }
  program.memory.write(40 * page_size(), 123);
  // In the 6th chunk of the left one, in the 2nd of the right one.
  const std::vector<bool> of_left = program.send(program.encoding, left);
  const std::vector<bool> of_right = program.send(program.encoding, right);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    if (chunk != 5) {
      EXPECT_TRUE(of_left[chunk]) << chunk;
    }
    if (chunk != 1) {
      EXPECT_TRUE(of_right[chunk]) << chunk;
    }
  }
}

// The helper encodes what was rewritten; how soon is its own affair.
TEST_P(EarlyByMechanism, TheHelperCodesWhatWasRewritten) {
  Program program(GetParam());
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "no core for a helper";
  program.send();
  program.send();
  std::mt19937 random(3);
  const auto deadline = Clock::now() + std::chrono::seconds(60);
  bool helped = false;
  while (!helped && Clock::now() < deadline) {
    for (std::size_t at = 0; at < program.memory.bytes().size(); at += 64)
      program.memory.write(at, static_cast<int>(random()));
    const double before = program.early.statistics().helper_seconds;
    while (program.early.statistics().helper_seconds == before && Clock::now() < deadline)
      std::this_thread::yield();
    const std::vector<bool> ready = program.send();
    helped = std::find(ready.begin(), ready.end(), true) != ready.end();
  }
  EXPECT_TRUE(helped);
}

TEST_P(EarlyByMechanism, TheHelperClimbsWhereNothingIsRewritten) {
  Program program(GetParam());
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "no core for a helper";
  for (int i = 0; i < 4; ++i) program.send();
  const auto deadline = Clock::now() + std::chrono::seconds(60);
  while (program.early.statistics().helper_seconds == 0 && Clock::now() < deadline)
    std::this_thread::yield();
  while (program.early.statistics().strengthened == 0 && Clock::now() < deadline)
    EXPECT_EQ(program.send(), all);
  EXPECT_GT(program.early.statistics().strengthened, 0U);
}

TEST_P(EarlyByMechanism, AFreedBufferIsLeftAloneByTheHelper) {
  Program program(GetParam());
  {
    const Mapped gone(pages_per_chunk * chunks);
    for (int i = 0; i < 3; ++i) program.send(program.encoding, gone.bytes());
    gone.write(0, 3);
  }
  for (int i = 0; i < 50; ++i) program.send();
}

TEST_P(EarlyByMechanism, AForkedChildGetsNothing) {
  Program program(GetParam());
  for (int i = 0; i < 3; ++i) program.send();
  const pid_t child = fork();
  if (child == 0) {
    const Send send =
        program.early.begin(program.memory.bytes(), program.ends, program.encoding, {});
    _exit(send.tracked() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(program.send(), all);
}

// A receiver of "raw" copies what comes: that nothing is gained must be said without a payload that
// could be taken for the values.
TEST_P(EarlyByMechanism, WhatDoesNotShrinkIsReadyAsSuch) {
  Program program(GetParam());
  std::mt19937 random(5);
  for (std::byte& byte : program.memory.bytes()) byte = std::byte(random() & 0xff);
  program.encoding.parameters.least_ratio = 1.1F;
  program.send();
  program.send();
  EXPECT_EQ(program.send(), all);
  Send sending = program.early.begin(program.memory.bytes(), program.ends, program.encoding, {});
  const auto taken = sending.take(0);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->codec, codec::Id::raw);
}

// Two sends of one buffer under way at once, as two threads have them.
TEST_P(EarlyByMechanism, ASendGetsNothingMadeForAnothersCoding) {
  Program program(GetParam());
  for (int i = 0; i < 3; ++i) program.send();
  const Bytes values = program.memory.bytes();
  codec::Encoding lossy = program.encoding;
  lossy.codec = codec::find(codec::Id::bounded);
  lossy.parameters.error_bound = 1e-2;
  Send exact = program.early.begin(values, program.ends, program.encoding, {});
  Send bounded = program.early.begin(values, program.ends, lossy, {});
  ASSERT_FALSE(bounded.take(2));
  const std::vector<std::byte> payload(100);
  bounded.keep(2, codec::Id::bounded, payload, 1e-3);
  EXPECT_FALSE(exact.take(2));
}

TEST_P(EarlyByMechanism, ASendKeepsNothingForAnothersCut) {
  Program program(GetParam());
  for (int i = 0; i < 3; ++i) program.send();
  const Bytes values = program.memory.bytes();
  const std::vector<std::size_t> whole{values.size()};
  program.memory.write(0, 77);
  Send fine = program.early.begin(values, program.ends, program.encoding, {});
  static_cast<void>(fine.take(0));  // ready if the helper was quick
  Send coarse = program.early.begin(values, whole, program.encoding, {});
  const std::vector<std::byte> payload(100);
  fine.keep(0, codec::Id::exact, payload, 1e-3);
  EXPECT_FALSE(coarse.take(0));
  Send next = program.early.begin(values, whole, program.encoding, {});
  EXPECT_FALSE(next.take(0));
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, EarlyByMechanism,
                         testing::Values(EarlyMechanism::wp_async, EarlyMechanism::wp_sync,
                                         EarlyMechanism::hash),
                         NameOf());

TEST(Early, NothingIsTrackedBeyondTheLimit) {
  Program program(EarlyMechanism::automatic, settings::Early::on, page_size());
  for (int i = 0; i < 4; ++i) EXPECT_EQ(program.send(), none);
  EXPECT_EQ(program.early.statistics().buffers, 0U);
}

TEST(Early, AutoGivesUpABufferThatIsAlwaysRewritten) {
  Program program(EarlyMechanism::automatic, settings::Early::automatic);
  for (int i = 0; i < 200; ++i) {
    for (std::size_t at = 0; at < program.memory.bytes().size(); at += page_size())
      program.memory.write(at, i);
    program.send();
  }
  const Statistics statistics = program.early.statistics();
  EXPECT_GT(statistics.given_up, 0U);
  EXPECT_LT(statistics.sends, 50U);
}

TEST(Early, AutoGoesOnWithABufferThatIsNeverRewritten) {
  Program program(EarlyMechanism::automatic, settings::Early::automatic);
  for (int i = 0; i < 200; ++i) program.send();
  EXPECT_EQ(program.early.statistics().given_up, 0U);
  // Seen, seen to stay as it is and tracked; ready from then on.
  EXPECT_EQ(program.early.statistics().ready, 197 * chunks);
}

// Write faults would cost more than to compare.
TEST(Early, AutoSparesAProgramThatRewritesEverythingTheFaults) {
  Program program(EarlyMechanism::automatic, settings::Early::on);
  if (program.early.mechanism() == Mechanism::hash) GTEST_SKIP() << "no protection here";
  if (!too_dear(program.early.cost(), 1)) GTEST_SKIP() << "comparing costs more here";
  for (int i = 0; i < 20; ++i) {
    for (std::size_t at = 0; at < program.memory.bytes().size(); at += page_size())
      program.memory.write(at, i);
    program.send();
  }
  EXPECT_GT(program.early.statistics().sends, 10U);
  EXPECT_EQ(program.early.statistics().faults, 0U);
}

TEST(Early, AutoProtectsWhatIsSeldomWritten) {
  Program program(EarlyMechanism::automatic, settings::Early::on);
  if (program.early.mechanism() == Mechanism::hash) GTEST_SKIP() << "no protection here";
  if (too_dear(program.early.cost(), 1.0 / (pages_per_chunk * chunks)))
    GTEST_SKIP() << "comparing costs less here";
  for (int i = 0; i < 20; ++i) {
    program.memory.write(0, i);
    program.send();
  }
  EXPECT_GT(program.early.statistics().faults, 10U);
}

// Reads a file through io_uring into memory registered with it: past the page tables.
class FixedBuffer {
 public:
  explicit FixedBuffer(std::span<std::byte> memory) : memory_(memory) {
    io_uring_params parameters{};
    ring_ = os::FileDescriptor(static_cast<int>(syscall(SYS_io_uring_setup, 1, &parameters)));
    if (!ring_.open()) return;
    submission_ = map(parameters.sq_off.array + sizeof(unsigned), IORING_OFF_SQ_RING);
    entries_ = map(sizeof(io_uring_sqe), IORING_OFF_SQES);
    tail_ = parameters.sq_off.tail;
    const iovec place{memory.data(), memory.size()};
    able_ = syscall(SYS_io_uring_register, ring_.get(), IORING_REGISTER_BUFFERS, &place, 1) == 0;
  }
  [[nodiscard]] bool able() const { return able_; }

  [[nodiscard]] bool read_from(int file) const {
    io_uring_sqe entry{};
    entry.opcode = IORING_OP_READ_FIXED;
    entry.fd = file;
    entry.addr = reinterpret_cast<std::uint64_t>(memory_.data());
    entry.len = static_cast<unsigned>(memory_.size());
    std::memcpy(entries_, &entry, sizeof entry);
    auto* const tail = reinterpret_cast<std::atomic<unsigned>*>(submission_ + tail_);
    tail->fetch_add(1);
    return syscall(SYS_io_uring_enter, ring_.get(), 1, 1, IORING_ENTER_GETEVENTS, nullptr, 0) == 1;
  }

 private:
  [[nodiscard]] char* map(std::size_t size, std::uint64_t place) const {
    return static_cast<char*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                                   ring_.get(), static_cast<off_t>(place)));
  }

  std::span<std::byte> memory_;
  os::FileDescriptor ring_;
  char* submission_ = nullptr;
  char* entries_ = nullptr;
  std::size_t tail_ = 0;
  bool able_ = false;
};

TEST(Early, MemoryPinnedLateIsNotTrustedToProtection) {
  Program program(EarlyMechanism::automatic, settings::Early::on);
  const std::span<std::byte> memory = program.memory.bytes();
  const os::FileDescriptor file(memfd_create("source", MFD_CLOEXEC));
  const std::vector<std::byte> contents(memory.size());
  ASSERT_EQ(write(file.get(), contents.data(), contents.size()),
            static_cast<ssize_t>(contents.size()));
  const FixedBuffer fixed(memory);
  if (!fixed.able()) GTEST_SKIP() << "no io_uring here";
  for (int i = 0; i < 6; ++i) program.send();
  ASSERT_TRUE(fixed.read_from(file.get()));
  ASSERT_EQ(memory[0], std::byte{0});
  program.send();  // checks every byte that was ready
  EXPECT_EQ(program.send(), all);
}

std::size_t cut_of_sends(Program& program, bool all_of_it) {
  std::size_t cut = 0;
  for (int i = 0; i < 4; ++i) {
    const std::size_t written = all_of_it ? program.memory.bytes().size() : page_size();
    for (std::size_t at = 0; at < written; at += page_size()) program.memory.write(at, i);
    cut = program.early.finer_cut(program.memory.bytes(), 1);
    program.send();
  }
  return cut;
}

TEST(Early, OnlyWhatIsRewrittenInPartIsCutFiner) {
  Program whole(EarlyMechanism::automatic, settings::Early::on);
  EXPECT_EQ(cut_of_sends(whole, true), 1U);
  Program part(EarlyMechanism::automatic, settings::Early::on);
  EXPECT_EQ(cut_of_sends(part, false), chunks);
  EXPECT_EQ(part.early.finer_cut(part.memory.bytes(), 2 * chunks), 2 * chunks);
}

}  // namespace
}  // namespace tightwire::early
