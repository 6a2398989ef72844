#include "cli/program/loader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace tightwire::cli {
namespace {

TEST(Loader, ReadsItsAnswer) {
  const Libraries libraries = parse_list(
      "\tlinux-vdso.so.1 (0x00007ffd)\n"
      "\tlibmpi.so.40 => /usr/lib/my mpi/libmpi.so.40 (0x00007f15)\n"
      "\tlibgone.so.1 => not found\n"
      "\t/lib64/ld-linux-x86-64.so.2 (0x00007f16)\n"
      "./app: /lib/libc.so.6: version `GLIBC_2.99' not found (required by ./app)\n");
  ASSERT_EQ(libraries.all.size(), 3U);
  EXPECT_EQ(libraries.all[0].name, "libmpi.so.40");
  EXPECT_EQ(libraries.all[0].path, "/usr/lib/my mpi/libmpi.so.40");
  EXPECT_EQ(libraries.all[1].name, "libgone.so.1");
  EXPECT_EQ(libraries.all[1].path, "");
  EXPECT_EQ(libraries.all[2].name, "ld-linux-x86-64.so.2");
  ASSERT_EQ(libraries.complaints.size(), 1U);
  EXPECT_NE(libraries.complaints[0].find("GLIBC_2.99"), std::string::npos);
}

TEST(Loader, ListsTheLibrariesOfThisTest) {
  const Libraries libraries = list_libraries(std::filesystem::read_symlink("/proc/self/exe"));
  EXPECT_TRUE(std::any_of(libraries.all.begin(), libraries.all.end(), [](const Library& library) {
    return library.name == "libc.so.6" && !library.path.empty();
  }));
}

}  // namespace
}  // namespace tightwire::cli
