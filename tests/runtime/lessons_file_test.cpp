#include "runtime/lessons_file.h"

#include <gtest/gtest.h>

#include <vector>

namespace tightwire::runtime {
namespace {

std::string named(const std::vector<std::string>& words) {
  return program_of(words);
}

TEST(LessonsFile, IsNamedForTheProgram) {
  EXPECT_EQ(named({"/opt/app/bin/lmp", "-in", "melt.in"}), "lmp");
  EXPECT_EQ(named({"./app"}), "app");
  EXPECT_EQ(named({}), "program");
  EXPECT_EQ(named({"shallow", "deep"}), "shallow");
}

TEST(LessonsFile, OfAScriptForTheScript) {
  EXPECT_EQ(named({"/usr/bin/python3.11", "-u", "/home/a/heat.py", "--size", "9"}), "heat.py");
  EXPECT_EQ(named({"python", "-m", "mpi4py", "heat.py"}), "mpi4py");
  EXPECT_EQ(named({"bash", "./job.sh"}), "job.sh");
  EXPECT_EQ(named({"python3"}), "python3");
  EXPECT_EQ(named({"python3", "-i"}), "python3");
  EXPECT_EQ(named({"python3", "-W", "ignore", "heat.py"}), "heat.py");
  EXPECT_EQ(named({"python3", "-c", "import a; a.b()"}), "python3");
  EXPECT_EQ(named({std::string(300, 'a')}).size(), 200U);
}

TEST(LessonsFile, LiesInTheUsersCacheFolder) {
  EXPECT_EQ(lessons_folder("/scratch/cache", "/home/a"), "/scratch/cache/tightwire");
  EXPECT_EQ(lessons_folder(nullptr, "/home/a"), "/home/a/.cache/tightwire");
  EXPECT_EQ(lessons_folder("", "/home/a"), "/home/a/.cache/tightwire");
  EXPECT_EQ(lessons_folder("not/absolute", "/home/a"), "/home/a/.cache/tightwire");
  EXPECT_EQ(lessons_folder(nullptr, nullptr), std::nullopt);
  EXPECT_EQ(lessons_folder(nullptr, "home"), std::nullopt);
}

}  // namespace
}  // namespace tightwire::runtime
