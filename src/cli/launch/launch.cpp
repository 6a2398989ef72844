#include "cli/launch/launch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/launch/evidence.h"
#include "cli/launch/handover.h"
#include "cli/launch/mpi_library.h"
#include "cli/launch/refuse.h"
#include "codec/simd/kernels.h"
#include "os/exec_arguments.h"
#include "os/whole_file.h"

namespace tightwire::cli {
namespace {

// What is written when the job ends: that its folder is missing should be known before.
void check_output(const Job& job, const std::string& key, settings::Loaded& loaded) {
  const auto entry = std::ranges::find(loaded.entries, key, &settings::Entry::key);
  const std::string file = entry->value;
  const bool is_in_the_cache = key == "learned" && file == "auto";
  if (file.empty() || is_in_the_cache || job.rank.value_or(0) != 0) return;
  const auto parent = std::filesystem::path(file).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  std::string reason = os::why_not_replace(file);
  if (reason.empty() && ::access(folder.c_str(), W_OK | X_OK) != 0) reason = std::strerror(errno);
  if (reason.empty()) return;
  loaded.problems.push_back({key, file, entry->place, "cannot be written: " + reason,
                             "name a regular file in a folder that exists"});
}

[[nodiscard]] int exec(const Arguments& program, const Job& job) {
  const std::vector<char*> pointers = os::exec_arguments(program);
  ::execvp(pointers[0], pointers.data());
  const int error = errno;
  return refuse(job, Reach::host,
                "tightwire: cannot run " + program[0] + ": " + std::strerror(error),
                error == ENOENT ? not_found : not_executable);
}

// A note for the one reader, not for every rank.
void note(const Job& job, const std::string& text) {
  if (speaks(job, Reach::job)) print_error("tightwire: " + text);
}

// The MPI library to load behind the preload library into a program that is linked to none; usually
// none.
std::string choose_mpi(const Program& program, const Job& job, const std::string& preload,
                       Family family, std::string& error) {
  if (preload.empty() || brings_mpi(preload)) return "";
  std::string library = find_mpi_library(family, program);
  if (library.empty()) {
    note(job, program.given + " is linked to no MPI, and no " + mpi_libraries(family).front() +
                  " is found that could be loaded into it: what it loads itself is not compressed; "
                  "add the folder of " +
                  std::string(title_of(family)) + "'s library to LD_LIBRARY_PATH");
  } else if (!can_be_preloaded(library)) {
    error =
        "the path \"" + library + "\" holds a space or a colon, which LD_PRELOAD cannot express";
  }
  return library;
}

// The libraries to load into the program; none if it runs as it is. `error` says why it must not.
std::vector<std::string> choose_preload(const Program& program, const Options& options,
                                        const Job& job, bool verbose, std::string& error) {
  const Installation installation;
  const std::string hindrance = why_not_preload(program);
  if (!hindrance.empty()) {
    if (verbose || !job.launcher.empty() || options.mpi || program.has_static_mpi) {
      note(job, program.given + " runs without compression: it " + hindrance);
    }
    return {};
  }
  const Libraries libraries =
      program.loadable() ? list_libraries(program.executable()) : Libraries{};
  const Evidence evidence = gather(program, libraries, options.mpi, installation);
  if (program.has_static_mpi && evidence.mpi.empty()) {
    note(job, program.given +
                  " runs without compression: it holds a static MPI; link it with the shared one");
    return {};
  }
  const Decision decision = decide(evidence, job);
  error = decision.error;
  if (!error.empty()) return {};
  if (!decision.warning.empty()) note(job, decision.warning);
  if (!decision.family) {
    if (verbose) note(job, program.given + " runs without compression: " + decision.because);
    return {};
  }
  error = preload_fault(installation, *decision.family);
  const std::string preload = installation.preload(*decision.family).value_or("");
  if (!error.empty() || !evidence.mpi.empty()) return {preload};
  return {preload, choose_mpi(program, job, preload, *decision.family, error)};
}

}  // namespace

std::string describe_all(const std::vector<settings::Problem>& problems) {
  std::string text;
  for (const settings::Problem& problem : problems) {
    text += (text.empty() ? "" : "\n") + settings::describe(problem);
  }
  return text;
}

int launch(const Options& options, const Job& job) {
  settings::Loaded loaded = settings::load(sources_of(options));
  if (loaded.problems.empty()) {
    for (const char* const key : {"report", "audit", "learned"}) check_output(job, key, loaded);
  }
  if (!loaded.problems.empty()) {
    return refuse(job, Reach::job, describe_all(loaded.problems), usage);
  }
  for (const std::string& text : loaded.notes) note(job, text);
  if (const std::string problem = codec::isa_problem(); !problem.empty()) {
    return refuse(job, Reach::host, "tightwire: " + problem, usage);
  }
  const char* search_path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  const Program program =
      examine(options.program[0], search_path == nullptr ? "/bin:/usr/bin" : search_path);
  if (const std::string fault = cannot_start(program); !fault.empty()) {
    return refuse(job, Reach::host, "tightwire: " + fault,
                  program.error == ENOENT ? not_found : not_executable);
  }
  std::string error;
  const bool verbose = loaded.settings.verbose == settings::Switch::on;
  const std::vector<std::string> preloads = choose_preload(program, options, job, verbose, error);
  if (!error.empty()) return refuse(job, Reach::host, "tightwire: " + error, usage);
  hand_over_settings(options, loaded);
  for (const std::string& library : preloads) {
    if (!library.empty()) hand_over_preload(library);
  }
  return exec(options.program, job);
}

}  // namespace tightwire::cli
