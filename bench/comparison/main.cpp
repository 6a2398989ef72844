// bench-comparison: Tightwire beside plain MPI and the published methods; ../comparison.py starts
// it over hosts of the lab.
#include <cstdio>

#include "calibrate/measure/program.h"
#include "calibrate/measure/world.h"
#include "comparison/compare.h"
#include "comparison/options.h"
#include "comparison/shared_inputs.h"
#include "os/whole_file.h"
#include "support/measure.h"

namespace tightwire::comparison {
namespace {

using bench::world_rank;
using bench::world_size;

constexpr bench::Program program{"bench-comparison"};
constexpr int most_samples = 200;

void print(const Row& row) {
  std::printf("%-14s %-19s %10zu B %10.3f ms %7.2f x %12lu B sent  error/bound %8.3g  %s%s%s\n",
              row.operation.c_str(), row.method.c_str(), row.bytes, row.median_ms,
              row.raw_ms / row.median_ms, row.wire_bytes, row.max_error_over_bound,
              row.ranks_identical ? "same bits" : "DIFFERENT BITS",
              row.algorithm.empty() ? "" : "  ", row.algorithm.c_str());
  std::fflush(stdout);
}

class Comparison {
 public:
  explicit Comparison(const Options& options) : options_(options) {}

  // Every operation on these inputs. Returns what went wrong.
  std::optional<std::string> measure(const Inputs& inputs, const std::string& field) {
    const bool relative = options_.error_bound.kind == settings::ErrorBound::Kind::relative;
    const double bound = options_.error_bound.value * (relative ? inputs.range() : 1);
    const std::vector<float> own = inputs.of(world_rank());
    std::vector<float> result(own.size());
    for (const Operation operation : options_.operations) {
      const Call call{
          operation, divisible(own.size(), world_size()), world_rank(), world_size(), own, result};
      const auto methods = make_methods(names_for(operation), {bound, options_.zfp_rate});
      if (auto problem = measure(methods, call, inputs, bound, field)) return problem;
    }
    return std::nullopt;
  }

  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

 private:
  // Data is moved alike, whatever the bound applies to.
  [[nodiscard]] std::vector<std::string> names_for(Operation operation) const {
    std::vector<std::string> names = options_.methods;
    if (!is_reduction(operation)) std::erase(names, "tightwire-result");
    return names;
  }

  std::optional<std::string> measure(const std::vector<std::unique_ptr<Method>>& methods,
                                     const Call& call, const Inputs& inputs, double bound,
                                     const std::string& field) {
    std::vector<Row> rows;
    for (const auto& method : methods) {
      Row& row = rows.emplace_back();
      row.operation = name_of(call.operation);
      row.method = method->name();
      row.link_gbps = options_.link_gbps;
      row.hosts = call.ranks;
      row.bytes = call.count * sizeof(float);
      row.field = field;
    }
    const bench::Effort effort{options_.seconds, options_.fewest, most_samples, 1};
    auto problem = compare(methods, call, inputs, bound, effort, options_.save, rows);
    for (const Row& row : rows) {
      rows_.push_back(row);
      if (world_rank() == 0) print(row);
    }
    return problem;
  }

  const Options& options_;
  std::vector<Row> rows_;
};

int write(const Options& options, const std::vector<Row>& rows) {
  if (world_rank() != 0) return 0;
  auto problem = os::write_whole_file(options.breakdown, breakdown_csv(rows));
  if (!problem) problem = os::write_whole_file(options.output, results_csv(rows));
  return problem ? program.refuse(*problem, bench::failed) : 0;
}

int run(const Options& options) {
  if (world_size() < 2) {
    return program.refuse("one rank sends no messages; start two or more", bench::bad_usage);
  }
  Comparison comparison(options);
  std::optional<std::string> problem;
  if (!options.files.empty()) {
    problem = comparison.measure(read_inputs(options.files, world_size()), "files");
  }
  for (const std::size_t bytes : options.bytes) {
    if (problem || !options.files.empty()) break;
    problem = comparison.measure(shared_inputs(options.field, bytes, options.cache), options.field);
  }
  return problem ? program.refuse(*problem, bench::failed) : write(options, comparison.rows());
}

}  // namespace
}  // namespace tightwire::comparison

int main(int argc, char** argv) {
  using namespace tightwire::comparison;
  return program.run(argc, argv, parse_options, run);
}
