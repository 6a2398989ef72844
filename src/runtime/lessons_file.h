// Where lessons are kept with `learned = auto`: in the user's cache folder, a file for each
// program.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace tightwire::runtime {

// The name of the program that a command line runs: of a script, not of its interpreter.
[[nodiscard]] std::string program_of(std::span<const std::string> command_line);

// Of these values of XDG_CACHE_HOME and HOME (null: not set), as the XDG base directory
// specification has it: a folder counts if its path is absolute. Nothing if neither does.
[[nodiscard]] std::optional<std::filesystem::path> lessons_folder(const char* cache,
                                                                  const char* home);

// Of this process. Makes the folder, for the user alone. Nothing if there is no place for one.
[[nodiscard]] std::optional<std::string> own_lessons_file();

}  // namespace tightwire::runtime
