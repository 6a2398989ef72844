#include "cli/program/program.h"

#include <paths.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <string_view>

#include "os/mapped_file.h"

namespace tightwire::cli {
namespace {

int why_not_executable(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return errno;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  if (!S_ISREG(status.st_mode)) return EACCES;
  return ::access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

void find(Program& program, const std::string& search_path) {
  if (program.given.find('/') != std::string::npos) {
    program.error = why_not_executable(program.given);
    if (program.error != ENOENT) program.path = program.given;
    return;
  }
  program.error = ENOENT;
  std::istringstream folders(search_path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string path = (folder.empty() ? "." : folder) + "/" + program.given;
    const int error = why_not_executable(path);
    if (error == 0) {
      program.path = path;
      program.error = 0;
      return;
    }
    if (error == EACCES && program.path.empty()) {
      program.path = path;
      program.error = error;
    }
  }
}

// "#!/usr/bin/env python3" -> "/usr/bin/env"
std::string interpreter_of(std::span<const std::byte> file) {
  constexpr std::size_t longest = 4096;
  std::string_view line(reinterpret_cast<const char*>(file.data()), std::min(file.size(), longest));
  line = line.substr(0, line.find('\n'));
  line.remove_prefix(std::min(line.find_first_not_of(" \t", 2), line.size()));
  return std::string(line.substr(0, line.find_first_of(" \t\r")));
}

bool is_script(std::span<const std::byte> file) {
  return file.size() >= 2 && file[0] == std::byte{'#'} && file[1] == std::byte{'!'};
}

// What execvp() hands to the shell: the kernel refuses it, and it reads like text.
bool is_shell_script(std::span<const std::byte> file) {
  constexpr std::size_t looked_at = 256;
  const auto start = file.first(std::min(file.size(), looked_at));
  return !start.empty() && std::ranges::find(start, std::byte{0}) == start.end();
}

// Empty for what no interpreter reads.
std::string interpreter_for(std::span<const std::byte> file) {
  if (is_script(file)) return interpreter_of(file);
  return is_shell_script(file) && !is_elf(file) ? _PATH_BSHELL : "";
}

void read_content(Program& program, const std::string& path) {
  const os::MappedFile file(path);
  if (file.error() == EACCES) return;  // may be run without being read; then nothing is known
  const std::string interpreter = program.script ? "" : interpreter_for(file.bytes());
  if (!interpreter.empty()) {
    program.script = true;
    program.interpreter = interpreter;
    const int error = why_not_executable(program.interpreter);
    if (error == 0) {
      read_content(program, program.interpreter);
    } else {
      program.damage = "its interpreter " + program.interpreter + " cannot be run";
    }
    return;
  }
  if (!is_elf(file.bytes())) {
    program.damage =
        file.bytes().empty() ? "it is empty" : "it is neither a program (ELF) nor a script";
    return;
  }
  ElfResult result = read_elf(file.bytes());
  if (!result.ok()) {
    program.damage = result.error;
    return;
  }
  program.elf = result.elf;
  program.has_static_mpi =
      defines_function(file.bytes(), "MPI_Init") || defines_function(file.bytes(), "PMPI_Init");
}

// Linux: a program that gains privileges by its start runs in secure-execution mode (ld.so(8)).
std::string privileges_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return "";
  if ((status.st_mode & S_ISUID) != 0 && status.st_uid != ::geteuid()) return "is setuid";
  if ((status.st_mode & S_ISGID) != 0 && status.st_gid != ::getegid()) return "is setgid";
  if (::geteuid() != 0 && ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0) {
    return "has file capabilities";
  }
  return "";
}

}  // namespace

Program examine(const std::string& name, const std::string& search_path) {
  Program program;
  program.given = name;
  find(program, search_path);
  if (program.error != 0) return program;
  read_content(program, program.path);
  program.privileges = privileges_of(program.executable());
  return program;
}

}  // namespace tightwire::cli
