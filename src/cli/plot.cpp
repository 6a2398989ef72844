// tightwire plot, report and timeline: Python scripts.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "cli/commands.h"
#include "cli/installation.h"
#include "cli/launch/refuse.h"
#include "os/exec_arguments.h"
#include "os/trust.h"

namespace tightwire::cli {
namespace {

namespace fs = std::filesystem;

// The script and the modules beside it, which it loads.
std::vector<std::string> parts_of(const std::string& script) {
  std::vector<std::string> parts{script};
  std::error_code error;
  fs::directory_iterator entry(fs::path(script).parent_path(), error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.extension() == ".py" && path != script) parts.push_back(path);
  }
  return parts;
}

// Why the script, or the Python of a source tree, must not be run; empty if both may.
std::string fault_of(const std::string& script, const std::optional<std::string>& python) {
  for (const std::string& part : parts_of(script)) {
    if (std::string fault = os::distrust_of_installed(part, "run", os::Part::script);
        !fault.empty())
      return fault;
  }
  return python ? os::distrust_of_installed(*python, "run") : "";
}

// In place of this process.
int run_script(const std::string& name, const Arguments& arguments) {
  const Installation installation;
  const auto script = installation.script(name);
  if (!script) {
    print_error("tightwire: the script " + name +
                " is not installed; it belongs into share/tightwire");
    return not_found;
  }
  const auto own_python = installation.python();
  if (const std::string fault = fault_of(*script, own_python); !fault.empty()) {
    print_error("tightwire: " + fault);
    return usage;
  }
  const std::string python = own_python.value_or("python3");
  // -B: nothing compiled is left in the installation.
  Arguments words{python, "-B", *script};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::vector<char*> pointers = os::exec_arguments(words);
  ::execvp(pointers[0], pointers.data());
  print_error("tightwire: cannot run " + python + ": " + std::strerror(errno) + "; " + name +
              " needs Python with matplotlib");
  return not_found;
}

}  // namespace

int run_plot(const Arguments& arguments) {
  return run_script("plot.py", arguments);
}

int run_report(const Arguments& arguments) {
  return run_script("report.py", arguments);
}

int run_timeline(const Arguments& arguments) {
  return run_script("timeline.py", arguments);
}

}  // namespace tightwire::cli
