#include "cli/doctor/checks.h"

#include "cli/doctor/processor.h"
#include "cli/launch/launch.h"
#include "cli/program/probe.h"
#include "cli/settings/settings_text.h"
#include "codec/simd/kernels.h"

namespace tightwire::cli {
namespace {

std::string kind_of(const Program& program) {
  std::string kind;
  if (program.script) kind = "a script run by " + program.interpreter + ", ";
  if (!program.elf) return kind + "which cannot be read";
  return kind + std::to_string(program.elf->bits) + "-bit " + program.elf->machine + ", " +
         (program.elf->dynamic() ? "dynamically linked" : "statically linked");
}

}  // namespace

void check_program(const Program& program, Findings& findings) {
  if (const std::string fault = cannot_start(program); !fault.empty()) {
    findings.push_back({Verdict::fail, "program", fault});
    return;
  }
  const std::string hindrance = why_not_preload(program);
  if (!hindrance.empty()) {
    findings.push_back({Verdict::fail, "program", program.given + " " + hindrance});
  } else if (!program.elf) {
    findings.push_back({Verdict::note, "program", program.path + " may be run but not be read"});
  } else {
    findings.push_back({Verdict::pass, "program", program.path + ": " + kind_of(program)});
  }
}

void check_libraries(const Libraries& libraries, Findings& findings) {
  bool complete = true;
  for (const Library& library : libraries.all) {
    if (!library.path.empty()) continue;
    complete = false;
    findings.push_back({Verdict::fail, "libraries",
                        library.name + " is not found; load its module, or add its folder to "
                                       "LD_LIBRARY_PATH"});
  }
  for (const std::string& complaint : libraries.complaints) {
    complete = false;
    findings.push_back({Verdict::fail, "libraries", complaint});
  }
  if (complete) {
    findings.push_back(
        {Verdict::pass, "libraries", "all " + std::to_string(libraries.all.size()) + " are found"});
  }
}

void check_mpi(const Decision& decision, const Libraries& libraries, Findings& findings) {
  if (!decision.error.empty()) {
    findings.push_back({Verdict::fail, "MPI", decision.error});
    return;
  }
  if (!decision.warning.empty()) findings.push_back({Verdict::fail, "MPI", decision.warning});
  if (!decision.family) {
    findings.push_back(
        {Verdict::note, "MPI", decision.because + "; mpirun of either family will tell, or --mpi"});
    return;
  }
  std::string text = std::string(title_of(*decision.family)) + ", because " + decision.because;
  for (const Library& library : libraries.all) {
    if (family_of_library(library.name) != decision.family || library.path.empty()) continue;
    const std::string version = mpi_version(library.path);
    text += "\n" + library.path + (version.empty() ? "" : ": " + version);
  }
  findings.push_back({Verdict::pass, "MPI", text});
}

void check_preload(const Installation& installation, Family family, Findings& findings) {
  if (const std::string fault = preload_fault(installation, family); !fault.empty()) {
    findings.push_back({Verdict::fail, "preload", fault});
    return;
  }
  const std::string library = installation.preload(family).value_or("");
  if (const std::string complaint = try_to_load(library); !complaint.empty()) {
    findings.push_back({Verdict::fail, "preload", library + " does not load: " + complaint});
  } else {
    findings.push_back({Verdict::pass, "preload", library + " loads"});
  }
}

void check_processor(Findings& findings) {
  if (const std::string problem = codec::isa_problem(); !problem.empty()) {
    findings.push_back({Verdict::fail, "processor", problem});
    return;
  }
  findings.push_back(
      {Verdict::pass, "processor",
       processor_features() + "; the codecs use " + std::string(codec::active_kernels().name)});
}

void check_launcher(const Job& job, Findings& findings) {
  if (job.launcher.empty()) {
    findings.push_back({Verdict::note, "launcher", "none: this is no rank of an MPI job"});
    return;
  }
  std::string text = job.launcher;
  if (job.rank) text += ", rank " + std::to_string(*job.rank);
  findings.push_back({Verdict::pass, "launcher", text});
}

void check_settings(const settings::Loaded& loaded, Findings& findings) {
  for (const std::string& note : loaded.notes) {
    findings.push_back({Verdict::note, "settings", note});
  }
  if (!loaded.problems.empty()) {
    findings.push_back({Verdict::fail, "settings", describe_all(loaded.problems)});
    return;
  }
  findings.push_back({Verdict::pass, "settings", settings_list(loaded.entries)});
}

}  // namespace tightwire::cli
