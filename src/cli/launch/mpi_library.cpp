#include "cli/launch/mpi_library.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include "cli/program/elf.h"
#include "cli/program/probe.h"
#include "os/mapped_file.h"

namespace tightwire::cli {
namespace {

namespace fs = std::filesystem;

// What starts ranks: of Open MPI 3 and 4, Open MPI 5, MPICH and its relatives.
constexpr std::array<std::string_view, 10> starters{
    "mpirun", "mpiexec", "orterun",         "orted",         "prterun",
    "prted",  "prte",    "hydra_pmi_proxy", "mpiexec.hydra", "mpirun.hydra"};

// A shell or two may stand between mpirun and this process.
constexpr int generations = 4;

// The fourth field of /proc/<id>/stat; the second, a name in parentheses, may hold anything.
std::optional<pid_t> parent_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const auto end = text.rfind(") ");
  if (end == std::string::npos || text.size() < end + 5) return std::nullopt;
  const int parent = std::atoi(text.c_str() + end + 4);  // NOLINT: 0 if it is no number
  return parent > 0 ? std::optional<pid_t>(parent) : std::nullopt;
}

// The program that started this rank; empty where that cannot be seen.
std::string starter() {
  std::optional<pid_t> process = ::getppid();
  for (int i = 0; process && i < generations; ++i, process = parent_of(*process)) {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/" + std::to_string(*process) + "/exe", error);
    const std::string name = program.filename().string();
    if (!error && std::find(starters.begin(), starters.end(), name) != starters.end()) {
      return program.string();
    }
  }
  return "";
}

std::string first_in(const std::vector<std::string>& folders, Family family) {
  for (const std::string& folder : folders) {
    for (const std::string& name : mpi_libraries(family)) {
      std::error_code error;
      const fs::path path = fs::path(folder) / name;
      if (fs::is_regular_file(path, error)) return path.string();
    }
  }
  return "";
}

}  // namespace

bool brings_mpi(const std::string& preload) {
  const os::MappedFile file(preload);
  const std::vector<std::string> needed = read_elf(file.bytes()).elf.needed;
  return std::any_of(needed.begin(), needed.end(),
                     [](const std::string& name) { return family_of_library(name).has_value(); });
}

const std::vector<std::string>& mpi_libraries(Family family) {
  static const std::vector<std::string> openmpi{"libmpi.so.40"};
  static const std::vector<std::string> mpich{"libmpi.so.12", "libmpich.so.12"};
  static const std::vector<std::string> abi{"libmpi_abi.so.1"};
  switch (family) {
    case Family::openmpi:
      return openmpi;
    case Family::mpich:
      return mpich;
    case Family::abi:
      break;
  }
  return abi;
}

std::vector<std::string> library_folders_near(const std::string& program) {
  const fs::path bin = fs::path(program).parent_path();
  if (!bin.is_absolute() || bin.filename() != "bin") return {};
  const std::string prefix = bin.parent_path().string();
  std::vector<std::string> folders;
  for (const char* name : {"/lib", "/lib64", "/lib/release"}) folders.push_back(prefix + name);
  return folders;
}

std::string find_mpi_library(Family family, const Program& program) {
  for (const std::string& near : {starter(), program.executable()}) {
    // A link to the system's Python tells by its own place which environment it is of.
    std::error_code error;
    const std::string path =
        near.empty() ? "" : fs::absolute(near, error).lexically_normal().string();
    if (std::string found = first_in(library_folders_near(path), family); !found.empty()) {
      return found;
    }
  }
  for (const std::string& name : mpi_libraries(family)) {
    if (std::string found = path_when_loaded(name); !found.empty()) return found;
  }
  return "";
}

}  // namespace tightwire::cli
