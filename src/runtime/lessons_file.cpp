#include "runtime/lessons_file.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace tightwire::runtime {
namespace {

namespace fs = std::filesystem;

std::string last_part(const std::string& path) {
  return fs::path(path).filename().string();
}

bool is_interpreter(std::string_view name) {
  static constexpr std::array<std::string_view, 6> known{"python",  "julia", "perl",
                                                         "Rscript", "bash",  "sh"};
  return std::ranges::any_of(known, [&](std::string_view begin) {
    return name.starts_with(begin) &&
           name.find_first_not_of("0123456789.", begin.size()) == std::string_view::npos;
  });
}

// Nothing where the commands stand in the command line, or come from elsewhere.
std::string script_of(std::span<const std::string> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "-c" || word == "-e") return "";
    if (word == "-W" || word == "-X") {
      ++i;
    } else if (!word.starts_with('-')) {
      return last_part(word);
    }
  }
  return "";
}

// A file's name may have 255 bytes.
std::string shortened(const std::string& name) {
  constexpr std::size_t most = 200;
  return name.substr(0, most);
}

std::vector<std::string> own_command_line() {
  std::ifstream stream("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(stream, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace

std::string program_of(std::span<const std::string> command_line) {
  const std::string name = command_line.empty() ? "" : last_part(command_line.front());
  if (!is_interpreter(name)) return name.empty() ? "program" : shortened(name);
  const std::string script = script_of(command_line.subspan(1));
  return script.empty() ? name : shortened(script);
}

std::optional<fs::path> lessons_folder(const char* cache, const char* home) {
  const auto is_absolute = [](const char* path) {
    return path != nullptr && fs::path(path).is_absolute();
  };
  if (is_absolute(cache)) return fs::path(cache) / "tightwire";
  if (is_absolute(home)) return fs::path(home) / ".cache" / "tightwire";
  return std::nullopt;
}

std::optional<std::string> own_lessons_file() {
  const auto folder = lessons_folder(std::getenv("XDG_CACHE_HOME"), std::getenv("HOME"));
  if (!folder) return std::nullopt;
  // Where that fails, so does writing the file, which is told then.
  std::error_code ignored;
  if (fs::create_directories(*folder, ignored)) {
    fs::permissions(*folder, fs::perms::owner_all, ignored);
  }
  return (*folder / (program_of(own_command_line()) + ".json")).string();
}

}  // namespace tightwire::runtime
