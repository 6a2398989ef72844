#include "settings/rules.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "settings/settings.h"

namespace tightwire::settings {
namespace {

class Rules : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path()); }
  static std::string path() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    return testing::TempDir() + "tightwire-rules-" + test->name() + ".toml";
  }
  static Loaded load_text(const std::string& text) {
    std::ofstream(path()) << text;
    Sources sources;
    sources.config_file = path();
    return load(sources);
  }

  // The one problem of a file; an empty one (and a failure) if there is not exactly one.
  static Problem problem_of(const std::string& text) {
    const Loaded loaded = load_text(text);
    EXPECT_EQ(loaded.problems.size(), 1U) << text;
    if (loaded.problems.size() != 1) return {};
    EXPECT_FALSE(loaded.problems[0].reason.empty());
    EXPECT_FALSE(loaded.problems[0].advice.empty());
    return loaded.problems[0];
  }
};

std::bitset<operation_count> bits(std::initializer_list<Operation> operations) {
  std::bitset<operation_count> set;
  for (const Operation each : operations) set.set(static_cast<std::size_t>(each));
  return set;
}

TEST_F(Rules, StandInTheOrderOfTheFile) {
  const Loaded loaded = load_text(
      "mode = 'adaptive'\n"
      "[[rule]]\noperation = ['allreduce', 'send']\ndatatype = 'double'\nmin-bytes = '1M'\n"
      "max-bytes = '2M'\ncommunicator = 'halo*'\nwhere = 'send_*'\nerror-bound = 1e-4\nexact-codec "
      "= 'lz4'\n"
      "[[rule]]\nmode = 'raw'\n");
  ASSERT_TRUE(loaded.problems.empty()) << describe(loaded.problems[0]);
  ASSERT_EQ(loaded.rules.size(), 2U);
  const Rule& first = loaded.rules[0];
  EXPECT_EQ(first.operations, bits({Operation::allreduce, Operation::send}));
  EXPECT_EQ(first.datatypes.count(), 1U);
  EXPECT_TRUE(first.datatypes.test(static_cast<std::size_t>(Datatype::float64)));
  EXPECT_EQ(first.min_bytes.value, 1U << 20U);
  EXPECT_EQ(first.max_bytes.value, 2U << 20U);
  EXPECT_EQ(first.communicator, "halo*");
  EXPECT_EQ(first.where, "send_*");
  EXPECT_EQ(first.place, path() + ":2");
  const Settings changed = with(loaded.settings, first.overrides);
  EXPECT_EQ(changed.error_bound.value, 1e-4);
  EXPECT_EQ(changed.exact_codec, ExactCodec::lz4);
  EXPECT_EQ(changed.mode, Mode::adaptive) << "what the rule leaves as it is";

  const Rule& second = loaded.rules[1];
  EXPECT_TRUE(second.operations.all() && second.datatypes.all() && !second.goes_by_name());
  EXPECT_EQ(with(loaded.settings, second.overrides).mode, Mode::raw);
}

TEST_F(Rules, GroupsStandForTheirMembers) {
  const auto one = [](const std::string& line) {
    const Loaded loaded = load_text("[[rule]]\nmode = 'exact'\n" + line + "\n");
    return loaded.rules.size() == 1 ? loaded.rules[0] : Rule{};
  };
  EXPECT_EQ(one("operation = 'point-to-point'").operations, bits({Operation::send}));
  EXPECT_EQ(one("operation = ['iallreduce', 'scatter-init', 'isend']").operations,
            bits({Operation::allreduce, Operation::scatter, Operation::send}));
  EXPECT_EQ(one("operation = 'collective'").operations, ~bits({Operation::send}));
  EXPECT_EQ(one("datatype = 'floating-point'").datatypes.count(), 2U);
  EXPECT_EQ(one("datatype = 'integer'").datatypes.count(), 4U);
  EXPECT_EQ(one("peer = 'other-host'").operations, bits({Operation::send}))
      << "only messages between two ranks have a peer";
}

