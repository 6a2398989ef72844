// bench-hybrid: a program that computes with threads, OpenMP's or OpenBLAS's, and adds up between,
// with several values of `threads` in alternation; ../hybrid.py starts it over hosts of the lab,
// under tightwire.
//
// Prints lines "row,THREADS,LOOP_MS,COMPUTE_MS": medians of a step, of the slowest rank, all of it
// and its compute phases.
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "calibrate/measure/mode.h"
#include "calibrate/measure/program.h"
#include "calibrate/measure/timing.h"
#include "calibrate/measure/world.h"
#include "hybrid/blas.h"
#include "hybrid/stencil.h"
#include "support/measure.h"
#include "support/shared_field.h"

namespace tightwire::hybrid {
namespace {

constexpr bench::Program program{"bench-hybrid"};
constexpr int rounds_to_learn = 4;
constexpr int steps = 8;  // of one round

struct Options {
  std::string field;
  std::size_t bytes = 0;
  std::vector<std::string> threads;
  std::string compute = "openmp";
  int compute_threads = 1;
  int sweeps = 8;
  int rounds = 12;
  std::string cache;
};

// Of a step, in seconds.
struct Times {
  double loop = 0;
  double compute = 0;
};

std::vector<bench::Mode> modes_of(const Options& options) {
  std::vector<bench::Mode> modes{{"plain", true, {}}};
  for (const std::string& threads : options.threads) {
    modes.push_back({threads, false, {{"threads", threads}}});
  }
  return modes;
}

class Loop {
 public:
  Loop(const Options& options, std::vector<float> values)
      : options_(options), stencil_(std::move(values)), sum_(stencil_.values().size()) {
    if (options.compute == "blas") blas_.emplace();
  }

  // A round; all ranks get the time of the slowest.
  Times run(const bench::Mode& mode) {
    if (const auto refused = apply(mode)) throw std::runtime_error("refused " + *refused);
    stencil_.reset();
    MPI_Barrier(MPI_COMM_WORLD);
    std::array<double, 2> seconds{};
    const double begin = MPI_Wtime();
    for (int step = 0; step < steps; ++step) seconds[1] += one_step(functions_of(mode));
    seconds[0] = MPI_Wtime() - begin;
    bench::plain_mpi().allreduce(MPI_IN_PLACE, seconds.data(), 2, MPI_DOUBLE, MPI_MAX,
                                 MPI_COMM_WORLD);
    return {seconds[0] / steps, seconds[1] / steps};
  }

 private:
  // What its compute phases took.
  double one_step(const bench::Functions& mpi) {
    const double begin = MPI_Wtime();
    compute();
    const double swept = MPI_Wtime();
    mpi.allreduce(stencil_.values().data(), sum_.data(), static_cast<int>(sum_.size()), MPI_FLOAT,
                  MPI_SUM, MPI_COMM_WORLD);
    const double added = MPI_Wtime();
    stencil_.take_mean(sum_, bench::world_size(), openmp_threads());
    return swept - begin + MPI_Wtime() - added;
  }

  // With OpenBLAS its threads are the only ones.
  [[nodiscard]] int openmp_threads() const { return blas_ ? 1 : options_.compute_threads; }

  void compute() {
    if (blas_) {
      blas_->multiply(stencil_.values(), options_.compute_threads);
    } else {
      stencil_.sweep(options_.sweeps, options_.compute_threads);
    }
  }

  const Options& options_;
  std::optional<Blas> blas_;
  Stencil stencil_;
  std::vector<float> sum_;
};

// In another order each round.
std::vector<std::vector<Times>> measure(Loop& loop, const std::vector<bench::Mode>& modes,
                                        int rounds) {
  std::vector<std::vector<Times>> all(modes.size());
  for (int round = 0; round < rounds_to_learn + rounds; ++round) {
    for (std::size_t i = 0; i < modes.size(); ++i) {
      const std::size_t turn = (i + static_cast<std::size_t>(round)) % modes.size();
      const Times times = loop.run(modes[turn]);
      if (round >= rounds_to_learn) all[turn].push_back(times);
    }
  }
  return all;
}

double median_of(const std::vector<Times>& all, double Times::*part) {
  std::vector<double> numbers;
  for (const Times& times : all) numbers.push_back(1e3 * times.*part);
  return bench::median(std::move(numbers));
}

int run(const Options& options) {
  const fields::Field field = bench::shared_field(options.field, options.bytes, options.cache);
  const auto values = field.values<float>();
  Loop loop(options, {values.begin(), values.end()});
  const std::vector<bench::Mode> modes = modes_of(options);
  const auto measured = measure(loop, modes, options.rounds);
  for (std::size_t i = 0; i < modes.size() && bench::world_rank() == 0; ++i) {
    std::printf("row,%s,%.3f,%.3f\n", modes[i].name.c_str(), median_of(measured[i], &Times::loop),
                median_of(measured[i], &Times::compute));
  }
  return 0;
}

std::variant<Options, bench::Notice> parse_options(int argc, const char* const* argv) {
  CLI::App app("Measures a loop that computes with threads and adds up between.");
  Options options;
  app.add_option("--field", options.field, "a field of float32 values")->required();
  app.add_option("--bytes", options.bytes, "of the field, a power of two from 65536 on")
      ->required()
      ->check(CLI::Range(std::size_t{1} << 16, std::size_t{1} << 30));
  app.add_option("--threads", options.threads, "values of `threads`")->delimiter(',')->required();
  app.add_option("--compute", options.compute, "what computes: openmp, blas")
      ->check(CLI::IsMember({"openmp", "blas"}))
      ->capture_default_str();
  app.add_option("--compute-threads", options.compute_threads, "of each rank")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app.add_option("--sweeps", options.sweeps, "of the stencil, in a step")->capture_default_str();
  app.add_option("--rounds", options.rounds, "of 8 steps each")->capture_default_str();
  app.add_option("--cache", options.cache, "folder that keeps fields")->required();
  if (auto notice = bench::parse(app, argc, argv)) return *std::move(notice);
  return options;
}

}  // namespace
}  // namespace tightwire::hybrid

int main(int argc, char** argv) {
  using namespace tightwire::hybrid;
  return program.run(argc, argv, parse_options, run);
}
