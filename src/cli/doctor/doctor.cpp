// tightwire doctor [OPTIONS] [PROGRAM]: would it load, and if not, why? Never runs the program.
#include <cstdio>
#include <cstdlib>

#include "cli/commands.h"
#include "cli/doctor/checks.h"
#include "cli/doctor/networks.h"
#include "cli/launch/refuse.h"

namespace tightwire::cli {
namespace {

void examine_program(const Options& options, const Job& job, Findings& findings) {
  const Installation installation;
  const char* search_path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  const Program program =
      examine(options.program[0], search_path == nullptr ? "/bin:/usr/bin" : search_path);
  check_program(program, findings);
  if (any_failed(findings)) return;
  Libraries libraries;
  if (program.loadable()) {
    libraries = list_libraries(program.executable());
    check_libraries(libraries, findings);
    check_calls(program, libraries, findings);
  }
  const Evidence evidence = gather(program, libraries, options.mpi, installation);
  if (program.has_static_mpi && evidence.mpi.empty()) {
    findings.push_back({Verdict::fail, "MPI",
                        program.given + " holds a static MPI, whose calls nothing can reach; link "
                                        "it with the shared MPI library"});
    return;
  }
  const Decision decision = decide(evidence, job);
  check_mpi(decision, libraries, findings);
  if (decision.family) check_preload(installation, *decision.family, findings);
}

void examine_installation(const Options& options, const Job& job, Findings& findings) {
  const Installation installation;
  const auto requested = options.mpi ? options.mpi : job.family;
  const std::vector<Family> wanted =
      requested ? std::vector<Family>{*requested} : installed_families(installation);
  for (const Family family : wanted) check_preload(installation, family, findings);
  if (wanted.empty()) {
    findings.push_back({Verdict::fail, "preload",
                        "there is no libtightwire-*.so in " + installation.library_folder() +
                            "; build Tightwire with an MPI on the machine"});
  }
}

std::string conclusion(const Options& options, const Findings& findings) {
  const bool failed = any_failed(findings);
  if (options.program.empty()) {
    return failed ? "Tightwire does not work here: see FAIL above"
                  : "Tightwire works here; tightwire doctor ./app tells whether it does with ./app";
  }
  return failed ? "Tightwire does not work with " + options.program[0] + ": see FAIL above"
                : "Tightwire works with " + options.program[0];
}

}  // namespace

int run_doctor(const Arguments& arguments) {
  const Job job = read_job(process_environment());
  const Options options = parse_options(arguments);
  if (!options.error.empty()) {
    return refuse(job, Reach::job, "tightwire: " + options.error, usage);
  }
  Findings findings;
  if (options.program.empty()) {
    examine_installation(options, job, findings);
  } else {
    examine_program(options, job, findings);
  }
  check_processor(findings);
  check_early(findings);
  findings.push_back({Verdict::note, "network", describe(networks_in("/sys/class"))});
  check_launcher(job, findings);
  const settings::Loaded loaded = settings::load(sources_of(options));
  check_device(loaded.settings, findings);
  check_history(loaded.settings, findings);
  check_settings(loaded, findings);
  // Under mpirun once for every host.
  if (speaks(job, Reach::host)) {
    const std::string report = "Tightwire " TIGHTWIRE_VERSION " on " + host_name() + "\n" +
                               print(findings) + "verdict: " + conclusion(options, findings) + "\n";
    std::fputs(report.c_str(), stdout);
    std::fflush(stdout);
  }
  return any_failed(findings) ? failure : success;
}

}  // namespace tightwire::cli
