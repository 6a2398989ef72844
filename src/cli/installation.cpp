#include "cli/installation.h"

#include <filesystem>
#include <initializer_list>
#include <system_error>

namespace tightwire::cli {
namespace {

namespace fs = std::filesystem;

// The first of these folders that has the file.
std::optional<std::string> first_with(const std::string& base,
                                      std::initializer_list<const char*> folders,
                                      const std::string& name) {
  if (base.empty()) return std::nullopt;
  for (const char* folder : folders) {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(fs::path(base) / folder / name, error);
    if (!error && fs::is_regular_file(path, error)) return path.string();
  }
  return std::nullopt;
}

}  // namespace

Installation::Installation() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  // Without /proc nothing is found, rather than what lies in the current folder.
  commands_ = error ? "" : self.parent_path().string();
}

std::optional<std::string> Installation::preload(Family family) const {
  return first_with(commands_, {"../lib/tightwire", "../lib", "../lib64/tightwire", "../lib64"},
                    preload_name(family));
}

std::optional<std::string> Installation::helper(const std::string& name) const {
  return first_with(commands_, {"../libexec/tightwire", "../lib/tightwire", "."}, name);
}

std::optional<std::string> Installation::script(const std::string& name) const {
  return first_with(commands_, {in_source_tree() ? "../../src/plot" : "../share/tightwire"}, name);
}

std::optional<std::string> Installation::python() const {
  if (!in_source_tree()) return std::nullopt;
  // Not resolved: by the place of this link Python knows its environment.
  const fs::path python =
      fs::path(commands_).parent_path().parent_path() / ".venv" / "bin" / "python";
  std::error_code error;
  return fs::exists(python, error) ? std::optional(python.string()) : std::nullopt;
}

// No prefix has these, and beside one there may be anything.
bool Installation::in_source_tree() const {
  return first_with(commands_, {".."}, "CMakeCache.txt") &&
         first_with(commands_, {"../.."}, "CMakeLists.txt");
}

std::string Installation::library_folder() const {
  return (fs::path(commands_).parent_path() / "lib").string();
}

}  // namespace tightwire::cli
