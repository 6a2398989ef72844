// tightwire plot: a Python script draws.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/commands.h"
#include "cli/installation.h"
#include "cli/refuse.h"

namespace tightwire::cli {
namespace {

// A source tree has an environment of its own with the libraries that the script needs.
std::string python_for(const std::string& script) {
  std::error_code error;
  const auto tree = std::filesystem::path(script).parent_path().parent_path();
  const auto python = tree / ".venv" / "bin" / "python";
  return std::filesystem::exists(python, error) ? python.string() : "python3";
}

}  // namespace

int run_plot(const Arguments& arguments) {
  const auto script = Installation().script("plot.py");
  if (!script) {
    print_error("tightwire: the script plot.py is not installed; it belongs into share/tightwire");
    return not_found;
  }
  const std::string python = python_for(*script);
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
