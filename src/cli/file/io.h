// Whole files. All throw Refusal, naming the path.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace tightwire::cli {

[[nodiscard]] std::vector<std::byte> read_file(const std::string& path);

// Whether write_file() may write there; for all files before the first is written, so that an error
// leaves none of them behind.
void check_output(const std::string& path, bool replace);

// Writes the parts one after the other under a temporary name beside `path` and renames it, so that
// nobody sees half a file. A file that is there is replaced only if `replace`.
void write_file(const std::string& path, std::initializer_list<std::span<const std::byte>> parts,
                bool replace);

}  // namespace tightwire::cli
