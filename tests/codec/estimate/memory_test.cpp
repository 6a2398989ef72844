#include "codec/estimate/memory.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace tightwire::codec {
namespace {

class Memory : public testing::Test {
 protected:
  Memory() {
    parameters_.error_bound = 0.25;
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = static_cast<float>(i * i % 1009);
  }

  [[nodiscard]] std::span<const std::byte> bytes() const {
    return std::as_bytes(std::span(values_));
  }
  [[nodiscard]] std::span<const std::byte> bytes(std::size_t first) const {
    return bytes().subspan(first, 40'000);
  }

  const Estimate& get(std::span<const std::byte> values) {
    return memory_.get(ElementType::float32, values, parameters_);
  }
  double ratio() { return get(bytes()).of(Id::bounded)->ratio; }
  void observe(double ratio, double seconds = 0) {
    const auto size = static_cast<std::size_t>(static_cast<double>(bytes().size()) / ratio);
    memory_.observe(ElementType::float32, EstimateMemory::name_of(bytes()), parameters_,
                    {.codec = Id::bounded, .encoded_size = size, .seconds = seconds});
  }

  std::vector<float> values_ = std::vector<float>(100'000);
  Parameters parameters_;
  EstimateMemory memory_;
};

TEST_F(Memory, ReadsNamedValuesOnlyForAnEstimate) {
  int reads = 0;
  const auto get = [&](std::uintptr_t place) {
    return memory_.get(ElementType::float32, {place, bytes().size()}, parameters_, predictable,
                       [&] {
                         ++reads;
                         return bytes();
                       });
  };
  const double first = get(1).of(Id::bounded)->ratio;
  EXPECT_GT(first, 1);
  EXPECT_EQ(get(1).of(Id::bounded)->ratio, first);
  EXPECT_EQ(reads, 1);
  static_cast<void>(get(2));
  EXPECT_EQ(reads, 2);
  memory_.observe(ElementType::float32, {1, bytes().size()}, parameters_,
                  {.codec = Id::bounded, .encoded_size = bytes().size() / 2});
  EXPECT_NEAR(get(1).of(Id::bounded)->ratio, 2, 0.01);
  EXPECT_EQ(reads, 2);
}

TEST_F(Memory, EstimatesOnceForABuffer) {
  const double first = ratio();
  EXPECT_EQ(first, estimate(ElementType::float32, bytes(), parameters_).of(Id::bounded)->ratio);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ratio(), first);
  EXPECT_EQ(memory_.estimates_made(), 1U);
}

TEST_F(Memory, TellsBuffersApart) {
  get(bytes(0));
  get(bytes(4));                                           // another address
  get(bytes(0).first(20'000));                             // another size
  memory_.get(ElementType::int32, bytes(0), parameters_);  // another type
  parameters_.error_bound = 0.5;                           // another bound
  get(bytes(0));
  parameters_.error_bound = 0;  // none
  get(bytes(0));
  EXPECT_EQ(memory_.estimates_made(), 6U);
}

TEST_F(Memory, ABoundThatHardlyDiffersIsTheSame) {
  get(bytes());
  parameters_.error_bound *= 1.01;
  get(bytes());
  EXPECT_EQ(memory_.estimates_made(), 1U);
}

TEST_F(Memory, FewerCodecsAreIncludedMoreAreNot) {
  const Id bounded = Id::bounded;
  memory_.get(ElementType::float32, bytes(), parameters_, std::span(&bounded, 1));
  memory_.get(ElementType::float32, bytes(), parameters_, std::span(&bounded, 1));
  EXPECT_EQ(memory_.estimates_made(), 1U);
  EXPECT_NE(get(bytes()).of(Id::zstd), nullptr);
  EXPECT_EQ(memory_.estimates_made(), 2U);
}

TEST_F(Memory, TheFirstObservationCorrectsTheEstimate) {
  const double wrong = ratio() * 3;
  observe(wrong);
  EXPECT_NEAR(ratio(), wrong, 0.01 * wrong);
  EXPECT_EQ(memory_.estimates_made(), 1U) << "and is no drift";
}

TEST_F(Memory, SmallChangesAreFollowed) {
  ratio();
  observe(5);
  for (int i = 0; i < 50; ++i) observe(5.5);
  EXPECT_NEAR(ratio(), 5.5, 0.01);
  EXPECT_EQ(memory_.estimates_made(), 1U);
}

TEST_F(Memory, ADriftEstimatesAnew) {
  ratio();
  observe(5);
  observe(5 * EstimateMemory::drift * 1.01);
  const double fresh = ratio();
  EXPECT_EQ(memory_.estimates_made(), 2U);
  EXPECT_EQ(fresh, estimate(ElementType::float32, bytes(), parameters_).of(Id::bounded)->ratio);
  observe(9);
  ratio();
  EXPECT_EQ(memory_.estimates_made(), 2U) << "the first observation after it corrects again";
  observe(9 / EstimateMemory::drift / 1.01);
  ratio();
  EXPECT_EQ(memory_.estimates_made(), 3U) << "downwards too";
}

// Relative bounds follow the data, call by call.
TEST_F(Memory, CoarseBoundsAreOneWhereFineOnesAreNot) {
  EstimateMemory coarse(EstimateMemory::usual_uses, EstimateMemory::coarse_bounds);
  for (const double bound : {0.25, 0.3, 0.2}) {
    parameters_.error_bound = bound;
    static_cast<void>(coarse.get(ElementType::float32, bytes(), parameters_));
    ratio();
  }
  EXPECT_EQ(coarse.estimates_made(), 1U);
  EXPECT_EQ(memory_.estimates_made(), 3U);
  parameters_.error_bound = 1;
  static_cast<void>(coarse.get(ElementType::float32, bytes(), parameters_));
  EXPECT_EQ(coarse.estimates_made(), 2U);
}

TEST_F(Memory, WhatIsForgottenIsEstimatedAnew) {
  ratio();
  memory_.forget();
  ratio();
  ratio();
  EXPECT_EQ(memory_.estimates_made(), 2U);
}

TEST_F(Memory, TimesFollowTheRatio) {
  ratio();
  observe(2);
  Prediction expected{Id::bounded, get(bytes()).of(Id::bounded)->ratio};
  predict_times(ElementType::float32, bytes().size(), expected);
  EXPECT_EQ(get(bytes()).of(Id::bounded)->encode_seconds, expected.encode_seconds);
}

TEST_F(Memory, WhatItTookIsKept) {
  const double expected = get(bytes()).of(Id::bounded)->encode_seconds;
  const auto times_as_long = [&] { return get(bytes()).of(Id::bounded)->times_as_long; };
  EXPECT_EQ(times_as_long(), 0) << "nobody knows";
  observe(ratio(), 100 * expected);
  EXPECT_EQ(times_as_long(), 0) << "the first one does not count";
  observe(ratio(), 3 * expected);
  EXPECT_NEAR(times_as_long(), 3, 0.05);
  for (int i = 0; i < 50; ++i) observe(ratio(), 2 * expected);
  EXPECT_NEAR(times_as_long(), 2, 0.05);
  observe(ratio());
  EXPECT_NEAR(times_as_long(), 2, 0.05) << "of one that was not timed nothing is learned";
}

TEST_F(Memory, AnEstimateWearsOut) {
  for (std::uint32_t i = 0; i < EstimateMemory::uses_of_an_estimate; ++i) ratio();
  EXPECT_EQ(memory_.estimates_made(), 1U);
  ratio();
  EXPECT_EQ(memory_.estimates_made(), 2U);
}

TEST_F(Memory, WhatIsObservedIsBelievedForLonger) {
  constexpr EstimateMemory::Uses uses{16, 4};
  memory_ = EstimateMemory(uses);
  for (std::uint32_t i = 0; i <= uses.unobserved; ++i) ratio();
  EXPECT_EQ(memory_.estimates_made(), 2U) << "nobody has observed what it came to";
  for (std::uint32_t i = 1; i < uses.in_all; ++i) {
    observe(5);
    ratio();
  }
  EXPECT_EQ(memory_.estimates_made(), 2U);
  observe(5);
  ratio();
  EXPECT_EQ(memory_.estimates_made(), 3U) << "but not forever";
}

// As often as if nobody had observed them, whatever they come to.
TEST_F(Memory, WhatChangesAtEachUseIsNotEstimatedAtEach) {
  constexpr EstimateMemory::Uses uses{64, 4};
  memory_ = EstimateMemory(uses);
  for (std::uint32_t i = 0; i < 8 * uses.unobserved; ++i) {
    ratio();
    observe(i % 2 == 0 ? 5 : 9);
  }
  EXPECT_LE(memory_.estimates_made(), 8U);
  EXPECT_GT(memory_.estimates_made(), 4U);
}

TEST_F(Memory, WhatHasChangedForGoodIsEstimatedAnewSoon) {
  constexpr EstimateMemory::Uses uses{64, 4};
  memory_ = EstimateMemory(uses);
  ratio();
  observe(5);
  for (std::uint32_t i = 0; i <= uses.unobserved; ++i) {
    EXPECT_EQ(memory_.estimates_made(), 1U);
    ratio();
    observe(9);
  }
  ratio();
  EXPECT_EQ(memory_.estimates_made(), 2U);
}

TEST_F(Memory, TheLatestIsKnownWithoutTheBound) {
  const auto latest = [&](bool is_enough) {
    return memory_.latest(ElementType::float32, EstimateMemory::name_of(bytes()),
                          [&](const Estimate&) { return is_enough; });
  };
  EXPECT_EQ(latest(true), nullptr) << "nothing is known";
  const double coarse = ratio();
  parameters_.error_bound /= 64;
  ASSERT_NE(ratio(), coarse);
  ASSERT_NE(latest(true), nullptr);
  EXPECT_EQ(latest(true)->of(Id::bounded)->ratio, ratio());
  EXPECT_EQ(latest(false), nullptr);
  EXPECT_EQ(memory_.latest(ElementType::float64, EstimateMemory::name_of(bytes()),
                           [](const Estimate&) { return true; }),
            nullptr);
  EXPECT_EQ(memory_.estimates_made(), 2U);
}

TEST_F(Memory, TheLatestWearsOutByWhatItIsUsedFor) {
  const auto is_known = [&](bool is_enough) {
    return memory_.latest(ElementType::float32, EstimateMemory::name_of(bytes()),
                          [&](const Estimate&) { return is_enough; }) != nullptr;
  };
  constexpr std::uint32_t all = EstimateMemory::uses_of_an_estimate;
  for (std::uint32_t uses = 0; uses < all;) {
    ratio();
    ++uses;
    for (std::uint32_t i = 0; i < EstimateMemory::uses_without_bound && uses < all; ++i, ++uses) {
      EXPECT_FALSE(is_known(false));
      ASSERT_TRUE(is_known(true)) << uses;
    }
    EXPECT_FALSE(is_known(true));
  }
  EXPECT_EQ(memory_.estimates_made(), 1U);
  ratio();
  EXPECT_EQ(memory_.estimates_made(), 2U);
  EstimateMemory unremembered({1, 1});
  static_cast<void>(unremembered.get(ElementType::float32, bytes(), parameters_));
  EXPECT_EQ(unremembered.latest(ElementType::float32, EstimateMemory::name_of(bytes()),
                                [](const Estimate&) { return true; }),
            nullptr);
}

TEST_F(Memory, TheLeastRecentlyUsedMakesRoom) {
  for (std::size_t i = 0; i < EstimateMemory::entries; ++i) get(bytes(4 * i));
  get(bytes(0));
  EXPECT_EQ(memory_.estimates_made(), EstimateMemory::entries);
  get(bytes(4 * EstimateMemory::entries));
  EXPECT_EQ(memory_.estimates_made(), EstimateMemory::entries + 1);
  get(bytes(0));
  EXPECT_EQ(memory_.estimates_made(), EstimateMemory::entries + 1) << "was used in between";
  get(bytes(4));
  EXPECT_EQ(memory_.estimates_made(), EstimateMemory::entries + 2) << "was not";
}

TEST_F(Memory, UnknownBuffersAreIgnored) {
  observe(7);
  EXPECT_NE(ratio(), 7);
}

}  // namespace
}  // namespace tightwire::codec
