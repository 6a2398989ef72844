#include "cli/program/program.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/launch/evidence.h"
#include "elf_builder.h"

namespace tightwire::cli {
namespace {

class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "tightwire-program-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& content, mode_t mode = 0755) {
    std::string path = folder_ + "/" + name;
    std::ofstream(path) << content;
    EXPECT_EQ(chmod(path.c_str(), mode), 0);
    return path;
  }
  std::string file(const std::string& name, const std::vector<std::byte>& content) {
    return file(name, std::string(reinterpret_cast<const char*>(content.data()), content.size()));
  }
  [[nodiscard]] const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

TEST_F(ProgramTest, IsFoundAsExecvpFindsIt) {
  const std::string path = file("prog", "#!/bin/sh\n");
  EXPECT_EQ(examine(path, "").path, path);
  EXPECT_EQ(examine("prog", "/nowhere:" + folder()).path, path);
  EXPECT_EQ(examine("prog", "/nowhere").error, ENOENT);
  EXPECT_EQ(examine(folder() + "/none", folder()).error, ENOENT);
  EXPECT_EQ(examine(folder(), "").error, EISDIR);
  EXPECT_EQ(examine("", folder()).error, ENOENT);
}

TEST_F(ProgramTest, WithoutTheRightToRunIsAnErrorOfItsOwn) {
  const std::string path = file("plain", "text", 0644);
  EXPECT_EQ(examine(path, "").error, EACCES);
  EXPECT_EQ(examine("plain", folder()).error, EACCES);
  EXPECT_NE(cannot_start(examine(path, "")).find("chmod +x"), std::string::npos);
}

TEST_F(ProgramTest, ScriptIsJudgedByItsInterpreter) {
  const Program program = examine(file("script", "#! /bin/sh -e\necho\n"), "");
  EXPECT_TRUE(program.script);
  EXPECT_EQ(program.interpreter, "/bin/sh");
  EXPECT_TRUE(program.loadable());
  const Program orphan = examine(file("orphan", "#!/no/such/shell\n"), "");
  EXPECT_NE(cannot_start(orphan).find("/no/such/shell"), std::string::npos);
  const std::string looped = folder() + "/loop";
  file("loop", "#!" + looped + "\n");
  EXPECT_FALSE(examine(looped, "").loadable()) << "a script that is its own interpreter";
}

// execvp(3): what the kernel does not know is run by the shell.
TEST_F(ProgramTest, ScriptWithoutFirstLineIsTheShells) {
  const Program program = examine(file("script", "echo hello\n"), "");
  EXPECT_EQ(cannot_start(program), "");
  EXPECT_TRUE(program.script);
  EXPECT_EQ(program.interpreter, "/bin/sh");
  EXPECT_TRUE(program.loadable());
}

TEST_F(ProgramTest, NeitherProgramNorScript) {
  EXPECT_NE(cannot_start(examine(file("bytes", std::string("\1\0\2", 3)), "")), "");
  EXPECT_NE(cannot_start(examine(file("empty", ""), "")).find("empty"), std::string::npos);
}

TEST_F(ProgramTest, DamagedElfIsNamed) {
  std::vector<std::byte> content = ElfBuilder().interpreter("/lib/ld.so").build();
  content.resize(100);
  EXPECT_NE(cannot_start(examine(file("cut", content), "")), "");
}

TEST_F(ProgramTest, WhatKeepsALibraryOutIsNamed) {
  const auto dynamic = ElfBuilder().interpreter("/lib64/ld-linux-x86-64.so.2").build();
  EXPECT_EQ(why_not_preload(examine(file("dynamic", dynamic), "")), "");
  EXPECT_NE(why_not_preload(examine(file("static", ElfBuilder().build()), "")).find("statically"),
            std::string::npos);
  const auto musl = ElfBuilder().interpreter("/lib/ld-musl-x86_64.so.1").build();
  EXPECT_NE(why_not_preload(examine(file("musl", musl), "")).find("C library"), std::string::npos);
  auto foreign = dynamic;
  foreign[EI_CLASS] = std::byte{ELFCLASS32};
  EXPECT_NE(why_not_preload(examine(file("foreign", foreign), "")).find("32-bit"),
            std::string::npos);
}

TEST_F(ProgramTest, StaticMpiIsSeen) {
  const auto program =
      ElfBuilder().interpreter("/lib64/ld-linux-x86-64.so.2").defines("MPI_Init").build();
  EXPECT_TRUE(examine(file("own", program), "").has_static_mpi);
}

TEST_F(ProgramTest, SetuidOfAnotherUserIsSeen) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a setuid program of another user";
  const std::string path =
      file("setuid", ElfBuilder().interpreter("/lib64/ld-linux-x86-64.so.2").build());
  ASSERT_EQ(chown(path.c_str(), 65534, 65534), 0);
  ASSERT_EQ(chmod(path.c_str(), 04755), 0);
  EXPECT_NE(why_not_preload(examine(path, "")).find("is setuid"), std::string::npos);
}

}  // namespace
}  // namespace tightwire::cli
