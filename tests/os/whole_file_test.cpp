#include "os/whole_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace tightwire::os {
namespace {

namespace fs = std::filesystem;

mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777U;
}

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

  [[nodiscard]] static std::string content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // Of this process alone: tests run side by side.
  fs::path folder_ =
      fs::path(testing::TempDir()) / ("tightwire_whole_file_test_" + std::to_string(getpid()));
};

TEST_F(WholeFile, ReplacesWhatWasThere) {
  std::ofstream(path("a")) << "a longer old text";
  EXPECT_EQ(write_whole_file(path("a"), "new"), std::nullopt);
  EXPECT_EQ(content(path("a")), "new");
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

// What a stranger may have put in a folder that all can write, to have a file overwritten.
TEST_F(WholeFile, NeitherFollowsNorReplacesALink) {
  std::ofstream(path("victim")) << "untouched";
  fs::create_symlink(path("victim"), path("a"));
  const auto problem = write_whole_file(path("a"), "text");
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->find("symbolic link"), std::string::npos);
  EXPECT_TRUE(fs::is_symlink(path("a")));
  EXPECT_EQ(content(path("victim")), "untouched");
  EXPECT_EQ(files(), 2U);
}

TEST_F(WholeFile, DoesNotFollowALinkToNowhere) {
  fs::create_symlink(path("nowhere"), path("a"));
  EXPECT_TRUE(write_whole_file(path("a"), "text"));
  EXPECT_FALSE(fs::exists(path("nowhere")));
}

TEST_F(WholeFile, DoesNotReplaceAPipe) {
  ASSERT_EQ(mkfifo(path("a").c_str(), 0600), 0);
  const auto problem = write_whole_file(path("a"), "text");
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->find("not a regular file"), std::string::npos);
  EXPECT_TRUE(fs::is_fifo(path("a")));
}

TEST_F(WholeFile, DoesNotReplaceADevice) {
  EXPECT_TRUE(write_whole_file("/dev/null", "text"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

// The name of the unfinished file can be guessed.
TEST_F(WholeFile, WritesToNoFileThatWasThereBefore) {
  std::ofstream(path("victim")) << "untouched";
  const std::string guessed = path("a") + ".part-" + std::to_string(getpid()) + "-0";
  fs::create_symlink(path("victim"), guessed);
  EXPECT_EQ(write_whole_file(path("a"), "text"), std::nullopt);
  EXPECT_EQ(content(path("a")), "text");
  EXPECT_EQ(content(path("victim")), "untouched");
}

TEST_F(WholeFile, KeepsToTheUsersMask) {
  const mode_t before = umask(027);
  EXPECT_EQ(write_whole_file(path("a"), "text"), std::nullopt);
  umask(before);
  EXPECT_EQ(mode_of(path("a")), 0640U);
}

// What was private stays so, and what others might write, whatever the mask says.
TEST_F(WholeFile, KeepsTheModeOfWhatItReplaces) {
  for (const mode_t mode : {0600U, 0640U, 0666U, 0444U}) {
    std::ofstream(path("a")) << "old";
    ASSERT_EQ(chmod(path("a").c_str(), mode), 0);
    EXPECT_EQ(write_whole_file(path("a"), "text"), std::nullopt);
    EXPECT_EQ(mode_of(path("a")), mode);
    fs::remove(path("a"));
  }
}

TEST_F(WholeFile, HandsOnNoRightsOfPrograms) {
  std::ofstream(path("a")) << "old";
  ASSERT_EQ(chmod(path("a").c_str(), 06755), 0);
  EXPECT_EQ(write_whole_file(path("a"), "text"), std::nullopt);
  EXPECT_EQ(mode_of(path("a")), 0755U);
}

TEST_F(WholeFile, KeepsTheGroupOfWhatItReplaces) {
  if (geteuid() != 0) GTEST_SKIP() << "only root gives files to groups that it is not in";
  constexpr gid_t group = 65534;
  std::ofstream(path("a")) << "old";
  ASSERT_EQ(chown(path("a").c_str(), static_cast<uid_t>(-1), group), 0);
  EXPECT_EQ(write_whole_file(path("a"), "text"), std::nullopt);
  struct stat status {};
  ASSERT_EQ(stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_gid, group);
}

}  // namespace
}  // namespace tightwire::os
