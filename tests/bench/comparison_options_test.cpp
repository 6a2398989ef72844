#include <gtest/gtest.h>

#include "comparison/options.h"

namespace tightwire::comparison {
namespace {

using Arguments = std::vector<const char*>;

std::variant<Options, bench::Notice> parsed(Arguments more) {
  Arguments all{"bench-comparison", "--output", "a.csv", "--breakdown", "b.csv"};
  all.insert(all.end(), more.begin(), more.end());
  return parse_options(static_cast<int>(all.size()), all.data());
}

TEST(ComparisonOptions, HaveAllOperationsAndMethodsByDefault) {
  const auto result = parsed({});
  const auto* options = std::get_if<Options>(&result);
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->operations.size(), 7U);
  EXPECT_EQ(options->methods.size(), 10U);
  EXPECT_EQ(options->bytes, std::vector<std::size_t>{4 << 20});
}

TEST(ComparisonOptions, AreTakenAsGiven) {
  const auto result = parsed({"--ops", "bcast,scatter", "--bytes", "64K,1M", "--methods", "ccoll",
                              "--error-bound", "0.5", "--field", "white_noise"});
  const auto* options = std::get_if<Options>(&result);
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->operations, (std::vector{Operation::bcast, Operation::scatter}));
  EXPECT_EQ(options->bytes, (std::vector<std::size_t>{65536, 1 << 20}));
  EXPECT_EQ(options->methods, std::vector<std::string>{"ccoll"});
  EXPECT_EQ(options->error_bound.value, 0.5);
}

struct Refusal {
  Arguments arguments;
  std::string named;
};

class RefusedOptions : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedOptions, NameOptionAndValue) {
  const auto result = parsed(GetParam().arguments);
  const auto* notice = std::get_if<bench::Notice>(&result);
  ASSERT_NE(notice, nullptr);
  EXPECT_EQ(notice->exit_code, 2);
  EXPECT_NE(notice->text.find(GetParam().arguments[0]), std::string::npos) << notice->text;
  EXPECT_NE(notice->text.find(GetParam().named), std::string::npos) << notice->text;
}

INSTANTIATE_TEST_SUITE_P(Each, RefusedOptions,
                         testing::Values(Refusal{{"--ops", "scan"}, "\"scan\""},
                                         Refusal{{"--methods", "zccl"}, "cprp2p-zfp-rate"},
                                         Refusal{{"--bytes", "32K"}, "power of two"},
                                         Refusal{{"--bytes", "3M"}, "\"3M\""},
                                         Refusal{{"--field", "sorted_positions"}, "float32"},
                                         Refusal{{"--field", "snow"}, "\"snow\""},
                                         Refusal{{"--error-bound", "none"}, "nothing to measure"},
                                         Refusal{{"--error-bound", "-1"}, "negative"},
                                         Refusal{{"--zfp-rate", "0"}, "0"},
                                         Refusal{{"--seconds", "-2"}, "-2"},
                                         Refusal{{"--fewest", "0"}, "0"}));

TEST(ComparisonOptions, NeedBothFiles) {
  const Arguments only{"bench-comparison", "--output", "a.csv"};
  const auto result = parse_options(3, only.data());
  const auto* notice = std::get_if<bench::Notice>(&result);
  ASSERT_NE(notice, nullptr);
  EXPECT_NE(notice->text.find("--breakdown"), std::string::npos);
}

}  // namespace
}  // namespace tightwire::comparison
