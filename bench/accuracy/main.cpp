// bench-accuracy: the errors of reductions under Tightwire, by experiment; ../accuracy.py starts it
// on 2 to 16 ranks.
#include "accuracy/algorithms.h"
#include "accuracy/settings.h"
#include "accuracy/trial.h"
#include "calibrate/measure/program.h"
#include "comparison/shared_inputs.h"
#include "os/whole_file.h"
#include "support/formatted.h"
#include "support/measure.h"

namespace tightwire::accuracy {
namespace {

using bench::formatted;
using bench::world_rank;
using bench::world_size;

constexpr bench::Program program{"bench-accuracy"};

struct Options {
  std::vector<std::string> fields;
  std::size_t bytes = std::size_t{1} << 20;
  std::string cache = "results/scratch/fields";
  double relative_bound = 1e-4;
  std::string output;
  std::string histogram;
  std::string algorithms;  // a file, if any
};

class Experiment {
 public:
  // False if Tightwire refused a setting.
  bool run(const std::string& field, const comparison::Inputs& inputs, double error_bound) {
    for (const char* applies_to : {"contribution", "result"}) {
      if (!set_bound(error_bound, applies_to)) return false;
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

int write(const Options& options, const Experiment& experiment, const std::string& algorithms) {
  auto problem = os::write_whole_file(options.histogram, experiment.histogram());
  if (!problem && !options.algorithms.empty()) {
    problem = os::write_whole_file(options.algorithms, algorithms_header + algorithms);
  }
  if (!problem) problem = os::write_whole_file(options.output, experiment.rows());
  return problem ? program.refuse(*problem, bench::failed) : 0;
}

int experiment(const Options& options) {
  Experiment experiment;
  std::string algorithms;
  for (const std::string& name : options.fields) {
    const comparison::Inputs inputs = comparison::shared_inputs(name, options.bytes, options.cache);
    const double bound = options.relative_bound * inputs.range();
    if (!experiment.run(name, inputs, bound))
      return program.refuse("tightwire refused a bound", bench::failed);
    if (options.algorithms.empty()) continue;
    const auto rows = sums_by_algorithm(name, inputs, bound);
    if (!rows) return program.refuse("tightwire refused an algorithm or codec", bench::failed);
    algorithms += *rows;
  }
  return world_rank() == 0 ? write(options, experiment, algorithms) : 0;
}

std::variant<Options, bench::Notice> parse_options(int argc, const char* const* argv) {
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
  app.add_option("--algorithms", options.algorithms, "CSV of sums by every algorithm and codec");
  if (auto notice = bench::parse(app, argc, argv)) return *std::move(notice);
  return options;
}

}  // namespace
}  // namespace tightwire::accuracy

int main(int argc, char** argv) {
  using namespace tightwire::accuracy;
  return program.run(argc, argv, parse_options, experiment);
}
