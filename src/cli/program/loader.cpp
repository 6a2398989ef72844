#include "cli/program/loader.h"

#include <sstream>
#include <string_view>

#include "cli/program/elf.h"
#include "os/child.h"
#include "os/mapped_file.h"

namespace tightwire::cli {
namespace {

constexpr std::chrono::seconds limit{20};

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

// "/lib/libmpi.so.40 (0x00007f...)" -> "/lib/libmpi.so.40"
std::string_view without_address(std::string_view text) {
  return trimmed(text.substr(0, text.rfind(" (0x")));
}

}  // namespace

Libraries parse_list(const std::string& output) {
  Libraries libraries;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const bool indented = line.starts_with("\t");
    const std::string_view text = trimmed(line);
    const auto arrow = text.find(" => ");
    if (indented && arrow != std::string_view::npos) {
      const std::string_view path = text.substr(arrow + 4);
      libraries.all.push_back({std::string(text.substr(0, arrow)),
                               path == "not found" ? "" : std::string(without_address(path))});
    } else if (indented && text.starts_with("/")) {
      const std::string path(without_address(text));
      libraries.all.push_back({path.substr(path.rfind('/') + 1), path});
    } else if (!indented && !text.empty()) {
      libraries.complaints.emplace_back(text);
    }
  }
  return libraries;
}

Libraries list_libraries(const std::string& program) {
#if !defined(__GLIBC__)
#error "another loader may not know LD_TRACE_LOADED_OBJECTS, and would run the program"
#endif
  // The loader of this very process: it is the one that a library built with it will meet.
  const std::string loader = read_elf(os::MappedFile("/proc/self/exe").bytes()).elf.interpreter;
  const os::ChildResult answer = os::run_program(
      {loader, program}, {{"LD_TRACE_LOADED_OBJECTS", "1"}, {"LD_PRELOAD", std::nullopt}}, limit);
  Libraries libraries = parse_list(answer.output);
  if (answer.timed_out) {
    libraries.complaints.push_back(loader + " did not tell what " + program + " needs");
  }
  return libraries;
}

}  // namespace tightwire::cli
