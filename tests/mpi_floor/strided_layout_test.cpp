#include "mpi/datatype/strided_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tightwire::mpi {
namespace {

// A layout beside the offsets of all its bytes, one by one, in their packed order.
struct Case {
  StridedLayout layout;
  std::vector<std::ptrdiff_t> offsets;
};

using Random = std::mt19937;

std::size_t between(Random& random, std::size_t least, std::size_t most) {
  return std::uniform_int_distribution(least, most)(random);
}

constexpr std::size_t most_bytes = 20'000;

Case moved(const Case& from, std::ptrdiff_t by) {
  Case made{from.layout.moved(by), from.offsets};
  for (std::ptrdiff_t& offset : made.offsets) offset += by;
  return made;
}

Case repeated(const Case& from, std::size_t count, std::ptrdiff_t stride) {
  Case made{from.layout.repeated(count, stride), {}};
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::ptrdiff_t offset : from.offsets) {
      made.offsets.push_back(offset + static_cast<std::ptrdiff_t>(i) * stride);
    }
  }
  return made;
}

Case sequence(const std::vector<Case>& cases) {
  Case made;
  std::vector<StridedLayout> parts;
  for (const Case& one : cases) {
    parts.push_back(one.layout);
    made.offsets.insert(made.offsets.end(), one.offsets.begin(), one.offsets.end());
  }
  made.layout = StridedLayout::sequence(std::move(parts));
  return made;
}

std::ptrdiff_t span_of(const Case& one) {
  if (one.offsets.empty()) return 0;
  const auto [low, high] = std::ranges::minmax(one.offsets);
  return high - low + 1;
}

Case random_run(Random& random) {
  const std::size_t sizes[] = {0, 1, 2, 3, 4, 7, 8, 12, 16, 24, 32, 64, 100};
  const std::size_t size = sizes[between(random, 0, std::size(sizes) - 1)];
  Case made{StridedLayout::run(size), {}};
  for (std::size_t i = 0; i < size; ++i) made.offsets.push_back(static_cast<std::ptrdiff_t>(i));
  return made;
}

// No two bytes in one place, so that it can be unpacked.
Case random_case(Random& random, int depth) {
  if (depth == 0) return random_run(random);
  const Case inner = random_case(random, depth - 1);
  switch (between(random, 0, 3)) {
    case 0: {
      const std::size_t most = most_bytes / std::max<std::size_t>(1, inner.offsets.size());
      const std::ptrdiff_t gap = static_cast<std::ptrdiff_t>(between(random, 0, 2)) * 5;
      const std::ptrdiff_t stride = span_of(inner) + gap;
      const bool downwards = between(random, 0, 4) == 0;
      return repeated(inner, between(random, 0, std::min<std::size_t>(most, 9)),
                      downwards ? -stride : stride);
    }
    case 1: {
      std::vector<Case> parts{inner};
      const std::ptrdiff_t stride =
          span_of(inner) + static_cast<std::ptrdiff_t>(between(random, 0, 1) * 8);
      const std::size_t most = most_bytes / std::max<std::size_t>(1, inner.offsets.size());
      for (std::size_t i = between(random, 0, std::min<std::size_t>(most, 4)); i > 0; --i) {
        parts.push_back(moved(inner, static_cast<std::ptrdiff_t>(i) * stride));
      }
      return sequence(parts);
    }
    case 2: {
      const Case other = random_case(random, depth - 1);
      if (inner.offsets.empty() || other.offsets.empty()) return sequence({inner, other});
      const std::ptrdiff_t behind =
          *std::ranges::max_element(inner.offsets) + 1 - *std::ranges::min_element(other.offsets);
      const auto gap = static_cast<std::ptrdiff_t>(between(random, 0, 2) * 3);
      return sequence({inner, moved(other, behind + gap)});
    }
    default:
      return moved(inner, static_cast<std::ptrdiff_t>(between(random, 0, 50)) - 25);
  }
}

// Memory with the bytes of a case within it, wherever its offsets begin.
class Memory {
 public:
  explicit Memory(const Case& one) {
    if (!one.offsets.empty()) low_ = *std::ranges::min_element(one.offsets);
    bytes_.resize(static_cast<std::size_t>(span_of(one)) + 1, std::byte{0xEE});
  }
  [[nodiscard]] std::byte& at(std::ptrdiff_t offset) {
    return bytes_[static_cast<std::size_t>(offset - low_)];
  }
  // From here offsets are counted.
  [[nodiscard]] std::byte* base() { return bytes_.data() - low_; }
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::ptrdiff_t low_ = 0;
  std::vector<std::byte> bytes_;
};

