// What every mechanism must notice. One that the system does not offer is skipped, saying why.
#include "early/tracking/tracker.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "early/memory/memory_kind.h"
#include "early/tracking/mechanisms.h"
#include "memory.h"

namespace tightwire::early {
namespace {

constexpr std::size_t pages = 16;

struct NameOf {
  std::string operator()(const testing::TestParamInfo<Mechanism>& mechanism) const {
    std::string name(name_of(mechanism.param));
    std::erase(name, '-');
    return name;
  }
};

class EveryTracker : public testing::TestWithParam<Mechanism> {
 protected:
  void SetUp() override {
    Offer found = offer(GetParam());
    if (found.tracker == nullptr) GTEST_SKIP() << found.reason;
    tracker_ = std::move(found.tracker);
  }

  bool holds(Bytes bytes, Mark& mark) {
    tracker_->look(bytes);
    return tracker_->holds(bytes, mark);
  }

  std::unique_ptr<Tracker> tracker_;
};

TEST_P(EveryTracker, HoldsWhileNobodyWrites) {
  const Mapped memory(pages);
  ASSERT_TRUE(tracker_->watch(memory.bytes()));
  Mark mark = tracker_->mark(memory.bytes());
  EXPECT_TRUE(holds(memory.bytes(), mark));
  EXPECT_TRUE(holds(memory.bytes(), mark));
}

TEST_P(EveryTracker, NoticesAWriteAndWhereItWas) {
  const Mapped memory(pages);
  ASSERT_TRUE(tracker_->watch(memory.bytes()));
  Mark all = tracker_->mark(memory.bytes());
  std::array<Mark, 4> parts;
  for (std::size_t i = 0; i < 4; ++i) parts[i] = tracker_->mark(memory.pages(4 * i, 4));
  memory.write(9 * page_size() + 17, 2);
  EXPECT_FALSE(holds(memory.bytes(), all));
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(holds(memory.pages(4 * i, 4), parts[i]), i != 2) << i;
}

// A page's write belongs to every mark made before it, whoever protected the page again meanwhile.
TEST_P(EveryTracker, OverlappingMarksEachSeeTheWrite) {
  const Mapped memory(pages);
  const Bytes left = memory.pages(0, 10);
  const Bytes right = memory.pages(6, 10);
  ASSERT_TRUE(tracker_->watch(left));
  ASSERT_TRUE(tracker_->watch(right));
  Mark of_left = tracker_->mark(left);
  memory.write(8 * page_size(), 2);
  Mark of_right = tracker_->mark(right);
  EXPECT_FALSE(holds(left, of_left));
  EXPECT_TRUE(holds(right, of_right));
  memory.write(7 * page_size(), 3);
  EXPECT_FALSE(holds(right, of_right));
}

TEST_P(EveryTracker, ForgettingOneBufferKeepsItsNeighbourWatched) {
  const Mapped memory(pages);
  const Bytes left = memory.pages(0, 10);
  const Bytes right = memory.pages(6, 10);
  ASSERT_TRUE(tracker_->watch(left));
  ASSERT_TRUE(tracker_->watch(right));
  Mark mark = tracker_->mark(right);
  tracker_->forget(left);
  EXPECT_TRUE(holds(right, mark));
  memory.write(7 * page_size(), 3);
  EXPECT_FALSE(holds(right, mark));
}

TEST_P(EveryTracker, NoticesWritesBySystemCalls) {
  const Mapped memory(pages);
  ASSERT_TRUE(tracker_->watch(memory.bytes()));
  Mark mark = tracker_->mark(memory.bytes());
  const int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(zeros, 0);
  // Must succeed although the pages are protected.
  ASSERT_EQ(read(zeros, memory.bytes().data() + 5 * page_size(), 100), 100);
  close(zeros);
  EXPECT_FALSE(holds(memory.bytes(), mark));
}

TEST_P(EveryTracker, NoticesMemoryThatWasReplaced) {
  const Mapped memory(pages);
  ASSERT_TRUE(tracker_->watch(memory.bytes()));
  Mark mark = tracker_->mark(memory.bytes());
  std::byte* const place = memory.bytes().data();
  ASSERT_EQ(munmap(place, 4 * page_size()), 0);
  ASSERT_EQ(mmap(place, 4 * page_size(), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
            place);
  EXPECT_FALSE(holds(memory.bytes(), mark));
  tracker_->forget(memory.bytes());
}

TEST_P(EveryTracker, ReplacedMemoryIsWatchedAgainWhenRenewed) {
  const Mapped memory(pages);
  ASSERT_TRUE(tracker_->watch(memory.bytes()));
  std::byte* const place = memory.bytes().data();
  ASSERT_EQ(mmap(place, 4 * page_size(), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
            place);
  ASSERT_TRUE(tracker_->renew(memory.bytes()));
  Mark mark = tracker_->mark(memory.bytes());
  EXPECT_TRUE(holds(memory.bytes(), mark));
  memory.write(page_size(), 3);
  EXPECT_FALSE(holds(memory.bytes(), mark));
}

TEST_P(EveryTracker, NoticesMemoryThatWasDiscarded) {
  const Mapped memory(pages);
  ASSERT_TRUE(tracker_->watch(memory.bytes()));
  Mark mark = tracker_->mark(memory.bytes());
  ASSERT_EQ(madvise(memory.bytes().data(), 4 * page_size(), MADV_DONTNEED), 0);
  EXPECT_FALSE(holds(memory.bytes(), mark));
  Mark again = tracker_->mark(memory.bytes());
  memory.write(0, 9);
  EXPECT_FALSE(holds(memory.bytes(), again));
}

TEST_P(EveryTracker, NoticesMemoryMovedHereFromElsewhere) {
  const Mapped memory(pages);
  const Mapped other(4);
  ASSERT_TRUE(tracker_->watch(memory.bytes()));
  ASSERT_TRUE(tracker_->watch(other.bytes()));
  other.write(0, 7);
  static_cast<void>(tracker_->mark(other.bytes()));
  Mark mark = tracker_->mark(memory.bytes());
  std::byte* const place = memory.bytes().data();
  ASSERT_EQ(mremap(other.bytes().data(), 4 * page_size(), 4 * page_size(),
                   MREMAP_MAYMOVE | MREMAP_FIXED, place),
            place);
  EXPECT_FALSE(holds(memory.bytes(), mark));
}

TEST_P(EveryTracker, AnUnmappedBufferIsNoError) {
  std::optional<Mapped> memory(pages);
  const Bytes bytes = memory->bytes();
  ASSERT_TRUE(tracker_->watch(bytes));
  static_cast<void>(tracker_->mark(bytes));
  memory.reset();
  std::vector<std::byte> copy(bytes.size());
  EXPECT_FALSE(tracker_->snapshot(bytes, copy));
  tracker_->look(bytes);
  tracker_->forget(bytes);
}

TEST_P(EveryTracker, WritesOfAForkedChildAreItsOwn) {
  const Mapped memory(pages);
  ASSERT_TRUE(tracker_->watch(memory.bytes()));
  Mark mark = tracker_->mark(memory.bytes());
  const pid_t child = fork();
  if (child == 0) {
    memory.write(0, 5);
    _exit(memory.bytes()[0] == std::byte{5} ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(holds(memory.bytes(), mark));
  memory.write(3 * page_size(), 5);
  EXPECT_FALSE(holds(memory.bytes(), mark));
}

TEST_P(EveryTracker, ASnapshotsMarkIsThatOfItsCopy) {
  const Mapped memory(pages);
  ASSERT_TRUE(tracker_->watch(memory.bytes()));
  std::vector<std::byte> copy(memory.bytes().size());
  std::optional<Mark> mark = tracker_->snapshot(memory.bytes(), copy);
  ASSERT_TRUE(mark);
  EXPECT_EQ(std::memcmp(copy.data(), memory.bytes().data(), copy.size()), 0);
  EXPECT_TRUE(holds(memory.bytes(), *mark));
  mark = tracker_->snapshot(memory.bytes(), copy);
  ASSERT_TRUE(mark);
  memory.write(1, 77);
  EXPECT_FALSE(holds(memory.bytes(), *mark));
}

// What protection does not see (a device's writes), the hash in a snapshot's mark does.
TEST_P(EveryTracker, ASnapshotsHashIsCompared) {
  const Mapped memory(pages);
  ASSERT_TRUE(tracker_->watch(memory.bytes()));
  std::vector<std::byte> copy(memory.bytes().size());
  std::optional<Mark> mark = tracker_->snapshot(memory.bytes(), copy);
  ASSERT_TRUE(mark && mark->hash);
  Mark of_other_values = *mark;
  of_other_values.hash->low ^= 1;
  EXPECT_FALSE(holds(memory.bytes(), of_other_values));
  EXPECT_TRUE(holds(memory.bytes(), *mark));
}

TEST_P(EveryTracker, ActivityChangesWithEveryNewlyWrittenPage) {
  const Mapped memory(pages);
  ASSERT_TRUE(tracker_->watch(memory.bytes()));
  const Mark mark = tracker_->mark(memory.bytes());
  std::vector<std::byte> workspace(memory.bytes().size());
  auto activity = tracker_->activity(memory.bytes(), workspace);
  ASSERT_TRUE(activity);
  EXPECT_TRUE(tracker_->looks_unchanged(memory.bytes(), mark, *activity));
  for (std::size_t page = 0; page < 3; ++page) {
    memory.write(page * page_size(), 40);
    const auto next = tracker_->activity(memory.bytes(), workspace);
    ASSERT_TRUE(next);
    EXPECT_NE(*next, *activity);
    EXPECT_FALSE(tracker_->looks_unchanged(memory.bytes(), mark, *next));
    activity = next;
  }
}

// Registered ranges show as "uw" among the flags of a mapping.
std::size_t registered_mappings() {
  std::ifstream file("/proc/self/smaps");
  std::string line;
  std::size_t found = 0;
  while (std::getline(file, line)) {
    if (line.starts_with("VmFlags:") && line.find(" uw") != std::string::npos) ++found;
  }
  return found;
}

TEST_P(EveryTracker, RegistrationsAreGivenBack) {
  const Mapped memory(pages);
  ASSERT_TRUE(tracker_->watch(memory.bytes()));
  ASSERT_TRUE(tracker_->watch(memory.pages(2, 3)));
  EXPECT_EQ(registered_mappings() > 0, GetParam() != Mechanism::hash);
  tracker_->forget(memory.bytes());
  tracker_->forget(memory.pages(2, 3));
  EXPECT_EQ(registered_mappings(), 0U);
  ASSERT_TRUE(tracker_->watch(memory.bytes()));
  tracker_.reset();
  EXPECT_EQ(registered_mappings(), 0U);
  memory.write(0, 3);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, EveryTracker,
                         testing::Values(Mechanism::wp_async, Mechanism::wp_sync, Mechanism::hash),
                         NameOf());

class EveryGuard : public EveryTracker {};

TEST_P(EveryGuard, LeavesOtherMemoryAlone) {
  const Mapped shared(pages, MAP_SHARED | MAP_ANONYMOUS);
  EXPECT_FALSE(tracker_->watch(shared.bytes()));
  const Mapped fixed(pages);
  ASSERT_EQ(mprotect(fixed.bytes().data(), page_size(), PROT_READ), 0);
  EXPECT_FALSE(tracker_->watch(fixed.bytes()));
  std::array<std::byte, 100> on_stack{};
  EXPECT_FALSE(tracker_->watch(on_stack));
  EXPECT_FALSE(tracker_->watch({}));
  std::optional<Mapped> gone(pages);
  const Bytes bytes = gone->bytes();
  gone.reset();
  EXPECT_FALSE(tracker_->watch(bytes));
}

TEST_P(EveryGuard, LeavesHugePagesAlone) {
  if (GetParam() != Mechanism::wp_async) GTEST_SKIP() << "only PAGEMAP_SCAN tells";
  constexpr std::size_t huge = std::size_t{2} << 20;
  const std::size_t size = 3 * huge;
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  if (madvise(memory, size, MADV_HUGEPAGE) != 0) GTEST_SKIP() << "no huge pages on this system";
  std::memset(memory, 1, size);
  const Bytes bytes{static_cast<std::byte*>(memory), size};
  std::ifstream file("/proc/self/smaps_rollup");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const bool has_huge = text.find("AnonHugePages:         0 kB") == std::string::npos;
  EXPECT_EQ(tracker_->watch(bytes), !has_huge);
  tracker_->forget(bytes);
  munmap(memory, size);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, EveryGuard,
                         testing::Values(Mechanism::wp_async, Mechanism::wp_sync), NameOf());

}  // namespace
}  // namespace tightwire::early
