#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

#include "comparison/inputs.h"

namespace tightwire::comparison {
namespace {

constexpr int ranks = 3;

std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

// What the operation leaves at `rank`, by the definition of it.
std::vector<float> expected(const Inputs& inputs, Operation operation, int rank) {
  const std::size_t block = inputs.count() / ranks;
  const auto begin = static_cast<std::ptrdiff_t>(block) * rank;
  const auto length = static_cast<std::ptrdiff_t>(block);
  std::vector<float> sum(inputs.count());
  std::vector<float> gathered;
  std::vector<float> exchanged;
  for (int from = 0; from < ranks; ++from) {
    const std::vector<float> values = inputs.of(from);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
    gathered.insert(gathered.end(), values.begin(), values.begin() + length);
    exchanged.insert(exchanged.end(), values.begin() + begin, values.begin() + begin + length);
  }
  std::vector<float> of_root = inputs.of(root);
  switch (operation) {
    case Operation::allreduce:
      return sum;
    case Operation::reduce_scatter:
      return {sum.begin() + begin, sum.begin() + begin + length};
    case Operation::bcast:
      return of_root;
    case Operation::scatter:
      return {of_root.begin() + begin, of_root.begin() + begin + length};
    case Operation::alltoall:
      return exchanged;
    case Operation::gather:
      if (rank != root) return {};
      break;
    case Operation::allgather:
      break;
  }
  return gathered;
}

class Errors : public testing::TestWithParam<Operation> {};

TEST_P(Errors, AreMeasuredAgainstWhatTheOperationMeans) {
  const Inputs inputs(counted(24), 4, ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<float> own = inputs.of(rank);
    std::vector<float> result = expected(inputs, GetParam(), rank);
    const std::size_t received = result.size();
    result.resize(24);
    const Call call{GetParam(), 24, rank, ranks, own, result};
    EXPECT_EQ(call.received().size(), received);
    EXPECT_EQ(largest_error(inputs, call), 0) << "rank " << rank;
    if (GetParam() == Operation::bcast && rank == root) continue;  // that keeps its own
    if (received == 0) continue;
    result[received - 1] += 0.5F;
    EXPECT_EQ(largest_error(inputs, call), 0.5);
    result[0] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(std::isinf(largest_error(inputs, call)));
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Errors, testing::ValuesIn(all_operations),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST(Inputs, RanksHoldTheFieldFromDifferentRowsOn) {
  const Inputs inputs(counted(24), 4, ranks);
  EXPECT_EQ(inputs.of(0)[0], 1);
  EXPECT_EQ(inputs.of(1)[0], 1 + 4);
  EXPECT_EQ(inputs.of(2)[0], 1 + 8);
  EXPECT_EQ(inputs.of(2)[23], 8);  // the first row follows the last
  EXPECT_EQ(inputs.range(), 23);
}

TEST(Inputs, OfOneRowBeginAtDifferentValues) {
  const Inputs inputs(counted(24), 24, ranks);
  EXPECT_EQ(inputs.of(1)[0], 1 + 6);
  EXPECT_EQ(inputs.of(2)[0], 1 + 12);
}

TEST(Inputs, FilesAreReadForEachRank) {
  const std::string folder = testing::TempDir() + "comparison_inputs_" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  const std::vector<float> values{1, 2, 3, 4};
  for (const char* name : {"/0.f32", "/1.f32"}) {
    std::ofstream(folder + name, std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()), 16);
  }
  EXPECT_EQ(read_inputs(folder, 2).of(1), values);
  EXPECT_THROW(static_cast<void>(read_inputs(folder, 3)), std::runtime_error);
  std::ofstream(folder + "/1.f32") << "odd";
  EXPECT_THROW(static_cast<void>(read_inputs(folder, 2)), std::runtime_error);
  std::ofstream(folder + "/1.f32") << "odder...";
  EXPECT_THROW(static_cast<void>(read_inputs(folder, 2)), std::runtime_error);
  std::filesystem::remove_all(folder);
}

TEST(Divisible, LeavesOutTheRest) {
  EXPECT_EQ(divisible(16, 3), 15U);
  EXPECT_EQ(divisible(16, 4), 16U);
}

}  // namespace
}  // namespace tightwire::comparison
