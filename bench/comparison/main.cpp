// bench-comparison: Tightwire beside plain MPI and the published methods; ../comparison.py starts
// it over hosts of the lab.
#include <cstdio>
#include <stdexcept>

#include "comparison/compare.h"
#include "comparison/options.h"
#include "fields/fields.h"
#include "files/whole_file.h"
#include "tightwire.h"

namespace tightwire::comparison {
namespace {

constexpr int failed = 1;
constexpr int bad_usage = 2;
constexpr int most_samples = 200;

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

int refuse(const std::string& what, int code) {
  if (world_rank() == 0) std::fprintf(stderr, "bench-comparison: %s\n", what.c_str());
  return code;
}

// The first rank makes what is not in the cache yet; the others find it there.
Inputs field_inputs(const Options& options, std::size_t bytes) {
  const fields::Kind& kind = *fields::find(options.field);
  if (world_rank() == 0) static_cast<void>(fields::cached(kind, bytes, options.cache));
  MPI_Barrier(MPI_COMM_WORLD);
  const fields::Field field = fields::cached(kind, bytes, options.cache);
  const auto* const values = reinterpret_cast<const float*>(field.bytes.data());
  return {{values, values + field.bytes.size() / sizeof(float)}, field.shape.back(), world_size()};
}

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
  auto problem = files::write_whole_file(options.breakdown, breakdown_csv(rows));
  if (!problem) problem = files::write_whole_file(options.output, results_csv(rows));
  return problem ? refuse(*problem, failed) : 0;
}

int run(const Options& options) {
  Comparison comparison(options);
  std::optional<std::string> problem;
  if (!options.files.empty()) {
    problem = comparison.measure(read_inputs(options.files, world_size()), "files");
  }
  for (const std::size_t bytes : options.bytes) {
    if (problem || !options.files.empty()) break;
    problem = comparison.measure(field_inputs(options, bytes), options.field);
  }
  return problem ? refuse(*problem, failed) : write(options, comparison.rows());
}

int start(int argc, char** argv) {
  const auto parsed = parse_options(argc, argv);
  if (const auto* notice = std::get_if<Notice>(&parsed)) {
    if (world_rank() == 0) std::fputs(notice->text.c_str(), notice->exit_code ? stderr : stdout);
    return notice->exit_code;
  }
  if (tightwire_available() == 0) {
    return refuse("run this under tightwire: mpirun -n 4 tightwire PROGRAM", bad_usage);
  }
  if (world_size() < 2) return refuse("one rank sends no messages; start two or more", bad_usage);
  try {
    return run(std::get<Options>(parsed));
  } catch (const std::runtime_error& error) {
    return refuse(error.what(), failed);
  }
}

}  // namespace
}  // namespace tightwire::comparison

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = tightwire::comparison::start(argc, argv);
  MPI_Finalize();
  return code;
}
