// What a program says in place of doing its work: help, or what is wrong with its command line.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace tightwire::calibrate {

struct Notice {
  std::string text;
  int exit_code = 0;
};

inline constexpr int bad_usage = 2;

// Nothing if the command line is good. `help` is what the user is sent to where it is not.
[[nodiscard]] std::optional<Notice> parse(CLI::App& app, int argc, const char* const* argv,
                                          const char* help = "--help");

}  // namespace tightwire::calibrate
