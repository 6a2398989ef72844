#include "cli/advise/source_lines.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "os/child.h"

namespace tightwire::cli {
namespace {

constexpr std::chrono::seconds limit{30};

// In the folders of PATH.
std::string found_program(const std::string& name) {
  const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  std::istringstream folders(path == nullptr ? "/usr/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = folder;
    file.append("/").append(name);
    if (folder.starts_with("/") && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

std::string hexadecimal(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

// "halo.c:41" of "/home/somebody/halo.c:41 (discriminator 2)"; empty for "??:0".
std::string line_of(const std::string& text) {
  const std::string line = text.substr(0, text.find(' '));
  if (line.starts_with("??") || line.ends_with(":0") || line.ends_with(":?")) return "";
  return line.substr(line.rfind('/') + 1);
}

}  // namespace

std::map<std::uint64_t, std::string> source_lines(const std::string& program,
                                                  const std::set<std::uint64_t>& offsets) {
  std::string tool = found_program("addr2line");
  if (tool.empty()) tool = found_program("eu-addr2line");
  if (tool.empty() || offsets.empty()) return {};
  std::vector<std::string> words{tool, "-e", program};
  for (const std::uint64_t offset : offsets) words.push_back(hexadecimal(offset));
  const os::ChildResult result = os::run_program(words, {}, limit);
  if (!result.ok()) return {};
  std::map<std::uint64_t, std::string> lines;
  std::istringstream output(result.output);
  std::string text;
  for (const std::uint64_t offset : offsets) {
    if (!std::getline(output, text)) break;
    if (std::string line = line_of(text); !line.empty()) lines[offset] = std::move(line);
  }
  return lines;
}

}  // namespace tightwire::cli
