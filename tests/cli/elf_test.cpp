#include "cli/program/elf.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "elf_builder.h"
#include "os/mapped_file.h"

namespace tightwire::cli {
namespace {

using Bytes = std::vector<std::byte>;

Bytes small_program() {
  return ElfBuilder()
      .interpreter("/lib64/ld-linux-x86-64.so.2")
      .needs("libmpi.so.40")
      .needs("libc.so.6")
      .defines("main")
      .calls("MPI_Init")
      .build();
}

// Every reader at once; the sanitizers judge. The vector is as large as the file, so that they see
// a byte too far.
void read_all(const Bytes& file) {
  (void)read_elf(file);
  (void)defines_function(file, "MPI_Init");
  (void)imported_functions(file);
}

TEST(Elf, ReadsWhatAProgramNeeds) {
  const ElfResult result = read_elf(small_program());
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(result.elf.bits, 64);
  EXPECT_TRUE(result.elf.native);
  EXPECT_TRUE(result.elf.dynamic());
  EXPECT_EQ(result.elf.interpreter, "/lib64/ld-linux-x86-64.so.2");
  EXPECT_EQ(result.elf.needed, (std::vector<std::string>{"libmpi.so.40", "libc.so.6"}));
}

TEST(Elf, TellsDefinitionFromUse) {
  const Bytes program = small_program();
  EXPECT_TRUE(defines_function(program, "main"));
  EXPECT_FALSE(defines_function(program, "MPI_Init"));
  EXPECT_TRUE(defines_function(ElfBuilder().defines("MPI_Init").build(), "MPI_Init"));
}

TEST(Elf, ListsWhatIsTakenFromLibraries) {
  const Bytes program = small_program();
  const auto imported = imported_functions(program);
  EXPECT_EQ(std::ranges::count(imported, "MPI_Init"), 1);
  EXPECT_EQ(std::ranges::count(imported, "main"), 0);
  EXPECT_TRUE(imported_functions(Bytes(100)).empty());
}

TEST(Elf, ProgramWithoutLoaderIsStatic) {
  const ElfResult result = read_elf(ElfBuilder().build());
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_FALSE(result.elf.dynamic());
}

TEST(Elf, ReadsItself) {
  const os::MappedFile self("/proc/self/exe");
  const ElfResult result = read_elf(self.bytes());
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_TRUE(result.elf.dynamic());
  EXPECT_NE(std::find(result.elf.needed.begin(), result.elf.needed.end(), "libc.so.6"),
            result.elf.needed.end());
  EXPECT_TRUE(defines_function(self.bytes(), "main"));
}

TEST(Elf, RefusesWhatIsNone) {
  EXPECT_FALSE(read_elf(Bytes{}).ok());
  EXPECT_FALSE(read_elf(Bytes(100)).ok());
  EXPECT_FALSE(is_elf(Bytes(3)));
}

TEST(Elf, OtherMachinesAreNamedAndNotRead) {
  Bytes file = small_program();
  file[EI_CLASS] = std::byte{ELFCLASS32};
  ElfResult result = read_elf(file);
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.elf.bits, 32);
  EXPECT_FALSE(result.elf.native);
  EXPECT_TRUE(result.elf.needed.empty());

  file = small_program();
  file[EI_DATA] = std::byte{ELFDATA2MSB};
  const auto machine = static_cast<std::uint16_t>(EM_AARCH64);
  file[offsetof(Elf64_Ehdr, e_machine)] = std::byte{machine >> 8U};
  file[offsetof(Elf64_Ehdr, e_machine) + 1] = std::byte{machine & 255U};
  result = read_elf(file);
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.elf.machine, "AArch64");
  EXPECT_FALSE(result.elf.native);
}

TEST(Elf, EveryTruncationIsHarmless) {
  const Bytes file = small_program();
  for (std::size_t size = 0; size < file.size(); ++size) {
    read_all(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)));
  }
  const std::size_t headers = sizeof(Elf64_Ehdr) + 3 * sizeof(Elf64_Phdr);
  for (std::size_t size = SELFMAG; size < headers; ++size) {
    const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(read_elf(cut).ok()) << size;
  }
}

TEST(Elf, EveryFieldMayLie) {
  const Bytes file = small_program();
  for (std::size_t at = SELFMAG; at + 8 <= file.size(); ++at) {
    for (const std::uint64_t lie :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{file.size()}, std::uint64_t{1} << 31U,
          std::uint64_t{1} << 63U, ~std::uint64_t{0}, ~std::uint64_t{0} - 7}) {
      Bytes hostile = file;
      std::memcpy(&hostile[at], &lie, sizeof lie);
      read_all(hostile);
    }
  }
}

TEST(Elf, RandomDamageIsHarmless) {
  const Bytes file = small_program();
  EXPECT_TRUE(rc::check("random bytes anywhere", [&] {
    Bytes hostile = file;
    const int changes = *rc::gen::inRange(1, 20);
    for (int i = 0; i < changes; ++i) {
      const auto at = *rc::gen::inRange<std::size_t>(SELFMAG, hostile.size());
      hostile[at] = static_cast<std::byte>(*rc::gen::inRange(0, 256));
    }
    read_all(hostile);
  }));
}

}  // namespace
}  // namespace tightwire::cli
