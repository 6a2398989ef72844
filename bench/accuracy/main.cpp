// bench-accuracy: the errors of reductions under Tightwire, by experiment; ../accuracy.py starts it
// on 2 to 16 ranks.
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>

#include "accuracy/trial.h"
#include "fields/fields.h"
#include "files/whole_file.h"
#include "tightwire.h"

namespace tightwire::accuracy {
namespace {

constexpr int failed = 1;
constexpr int bad_usage = 2;

struct Options {
  std::vector<std::string> fields;
  std::size_t bytes = std::size_t{1} << 20;
  std::string cache = "results/scratch/fields";
  double relative_bound = 1e-4;
  std::string output;
  std::string histogram;
};

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int world_size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

template <class... Values>
std::string formatted(const char* format, Values... values) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

comparison::Inputs inputs_of(const Options& options, const fields::Kind& kind) {
  if (world_rank() == 0) static_cast<void>(fields::cached(kind, options.bytes, options.cache));
  MPI_Barrier(MPI_COMM_WORLD);
  const fields::Field field = fields::cached(kind, options.bytes, options.cache);
  const auto* const values = reinterpret_cast<const float*>(field.bytes.data());
  const std::vector<float> all(values, values + field.bytes.size() / sizeof(float));
  return {all, field.shape.back(), world_size()};
}

bool set(const char* key, const std::string& value) {
  return tightwire_set(key, value.c_str()) == TIGHTWIRE_OK;
}

class Experiment {
 public:
  // False if Tightwire refused a setting.
  bool run(const std::string& field, const comparison::Inputs& inputs, double error_bound) {
    for (const char* applies_to : {"contribution", "result"}) {
      if (!set("error-bound", formatted("%.17g", error_bound))) return false;
      if (!set("bound-applies-to", applies_to)) return false;
      for (const Type type : all_types) {
        for (const Operation operation : all_operations) {
          if (!allowed(type, operation)) continue;
          const Outcome outcome = attempt(type, operation, inputs, error_bound);
          note(field, type, operation, applies_to, outcome, error_bound);
        }
      }
    }
    return true;
  }

  [[nodiscard]] const std::string& rows() const { return rows_; }
  [[nodiscard]] const std::string& histogram() const { return histogram_; }

 private:
  void note(const std::string& field, Type type, Operation operation, const std::string& applies_to,
            const Outcome& outcome, double error_bound) {
    const Errors& errors = outcome.errors;
    const int ranks = world_size();
    rows_ +=
        field + formatted(",%s,%s,", name_of(type), name_of(operation)) + applies_to +
        formatted(",%d,%zu,%.17g,%.9f,%g,%.4f,%.5f,%.5f,%s\n", ranks, errors.count(), error_bound,
                  errors.largest() / error_bound, promised(operation, applies_to, ranks),
                  errors.standard_deviation(), errors.share_within_zccl_law(),
                  errors.share_within_uniform_law(), outcome.ranks_identical ? "yes" : "no");
    // Of the doubles, which round least by themselves.
    if (operation != Operation::sum || applies_to != "contribution") return;
    if (type != Type::float64) return;
    for (std::size_t bin = 0; bin < bins; ++bin) {
      histogram_ +=
          field + formatted(",%s,%d,%.6f,%.6f,%zu\n", name_of(type), ranks, Errors::bin_begin(bin),
                            Errors::bin_begin(bin + 1), errors.histogram()[bin]);
    }
  }

  std::string rows_ =
      "field,type,op,bound_applies_to,ranks,values,error_bound,max_error_over_bound,promised,"
      "deviation_over_sqrt_n_bound,share_within_two_thirds,share_within_two_over_sqrt3,"
      "ranks_identical\n";
  std::string histogram_ = "field,type,ranks,error_low,error_high,count\n";
};

std::string check_field(const std::string& text) {
  return fields::find(text) != nullptr ? "" : "\"" + text + "\" is not a field";
}

int refuse(const std::string& what, int code) {
  if (world_rank() == 0) std::fprintf(stderr, "bench-accuracy: %s\n", what.c_str());
  return code;
}

int experiment(const Options& options) {
  Experiment experiment;
  for (const std::string& name : options.fields) {
    const comparison::Inputs inputs = inputs_of(options, *fields::find(name));
    const double bound = options.relative_bound * inputs.range();
    if (!experiment.run(name, inputs, bound)) return refuse("tightwire refused a bound", failed);
  }
  if (world_rank() != 0) return 0;
  auto problem = files::write_whole_file(options.histogram, experiment.histogram());
  if (!problem) problem = files::write_whole_file(options.output, experiment.rows());
  return problem ? refuse(*problem, failed) : 0;
}

int start(int argc, char** argv) {
  Options options;
  options.fields = {"quiet_wavefield", "turbulence", "white_noise"};
  CLI::App app("Errors of reductions of float32, float64 and complex values under Tightwire.");
  app.add_option("--fields", options.fields)->delimiter(',')->check(check_field);
  app.add_option("--bytes", options.bytes, "of float32 values, a power of two from 65536 on")
      ->check(CLI::Range(std::size_t{1} << 16, std::size_t{1} << 30));
  app.add_option("--cache", options.cache, "folder that keeps fields");
  app.add_option("--relative-bound", options.relative_bound, "part of the field's range")
      ->check(CLI::PositiveNumber);
  app.add_option("--output", options.output)->required();
  app.add_option("--histogram", options.histogram)->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    if (world_rank() == 0) std::fputs(app.help().c_str(), stdout);
    return 0;
  } catch (const CLI::ParseError& error) {
    return refuse(std::string(error.what()) + "; see --help", bad_usage);
  }
  if (tightwire_available() == 0) {
    return refuse("run this under tightwire: mpirun -n 4 tightwire PROGRAM", bad_usage);
  }
  return experiment(options);
}

int guarded(int argc, char** argv) {
  try {
    return start(argc, argv);
  } catch (const std::exception& error) {
    return refuse(error.what(), failed);
  }
}

}  // namespace
}  // namespace tightwire::accuracy

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = tightwire::accuracy::guarded(argc, argv);
  MPI_Finalize();
  return code;
}