TEST_F(Rules, WhatIsWrongIsNamedWithItsLine) {
  const std::string begin = "[[rule]]\nmode = 'exact'\n";
  const struct {
    std::string text, key, value, words;
    int line;
  } cases[] = {
      {begin + "operation = 'allreduec'", "operation", "allreduec", "allreduce?", 3},
      {begin + "operation = 'iiallreduce'", "operation", "iiallreduce", "allreduce", 3},
      {begin + "datatype = ['float', 'quad']", "datatype", "float, quad", "is not known", 3},
      {begin + "min-bytes = 'many'", "min-bytes", "many", "size", 3},
      {begin + "max-bytes = [1, 2]", "max-bytes", "1, 2", "single value", 3},
      {begin + "communicator = ''", "communicator", "", "pattern", 3},
      {begin + "where = ''", "where", "", "name of a function", 3},
      {begin + "peer = 'far'", "peer", "far", "other-host", 3},
      {begin + "opperation = 'bcast'", "opperation", "bcast", "did you mean operation", 3},
      {begin + "point-to-point = true", "point-to-point", "true", "by jobs", 3},
      {begin + "operation = []", "operation", "an array", "is no value", 3},
      {begin + "operation = 'bcast'\npeer = 'same-host'", "", "", "is for collectives", 1},
      {begin + "min-bytes = 2\nmax-bytes = 1", "", "", "min-bytes above", 1},
      {"[[rule]]\noperation = 'bcast'", "", "", "sets nothing", 1},
      {"[[rule]]\nmode = 'fast'", "mode", "fast", "use one of", 2},
      {"[[rule]]\nerror-bound = -1", "error-bound", "-1", "negative", 2},
      {"[[rule]]\nmode = 'bounded'", "mode", "bounded", "needs an error bound", 1},
      {"[rule]\nmode = 'exact'", "rule", "a table", "[[rule]]", 1},
      {"rule = 3", "rule", "a value", "[[rule]]", 1},
  };
  for (const auto& each : cases) {
    const Problem problem = problem_of(each.text + "\n");
    EXPECT_EQ(problem.key, each.key) << each.text;
    EXPECT_EQ(problem.value, each.value) << each.text;
    EXPECT_EQ(problem.place, path() + ":" + std::to_string(each.line)) << each.text;
    EXPECT_NE((problem.reason + problem.advice).find(each.words), std::string::npos)
        << describe(problem);
  }
}

TEST_F(Rules, ABoundMayComeFromTheSettings) {
  EXPECT_TRUE(load_text("error-bound = 1e-4\n[[rule]]\nmode = 'bounded'\n").problems.empty());
  EXPECT_TRUE(load_text("[[rule]]\nmode = 'bounded'\nerror-bound = 1\n").problems.empty());
  EXPECT_EQ(load_text("error-bound = 1\n[[rule]]\nmode = 'bounded'\nerror-bound = 'none'\n")
                .problems.size(),
            1U);
}

TEST_F(Rules, EqualTextExactlyForEqualRules) {
  const auto text = [](const std::string& lines) {
    const Loaded loaded = load_text("[[rule]]\nmode = 'exact'\n" + lines);
    return loaded.rules.size() == 1 ? print(loaded.rules[0]) : "(none)";
  };
  EXPECT_EQ(text(""), "every call: mode=exact");
  EXPECT_EQ(text("operation = ['send', 'bcast']\nmin-bytes = '64K'\n"),
            text("operation = ['bcast', 'send']\nmin-bytes = 65536\n"));
  for (const char* other :
       {"operation = 'bcast'\n", "datatype = 'int'\n", "min-bytes = 1\n", "max-bytes = 1\n",
        "communicator = 'a'\n", "where = 'a'\n", "peer = 'same-host'\n", "zstd-level = 3\n"}) {
    EXPECT_NE(text(other), text("")) << other;
    EXPECT_EQ(text(other).find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace tightwire::settings
