// The text of tightwire --help: made from settings.def and commands.def, 80 columns wide.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "cli/commands.h"

namespace tightwire::cli {

[[nodiscard]] std::string help_text();

// Of one command: how it is called, and what it does.
[[nodiscard]] std::string help_text(const Command& command);

// The options beside the settings.
struct StartOption {
  std::string_view names;  // "-h, --help"
  std::string_view value;  // "FILE", or empty
  std::string_view help;
};
inline constexpr std::array<StartOption, 4> start_options{{
    {"--config", "FILE", "read settings from this file in place of ./tightwire.toml"},
    {"--mpi", "openmpi|mpich|abi",
     "the MPI of a program that is linked to none but loads it later; needed only where the "
     "launcher does not tell"},
    {"-h, --help", "", "print this text"},
    {"-V, --version", "", "print the version"},
}};

// What stands for the value of a setting: "SIZE".
[[nodiscard]] std::string placeholder(const std::string& type);

// Breaks `text` at spaces into lines of at most `width` columns, each `indent` spaces in.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent,
                                  std::size_t width = 80);

}  // namespace tightwire::cli
