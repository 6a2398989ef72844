// The user's program, examined without running it.
#pragma once

#include <optional>
#include <string>

#include "cli/program/elf.h"

namespace tightwire::cli {

struct Program {
  std::string given;            // as the user wrote it
  std::string path;             // where it was found; empty if nowhere
  int error = 0;                // errno that starting it would give: ENOENT, EACCES, EISDIR
  bool script = false;          // begins with #!, or is text that execvp() hands to the shell
  std::string interpreter;      // of a script: the program that really runs
  std::optional<Elf> elf;       // of the program, or of a script's interpreter
  std::string damage;           // what is wrong with the file, if it cannot be run here
  std::string privileges;       // "is setuid root": the loader then ignores LD_PRELOAD
  bool has_static_mpi = false;  // holds MPI_Init itself

  // Whether the dynamic loader of this machine takes part in its start.
  [[nodiscard]] bool loadable() const { return elf && elf->native && elf->dynamic(); }
  // What the kernel runs: the program or the script's interpreter.
  [[nodiscard]] const std::string& executable() const { return script ? interpreter : path; }
};

// Searches as execvp does: a name with a slash is a path, any other is looked for in `search_path`
// (folders with ':' between them).
[[nodiscard]] Program examine(const std::string& name, const std::string& search_path);

}  // namespace tightwire::cli
