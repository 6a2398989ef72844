// Reads what the launcher must know of an ELF file: what it needs, and what would keep a preload
// library out. Follows the System V ABI, chapters 4 and 5 (ELF-64).
//
// Takes any bytes: every offset is checked against the file before it is used. Allocates in
// proportion to the file at most. Pure and thread-safe.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tightwire::cli {

struct Elf {
  int bits = 0;             // 32 or 64
  std::string machine;      // "x86-64", "AArch64", "machine 243"
  bool native = false;      // of the class, byte order and machine of this build; if not, the rest
                            // is empty
  std::string interpreter;  // the dynamic loader that it asks for; empty if linked statically
  std::string soname;
  std::vector<std::string> needed;  // names of shared libraries, in order

  [[nodiscard]] bool dynamic() const { return !interpreter.empty(); }
};

struct ElfResult {
  Elf elf;
  std::string error;  // empty if all is well; else what is wrong with the file
  [[nodiscard]] bool ok() const { return error.empty(); }
};

[[nodiscard]] bool is_elf(std::span<const std::byte> file);

[[nodiscard]] ElfResult read_elf(std::span<const std::byte> file);

// The functions that the file takes from shared libraries, by their names, which refer to the file.
// Empty where they cannot be read.
[[nodiscard]] std::vector<std::string_view> imported_functions(std::span<const std::byte> file);

// Whether the file holds the code of this function itself, as when MPI is linked statically. False
// where symbols were stripped or cannot be read.
[[nodiscard]] bool defines_function(std::span<const std::byte> file, std::string_view name);

}  // namespace tightwire::cli
