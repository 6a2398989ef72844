#include "collectives/whole_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace tightwire::bench {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const char* name) const { return (folder_ / name).string(); }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  // Of this process alone: tests run side by side.
  fs::path folder_ =
      fs::path(testing::TempDir()) / ("tightwire_whole_file_test_" + std::to_string(getpid()));
};

TEST_F(WholeFile, ReplacesWhatWasThere) {
  std::ofstream(path("a")) << "a longer old text";
  EXPECT_EQ(write_whole_file(path("a"), "new"), std::nullopt);
  std::ifstream file(path("a"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(WholeFile, NamesTheFileThatItCannotWrite) {
  const auto problem = write_whole_file(path("missing/a"), "text");
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->find(path("missing/a")), std::string::npos);
  EXPECT_EQ(files(), 0U);
}

TEST_F(WholeFile, LeavesNothingBehindWhereItFails) {
  fs::create_directories(path("a/b"));  // a folder that is not empty cannot be replaced
  EXPECT_TRUE(write_whole_file(path("a"), "text"));
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace tightwire::bench
