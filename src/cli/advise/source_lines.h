// Where in the source an audit's calls stand, by the debugging information of the program.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace tightwire::cli {

// "halo.c:41" for each offset in the file that its debugging information knows; asks addr2line,
// which binutils brings. Empty where there is none, or no such information.
[[nodiscard]] std::map<std::uint64_t, std::string> source_lines(
    const std::string& program, const std::set<std::uint64_t>& offsets);

}  // namespace tightwire::cli
