// bench-threads: what several threads of a rank gain in collectives and messages, beside plain MPI
// and one thread, in alternation; ../threads.py starts it over hosts of the lab, under tightwire
// with the bound that it is told.
//
// Prints lines "row,OPERATION,THREADS,MEDIAN_MS,PLAIN_MS,SPEEDUP", where the threads of plain MPI
// are `plain`. Fails where a result is outside the bound.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include "calibrate/measure/alternate.h"
#include "calibrate/measure/mode.h"
#include "calibrate/measure/program.h"
#include "support/shared_field.h"
#include "threads/operations.h"

namespace tightwire::threads_bench {
namespace {

constexpr bench::Program program{"bench-threads"};
// Sums in floats round, with and without a bound.
constexpr double rounding = 1.01;
// Before samples count: whether calls are compressed is settled by then.
constexpr int rounds_to_learn = 24;
constexpr int fewest_samples = 5;
constexpr int most_samples = 100;

struct Options {
  std::string field;
  std::size_t bytes = 0;
  double bound = 0;
  std::vector<std::string> threads;
  std::vector<std::string> operations;
  double seconds = 1;
  std::string cache;
};

// Threads are all that differs.
std::vector<bench::Mode> modes_of(const Operation& operation, const Options& options) {
  std::vector<bench::Mode> modes{{"plain", true, {}}};
  for (const std::string& threads : options.threads) {
    modes.push_back({threads, false, {{"threads", threads}, {"chunks", operation.chunks}}});
  }
  return modes;
}

// On all ranks.
double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  }
  bench::plain_mpi().allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return largest;
}

class Bench {
 public:
  Bench(const Options& options, const fields::Field& field) : options_(options) {
    const auto values = field.values<float>();
    buffers_ = {bench::world_rank(), bench::world_size(), {values.begin(), values.end()}, {}};
    buffers_.result.resize(values.size());
    for (float& value : buffers_.own) value *= static_cast<float>(scale(buffers_.rank));
    const double range = fields::value_range(field) * scale(buffers_.ranks - 1);
    allowed_ = rounding * options.bound * range;
  }

  void run() {
    for (const Operation& operation : all_operations()) {
      if (std::ranges::count(options_.operations, operation.name) != 0) measure(operation);
    }
  }

 private:
  // No two ranks have the same values.
  static double scale(int rank) { return 1 + 0.1 * rank; }

  void measure(const Operation& operation) {
    const std::vector<bench::Mode> modes = modes_of(operation, options_);
    check(operation, modes);
    std::vector<bench::Contender> contenders;
    for (const bench::Mode& mode : modes) {
      contenders.push_back({[&mode] { static_cast<void>(apply(mode)); },
                            [&] { operation.run(functions_of(mode), buffers_); }});
    }
    const auto measured =
        bench::alternate(contenders, options_.bytes,
                         {options_.seconds, fewest_samples, most_samples, rounds_to_learn});
    if (buffers_.rank != 0) return;
    const double plain = measured[0].seconds;
    for (std::size_t i = 0; i < modes.size(); ++i) {
      const double own = measured[i].seconds;
      std::printf("row,%s,%s,%.3f,%.3f,%.3f\n", operation.name, modes[i].name.c_str(), 1e3 * own,
                  1e3 * plain, plain / own);
    }
    std::fflush(stdout);
  }

  void check(const Operation& operation, const std::vector<bench::Mode>& modes) {
    const std::vector<float> exact = result_of(operation, modes[0]);
    for (const bench::Mode& mode : modes) {
      const double error = largest_difference(result_of(operation, mode), exact);
      if (error <= allowed_) continue;
      throw std::runtime_error(std::string(operation.name) + ", threads = " + mode.name +
                               ": error " + std::to_string(error) + " where " +
                               std::to_string(allowed_) + " is allowed");
    }
  }

  const std::vector<float>& result_of(const Operation& operation, const bench::Mode& mode) {
    if (const auto refused = apply(mode)) throw std::runtime_error("refused " + *refused);
    std::ranges::fill(buffers_.result, std::numeric_limits<float>::max());
    operation.run(functions_of(mode), buffers_);
    return buffers_.result;
  }

  const Options& options_;
  Buffers buffers_;
  double allowed_ = 0;
};

std::variant<Options, bench::Notice> parse_options(int argc, const char* const* argv) {
  CLI::App app("Measures collectives and messages by plain MPI, and with 1 and more threads.");
  Options options;
  std::vector<std::string> fields;
  for (const fields::Kind& kind : fields::kinds()) fields.emplace_back(kind.name);
  std::vector<std::string> operations;
  for (const Operation& each : all_operations()) operations.emplace_back(each.name);
  app.add_option("--field", options.field, "a field of float32 values")
      ->required()
      ->check(CLI::IsMember(fields));
  app.add_option("--bytes", options.bytes, "of the field, a power of two from 65536 on")
      ->required()
      ->check(CLI::Range(std::size_t{1} << 16, std::size_t{1} << 30));
  app.add_option("--bound", options.bound, "that tightwire was told, as a part of the range")
      ->required();
  app.add_option("--threads", options.threads, "values of `threads`")->delimiter(',')->required();
  app.add_option("--ops", options.operations, "what to measure")
      ->delimiter(',')
      ->required()
      ->check(CLI::IsMember(operations));
  app.add_option("--seconds", options.seconds, "to spend on each operation")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--cache", options.cache, "folder that keeps fields")->required();
  if (auto notice = bench::parse(app, argc, argv)) return *std::move(notice);
  return options;
}

int run(const Options& options) {
  const fields::Field field = bench::shared_field(options.field, options.bytes, options.cache);
  Bench(options, field).run();
  return 0;
}

}  // namespace
}  // namespace tightwire::threads_bench

int main(int argc, char** argv) {
  using namespace tightwire::threads_bench;
  return program.run(argc, argv, parse_options, run);
}
