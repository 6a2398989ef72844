// tightwire calibrate: finds the message sizes from which each tier pays on this job's network.
#include <unistd.h>

#include <cstdio>
#include <ctime>

#include "calibrate/calibration.h"
#include "calibrate/coding_threads.h"
#include "calibrate/measure/program.h"
#include "calibrate/measure/world.h"
#include "os/whole_file.h"
#include "settings/text.h"

namespace tightwire::calibrate {
namespace {

constexpr Program program{
    "tightwire calibrate",
    "is not running under tightwire; start it as: mpirun -n 4 tightwire calibrate"};

bool is_first() {
  return world_rank() == 0;
}

std::string why_not_write(const CalibrateOptions& options) {
  if (!options.force && ::access(options.settings_file.c_str(), F_OK) == 0) {
    return options.settings_file +
           " is there already; --force replaces it, --output FILE writes another";
  }
  if (const auto problem = os::why_not_write(options.settings_file)) return *problem;
  return os::why_not_write(options.measurements_file).value_or("");
}

// Asked before the long part begins. Only the first rank looks, and says what is in the way; all
// get its answer.
bool may_write(const CalibrateOptions& options) {
  const std::string reason = is_first() ? why_not_write(options) : "";
  int free = reason.empty() ? 1 : 0;
  MPI_Bcast(&free, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!reason.empty()) (void)program.refuse(reason, failed);
  return free != 0;
}

void print_heading() {
  std::fputs("done    message        raw      exact    bounded  pipelined   (ms, mean of all)\n",
             stderr);
}

void print_progress(double share, const Times& times) {
  std::fprintf(stderr, "%3.0f %% %10s %10.3f %10.3f %10.3f %10.3f\n", 100 * share,
               printed_size(times.bytes).c_str(), 1e3 * times.raw, 1e3 * times.exact,
               1e3 * times.bounded, 1e3 * times.pipelined);
}

int hosts() {
  int first = first_of_host() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return first;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

std::vector<std::string> circumstances(const CalibrateOptions& options, int hosts) {
  std::string job = today() + ": " + std::to_string(world_size()) + " ranks on " +
                    std::to_string(hosts) + (hosts == 1 ? " host." : " hosts.");
  std::string what = "Medians of";
  for (const Collective collective : options.collectives)
    what.append(" ").append(name_of(collective));
  what += ", float32 data:";
  for (const Data data : options.data) what.append(" ").append(name_of(data));
  return {job, what + ", error bound " + options.error_bound + "."};
}

int write_results(const CalibrateOptions& options, const std::vector<Series>& series,
                  const settings::CodingSpeedups& speedups, int hosts) {
  const Thresholds found = find_thresholds(typical(series));
  const auto write = [](const std::string& path, const std::string& text) {
    const auto problem = os::write_whole_file(path, text);
    return problem ? program.refuse(*problem, failed) : 0;
  };
  if (const int code = write(options.measurements_file, measurements_file(series, found)))
    return code;
  if (const int code = write(options.settings_file,
                             settings_file(found, circumstances(options, hosts), speedups))) {
    return code;
  }
  std::printf("threshold-exact      %s\nthreshold-bounded    %s\nthreshold-pipelined  %s\n",
              printed_size(found.exact).c_str(), printed_size(found.bounded).c_str(),
              printed_size(found.pipelined).c_str());
  if (speedups.given()) {
    std::printf("coding-speedups      %s\n", settings::print(speedups).c_str());
  }
  std::printf("wrote %s and %s; draw it with: tightwire plot %s\n", options.settings_file.c_str(),
              options.measurements_file.c_str(), options.measurements_file.c_str());
  return 0;
}

int calibrate_and_write(const CalibrateOptions& options) {
  if (!may_write(options)) return failed;
  const bool first = is_first();
  const int host_count = hosts();
  bool headed = false;
  const auto outcome = calibrate(options, [&](double share, const Times& times) {
    if (first && !headed) print_heading();
    headed = true;
    if (first) print_progress(share, times);
  });
  if (const auto* reason = std::get_if<std::string>(&outcome))
    return program.refuse(*reason, bad_usage);
  const settings::CodingSpeedups speedups = measure_coding_threads(options.threads);
  return first
             ? write_results(options, std::get<std::vector<Series>>(outcome), speedups, host_count)
             : 0;
}

}  // namespace
}  // namespace tightwire::calibrate

int main(int argc, char** argv) {
  using namespace tightwire::calibrate;
  return program.run(argc, argv, parse_calibrate_options, calibrate_and_write);
}
