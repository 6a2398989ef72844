// The frame of the file commands: options, and one clear error.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "cli/file/refusal.h"

namespace tightwire::cli {

inline void print_remark(const std::string& remark) {
  if (!remark.empty()) std::fprintf(stderr, "tightwire: %s\n", remark.c_str());
}

// Parses `arguments` with `app`, then works. Returns the exit code: 0, 1 for a Refusal, 2 for bad
// options.
inline int run_file_command(CLI::App& app, const std::vector<std::string>& arguments,
                            const std::function<void()>& work) {
  const std::string name = app.get_name();
  try {
    std::vector<std::string> backwards(arguments.rbegin(), arguments.rend());
    app.parse(backwards);
    work();
    return 0;
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return 0;
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s: %s; see %s --help\n", name.c_str(), error.what(), name.c_str());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    return 1;
  }
}

}  // namespace tightwire::cli