// Ends of parts that together are all of `size` bytes.
std::vector<std::size_t> random_cuts(Random& random, std::size_t size) {
  std::vector<std::size_t> ends{size};
  for (std::size_t i = between(random, 0, 6); i > 0; --i) ends.push_back(between(random, 0, size));
  std::ranges::sort(ends);
  return ends;
}

class LayoutOfSeed : public testing::TestWithParam<unsigned> {};

TEST_P(LayoutOfSeed, AnyPartsArePackedAndUnpacked) {
  Random random(GetParam());
  for (int i = 0; i < 250; ++i) {
    const Case one = random_case(random, static_cast<int>(between(random, 0, 5)));
    ASSERT_EQ(one.layout.size(), one.offsets.size());
    Memory from(one);
    std::vector<std::byte> expected;
    for (const std::ptrdiff_t offset : one.offsets) {
      from.at(offset) = static_cast<std::byte>(random());
      expected.push_back(from.at(offset));
    }
    std::vector<std::byte> packed(expected.size());
    Memory to(one);
    Memory wanted(one);
    std::size_t begin = 0;
    for (const std::size_t end : random_cuts(random, packed.size())) {
      const std::span part = std::span(packed).subspan(begin, end - begin);
      one.layout.pack(from.base(), begin, part);
      one.layout.unpack(part, begin, to.base());
      for (; begin < end; ++begin) wanted.at(one.offsets[begin]) = expected[begin];
      ASSERT_EQ(to.bytes(), wanted.bytes()) << "up to byte " << end;
    }
    ASSERT_EQ(packed, expected);
    if (one.offsets.empty()) continue;
    const auto [lowest, highest] = std::ranges::minmax(one.offsets);
    ASSERT_EQ(one.layout.lowest(), lowest);
    ASSERT_EQ(one.layout.end(), highest + 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Random, LayoutOfSeed, testing::Range(1U, 9U));

TEST(StridedLayout, AdjacentRunsAreOneRun) {
  const StridedLayout row = StridedLayout::run(8).repeated(10, 8);
  EXPECT_EQ(row.single_run(), 0);
  EXPECT_EQ(row.size(), 80U);
  EXPECT_EQ(StridedLayout::sequence({row, StridedLayout(), row.moved(80)}).moved(-4).single_run(),
            -4);
}

TEST(StridedLayout, LoopsThatGoOnAreOneLoop) {
  const StridedLayout column = StridedLayout::run(8).repeated(10, 64);
  EXPECT_EQ(column.repeated(5, 640).depth(), 1U);
  EXPECT_EQ(column.repeated(5, 648).depth(), 2U);
  EXPECT_EQ(column.repeated(5, 640).fingerprint(),
            StridedLayout::run(8).repeated(50, 64).fingerprint());
}

TEST(StridedLayout, EvenRunsAreALoop) {
  const StridedLayout even =
      StridedLayout::sequence({StridedLayout::run(4).moved(3), StridedLayout::run(4).moved(13),
                               StridedLayout::run(4).moved(23)});
  EXPECT_EQ(even.parts(), 0U);
  EXPECT_EQ(even.fingerprint(), StridedLayout::run(4).repeated(3, 10).fingerprint());
  const StridedLayout uneven =
      StridedLayout::sequence({StridedLayout::run(4).moved(3), StridedLayout::run(4).moved(13),
                               StridedLayout::run(4).moved(24)});
  EXPECT_EQ(uneven.parts(), 3U);
  EXPECT_NE(uneven.fingerprint(), even.fingerprint());
}

TEST(StridedLayout, NothingHasNoRun) {
  const StridedLayout none = StridedLayout::sequence(
      {StridedLayout::run(0).moved(7), StridedLayout::run(8).repeated(0, 8)});
  EXPECT_EQ(none.size(), 0U);
  none.pack(nullptr, 0, {});
  none.unpack({}, 0, nullptr);
}

}  // namespace
}  // namespace tightwire::mpi
