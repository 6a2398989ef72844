#include "history/copy.h"

#include <gtest/gtest.h>

#include "fields.h"

namespace tightwire::history {
namespace {

TEST(HistoryBudget, IsTakenAndGivenBack) {
  Budget budget(100);
  EXPECT_TRUE(budget.take(60));
  EXPECT_FALSE(budget.take(41));
  EXPECT_TRUE(budget.take(40));
  budget.give_back(60);
  EXPECT_EQ(budget.held(), 40U);
  EXPECT_FALSE(budget.take(static_cast<std::size_t>(-1)));
}

TEST(HistoryCopy, HoldsTheMessageWithinTheBudget) {
  const auto field = field_at(0);
  const auto bytes = bytes_of(field);
  Budget budget(2 * bytes.size());
  auto first = Copy::of(bytes, budget);
  ASSERT_TRUE(first);
  EXPECT_TRUE(std::ranges::equal(first->bytes(), bytes));
  EXPECT_EQ(budget.held(), bytes.size());
  auto second = Copy::of(bytes, budget);
  ASSERT_TRUE(second);
  EXPECT_EQ(first->hash(), second->hash());
  EXPECT_FALSE(Copy::of(bytes, budget));
  first.reset();
  EXPECT_EQ(budget.held(), bytes.size());
}

TEST(HistoryCopy, MemoryOfASpareIsUsedUnlessSomebodyHasIt) {
  const auto old = field_at(0);
  const auto field = field_at(1);
  Budget budget(2 * field_values * sizeof(double));
  auto spare = Copy::of(bytes_of(old), budget);
  const std::byte* place = spare->bytes().data();
  auto next = Copy::of(bytes_of(field), budget, std::move(spare));
  EXPECT_EQ(next->bytes().data(), place);
  const SharedCopy reader = next;
  const auto other = Copy::of(bytes_of(old), budget, std::move(next));
  EXPECT_NE(other->bytes().data(), place);
  EXPECT_TRUE(std::ranges::equal(reader->bytes(), bytes_of(field)));
}

}  // namespace
}  // namespace tightwire::history
