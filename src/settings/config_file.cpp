#include "settings/config_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "settings/text.h"

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace tightwire::settings {
namespace {

constexpr std::size_t largest_file = 1 << 20;

// Returns 0 or an errno; EFBIG if the file is larger than any sensible one.
int read_whole(const std::string& path, std::string& content) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  std::array<char, 4096> buffer{};
  int error = 0;
  for (;;) {
    const ssize_t size = ::read(file, buffer.data(), buffer.size());
    if (size == 0) break;
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) {
      error = errno;
      break;
    }
    content.append(buffer.data(), static_cast<std::size_t>(size));
    if (content.size() > largest_file) {
      error = EFBIG;
      break;
    }
  }
  ::close(file);
  return error;
}

// Strings, numbers and booleans stand for their text; the parsers of values judge it.
std::optional<std::string> text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return print_number(number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  return std::nullopt;
}

std::string type_name(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return "an array";
  return "a date or time";
}

bool is_setting(std::string_view key) {
  for (const Description& description : descriptions()) {
    if (description.key == key) return true;
  }
  return false;
}

}  // namespace

void read_config_file(const std::string& path, bool required, std::vector<Assignment>& assignments,
                      std::vector<Problem>& problems) {
  std::string content;
  if (const int error = read_whole(path, content); error != 0) {
    if (error == ENOENT && !required) return;
    problems.push_back({"", "", path,
                        std::string("the file of settings cannot be read: ") + std::strerror(error),
                        "correct the name, or leave out --config and TIGHTWIRE_CONFIG"});
    return;
  }
  const toml::parse_result parsed = toml::parse(content, path);
  if (parsed.failed()) {
    const toml::parse_error& error = parsed.error();
    problems.push_back({"", "", path + ":" + std::to_string(error.source().begin.line),
                        "is not TOML: " + std::string(error.description()),
                        "write lines such as error-bound = 1e-4 or mode = \"exact\""});
    return;
  }
  for (const auto& [key, node] : parsed.table()) {
    const std::string place = path + ":" + std::to_string(key.source().begin.line);
    const std::optional<std::string> text = text_of(node);
    if (text || !is_setting(key.str())) {
      // An unknown key keeps its name: load() finds that it is none.
      assignments.push_back({std::string(key.str()), text.value_or(type_name(node)), place});
    } else {
      problems.push_back({std::string(key.str()), type_name(node), place, "is not a single value",
                          "give a number or a text in quotes"});
    }
  }
}

}  // namespace tightwire::settings
