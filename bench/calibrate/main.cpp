// tightwire calibrate: finds the message sizes from which each tier pays on this job's network.
#include <unistd.h>

#include <cstdio>
#include <ctime>

#include "calibrate/calibration.h"
#include "files/whole_file.h"
#include "tightwire.h"

namespace tightwire::bench {
namespace {

constexpr int failure = 1;
constexpr int bad_usage = 2;

bool is_first() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

int refuse(const std::string& why, int code) {
  if (is_first()) std::fprintf(stderr, "tightwire calibrate: %s\n", why.c_str());
  return code;
}

// The file must not be there, unless forced. Only the first rank looks; all get its answer.
bool may_write(const CalibrateOptions& options) {
  int free = 1;
  if (is_first() && !options.force) free = ::access(options.settings_file.c_str(), F_OK) != 0;
  MPI_Bcast(&free, 1, MPI_INT, 0, MPI_COMM_WORLD);
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
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int rank = 0;
  MPI_Comm_rank(host, &rank);
  MPI_Comm_free(&host);
  int first = rank == 0 ? 1 : 0;
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
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::string job = today() + ": " + std::to_string(ranks) + " ranks on " + std::to_string(hosts) +
                    (hosts == 1 ? " host." : " hosts.");
  std::string what = "Medians of";
  for (const Collective collective : options.collectives)
    what.append(" ").append(name_of(collective));
  what += ", float32 data:";
  for (const Data data : options.data) what.append(" ").append(name_of(data));
  return {job, what + ", error bound " + options.error_bound + "."};
}

int write_results(const CalibrateOptions& options, const std::vector<Series>& series, int hosts) {
  const Thresholds found = find_thresholds(typical(series));
  const auto write = [](const std::string& path, const std::string& text) {
    const auto problem = files::write_whole_file(path, text);
    return problem ? refuse(*problem, failure) : 0;
  };
  if (const int code = write(options.measurements_file, measurements_file(series, found)))
    return code;
  if (const int code =
          write(options.settings_file, settings_file(found, circumstances(options, hosts)))) {
    return code;
  }
  std::printf("threshold-exact      %s\nthreshold-bounded    %s\nthreshold-pipelined  %s\n",
              printed_size(found.exact).c_str(), printed_size(found.bounded).c_str(),
              printed_size(found.pipelined).c_str());
  std::printf("wrote %s and %s; draw it with: tightwire plot %s\n", options.settings_file.c_str(),
              options.measurements_file.c_str(), options.measurements_file.c_str());
  return 0;
}

int calibrate_and_write(const CalibrateOptions& options) {
  if (!may_write(options)) {
    return refuse(options.settings_file +
                      " is there already; --force replaces it, --output FILE "
                      "writes another",
                  failure);
  }
  const bool first = is_first();
  const int host_count = hosts();
  bool headed = false;
  const auto outcome = calibrate(options, [&](double share, const Times& times) {
    if (first && !headed) print_heading();
    headed = true;
    if (first) print_progress(share, times);
  });
  if (const auto* reason = std::get_if<std::string>(&outcome)) return refuse(*reason, bad_usage);
  return first ? write_results(options, std::get<std::vector<Series>>(outcome), host_count) : 0;
}

int start(int argc, char** argv) {
  const auto parsed = parse_calibrate_options(argc, argv);
  if (const auto* notice = std::get_if<CalibrateNotice>(&parsed)) {
    if (notice->exit_code != 0) return refuse(notice->text, notice->exit_code);
    if (is_first()) std::fputs(notice->text.c_str(), stdout);
    return 0;
  }
  if (tightwire_available() == 0) {
    return refuse("is not running under tightwire; start it as: mpirun -n 4 tightwire calibrate",
                  bad_usage);
  }
  return calibrate_and_write(std::get<CalibrateOptions>(parsed));
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = tightwire::bench::start(argc, argv);
  MPI_Finalize();
  return code;
}
