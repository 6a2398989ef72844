#include "cli/launch/evidence.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/commands.h"
#include "cli/launch/handover.h"
#include "os/trust.h"
#include "settings/nearest.h"

namespace tightwire::cli {
namespace {

std::string advice_when_missing(const std::string& name) {
  if (name.find('/') != std::string::npos) return "check its path";
  if (::access(("./" + name).c_str(), X_OK) == 0) return "did you mean ./" + name + "?";
  std::vector<std::string_view> known;
  for (const Command& command : commands()) known.push_back(command.name);
  if (const auto near = settings::nearest(name, known)) {
    return "did you mean tightwire " + std::string(*near) + "?";
  }
  return "it is in no folder of PATH";
}

}  // namespace

std::vector<Family> installed_families(const Installation& installation) {
  std::vector<Family> installed;
  for (const Family family : families) {
    if (installation.preload(family)) installed.push_back(family);
  }
  return installed;
}

Evidence gather(const Program& program, const Libraries& libraries, std::optional<Family> requested,
                const Installation& installation) {
  Evidence evidence{program.given, {}, requested, installed_families(installation)};
  for (const Library& library : libraries.all) {
    if (family_of_library(library.name)) evidence.mpi.push_back(library.name);
  }
  return evidence;
}

std::string preload_fault(const Installation& installation, Family family) {
  const auto library = installation.preload(family);
  if (!library) {
    return preload_name(family) + " is not in " + installation.library_folder() +
           "; build and install Tightwire with " + std::string(title_of(family)) +
           " on the machine";
  }
  if (!can_be_preloaded(*library)) {
    return "the path \"" + *library +
           "\" holds a space or a colon, which LD_PRELOAD cannot express; install Tightwire "
           "elsewhere";
  }
  return os::distrust_of_installed(*library, "loaded");
}

std::string why_not_preload(const Program& program) {
  const std::string of = program.script ? "its interpreter " + program.interpreter + " " : "";
  if (!program.privileges.empty()) {
    return of + program.privileges +
           ", so the dynamic loader lets nothing be loaded into it; run "
           "a copy without these rights";
  }
  if (!program.elf) return "";
  const Elf& elf = *program.elf;
  if (!elf.native) {
    return of + "is a " + std::to_string(elf.bits) + "-bit " + elf.machine +
           " program, and this Tightwire is for another machine; use one that was built for it";
  }
  if (!elf.dynamic()) {
    return of +
           "is linked statically, so nothing can be loaded into it; link it with the shared "
           "MPI library";
  }
  if (elf.interpreter.find("musl") != std::string::npos) {
    return of + "uses another C library (" + elf.interpreter +
           "); use a Tightwire that was built with it";
  }
  return "";
}

std::string cannot_start(const Program& program) {
  if (program.error == ENOENT) {
    return "cannot find the program " + program.given + "; " + advice_when_missing(program.given);
  }
  if (program.error == EISDIR) {
    return "cannot run " + program.given + ": it is a folder; name the program inside";
  }
  if (program.error == EACCES) {
    return "cannot run " + program.given + ": " + std::strerror(program.error) +
           "; chmod +x makes a program executable";
  }
  if (program.error != 0) {
    return "cannot run " + program.given + ": " + std::strerror(program.error);
  }
  if (!program.damage.empty()) {
    return "cannot run " + program.given + ": " + program.damage + "; build or copy it again";
  }
  return "";
}

}  // namespace tightwire::cli
