// tightwire plot: a Python script draws.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "cli/commands.h"
#include "cli/installation.h"
#include "cli/launch/refuse.h"
#include "os/ownership.h"

namespace tightwire::cli {
namespace {

// Why the script, or the Python of a source tree, must not be run; empty if both may.
std::string fault_of(const std::string& script, const std::optional<std::string>& python) {
  if (std::string fault = os::distrust(script, "run", os::Part::script); !fault.empty())
    return fault;
  return python ? os::distrust(*python, "run") : "";
}

}  // namespace

int run_plot(const Arguments& arguments) {
  const Installation installation;
  const auto script = installation.script("plot.py");
  if (!script) {
    print_error("tightwire: the script plot.py is not installed; it belongs into share/tightwire");
    return not_found;
  }
  const auto own_python = installation.python();
  if (const std::string fault = fault_of(*script, own_python); !fault.empty()) {
    print_error("tightwire: " + fault);
    return usage;
  }
  const std::string python = own_python.value_or("python3");
  std::vector<char*> pointers{const_cast<char*>(python.c_str()),
                              const_cast<char*>(script->c_str())};
  for (const std::string& argument : arguments) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  ::execvp(pointers[0], pointers.data());
  print_error("tightwire: cannot run " + python + ": " + std::strerror(errno) +
              "; plot needs Python with matplotlib");
  return not_found;
}

}  // namespace tightwire::cli
