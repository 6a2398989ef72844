// The commands that work on files, for trying codecs on one's own data. No MPI. Each takes the
// arguments behind its name and returns the exit code.
#pragma once

#include <string>
#include <vector>

namespace tightwire::cli {

[[nodiscard]] int run_compress(const std::vector<std::string>& arguments);
[[nodiscard]] int run_expand(const std::vector<std::string>& arguments);
[[nodiscard]] int run_inspect(const std::vector<std::string>& arguments);

}  // namespace tightwire::cli
