#include "settings/source/config_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "os/file_descriptor.h"
#include "os/trust.h"
#include "settings/source/toml.h"
#include "settings/text.h"

namespace tightwire::settings {
namespace {

constexpr std::size_t largest_file = 1 << 20;

// Returns 0 or an errno; EFBIG if the file is larger than any sensible one.
int read_whole(int file, std::string& content) {
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t size = ::read(file, buffer.data(), buffer.size());
    if (size == 0) return 0;
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno;
    content.append(buffer.data(), static_cast<std::size_t>(size));
    if (content.size() > largest_file) return EFBIG;
  }
}

// A file that nobody named is not waited for: somebody may have put a pipe there.
os::FileDescriptor open_file(const std::string& path, bool named) {
  return os::FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | (named ? 0 : O_NONBLOCK)));
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

std::string place_of(const toml::node& node, const std::string& path) {
  return path + ":" + std::to_string(node.source().begin.line);
}

// Arrays stand for several texts, which not every key may have.
std::optional<std::vector<std::string>> texts_of(const toml::node& node) {
  if (const auto text = text_of(node)) return std::vector{*text};
  const toml::array* array = node.as_array();
  if (array == nullptr || array->empty()) return std::nullopt;
  std::vector<std::string> texts;
  for (const toml::node& each : *array) {
    const auto text = text_of(each);
    if (!text) return std::nullopt;
    texts.push_back(*text);
  }
  return texts;
}

void read_rule(const toml::table& table, const std::string& path, Loaded& loaded) {
  std::vector<RuleLine> lines;
  const std::size_t before = loaded.problems.size();
  for (const auto& [key, node] : table) {
    const std::string place = path + ":" + std::to_string(key.source().begin.line);
    if (auto texts = texts_of(node)) {
      lines.push_back({std::string(key.str()), *std::move(texts), place});
    } else {
      loaded.problems.push_back({std::string(key.str()), type_name(node), place,
                                 "is no value of a rule",
                                 "give a number, a text in quotes, or an array of such"});
    }
  }
  Rule rule = read_rule(lines, place_of(table, path), loaded.problems);
  if (loaded.problems.size() == before) loaded.rules.push_back(std::move(rule));
}

void read_rules(const toml::node& node, const std::string& path, Loaded& loaded) {
  const toml::array* tables = node.as_array();
  const bool sound =
      tables != nullptr &&
      std::all_of(tables->begin(), tables->end(), [](const auto& each) { return each.is_table(); });
  if (!sound) {
    loaded.problems.push_back({"rule", node.is_table() ? "a table" : "a value",
                               place_of(node, path), "is not a list of rules",
                               "begin each rule with a line [[rule]]"});
    return;
  }
  for (const toml::node& each : *tables) read_rule(*each.as_table(), path, loaded);
}

bool is_setting(std::string_view key) {
  for (const Description& description : descriptions()) {
    if (description.key == key) return true;
  }
  return false;
}

}  // namespace

std::vector<Assignment> read_config_file(const std::string& path, bool named, Loaded& loaded) {
  const os::FileDescriptor file = open_file(path, named);
  int error = file.open() ? 0 : errno;
  if (error == ENOENT && !named) return {};
  if (error == 0 && !named) {
    if (const std::string reason = os::distrust_of_found(file.get()); !reason.empty()) {
      loaded.notes.push_back(path + " is not read, because it " + reason +
                             "; if it says what you want, name it: --config " + path);
      return {};
    }
  }
  loaded.config_file = path;
  std::string content;
  if (error == 0) error = read_whole(file.get(), content);
  if (error != 0) {
    loaded.problems.push_back(
        {"", "", path, std::string("the file of settings cannot be read: ") + std::strerror(error),
         "correct the name, or leave out --config and TIGHTWIRE_CONFIG"});
    return {};
  }
  const toml::parse_result parsed = toml::parse(content, path);
  if (parsed.failed()) {
    const toml::parse_error& syntax = parsed.error();
    loaded.problems.push_back({"", "", path + ":" + std::to_string(syntax.source().begin.line),
                               "is not TOML: " + std::string(syntax.description()),
                               "write lines such as error-bound = 1e-4 or mode = \"exact\""});
    return {};
  }
  std::vector<Assignment> assignments;
  for (const auto& [key, node] : parsed.table()) {
    const std::string place = path + ":" + std::to_string(key.source().begin.line);
    if (key.str() == "rule") {
      read_rules(node, path, loaded);
      continue;
    }
    const std::optional<std::string> text = text_of(node);
    if (text || !is_setting(key.str())) {
      // An unknown key keeps its name: load() finds that it is none.
      assignments.push_back({std::string(key.str()), text.value_or(type_name(node)), place});
    } else {
      loaded.problems.push_back({std::string(key.str()), type_name(node), place,
                                 "is not a single value", "give a number or a text in quotes"});
    }
  }
  return assignments;
}

}  // namespace tightwire::settings
