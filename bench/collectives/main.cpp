// Measures MPI_Allreduce, MPI_Reduce and MPI_Bcast in every mode, under Tightwire's preload
// library.
#include <algorithm>
#include <cstdio>

#include "calibrate/collectives/alternate_modes.h"
#include "calibrate/measure/program.h"
#include "calibrate/measure/world.h"
#include "collectives/options.h"
#include "collectives/reference.h"
#include "collectives/table.h"
#include "os/whole_file.h"
#include "support/measure.h"

namespace tightwire::bench {
namespace {

constexpr Program program{"bench-collectives"};

// Plain MPI first: what the others are compared with.
std::vector<Mode> all_modes(const Options& options) {
  std::vector<Mode> modes{{"plain", true, {}}};
  for (const char* name : {"raw", "exact", "bounded", "adaptive", "adaptive+pipelined"}) {
    modes.push_back({name, false, {{"error-bound", options.error_bound_text}, {"mode", name}}});
  }
  return modes;
}

class Benchmark {
 public:
  explicit Benchmark(const Options& options)
      : options_(options), modes_(all_modes(options)), rank_(world_rank()) {
    const std::size_t most = std::ranges::max(options.counts);
    reference_ = make_reference(options.data, most, world_size());
    buffers_.own = make_field(options.data, most, rank_);
    buffers_.received.resize(most);
  }

  // False if a result was wrong; then it has been said.
  bool measure(const Point& point) {
    std::vector<Row> rows;
    for (const Mode& mode : modes_) {
      rows.push_back({std::string(name_of(point.collective)), mode.name, point.count});
      if (!try_out(mode, point, rows.back())) return false;
    }
    const auto measured = alternate(modes_, point, buffers_, {options_.seconds, 5, 300});
    for (std::size_t i = 1; i < modes_.size(); ++i) {
      Row& row = rows[i];
      // What goes to MPI at first may be compressed by now.
      if (!try_out(modes_[i], point, row)) return false;
      row.raw_ms = 1e3 * measured[0].seconds;
      row.ms = 1e3 * measured[i].seconds;
      row.raw_wire_bytes = measured[0].wire_bytes;
      row.wire_bytes = measured[i].wire_bytes;
      if (rank_ == 0) print(row);
      rows_.push_back(row);
    }
    return true;
  }

  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

 private:
  // One call, whose result is compared with the reference.
  bool try_out(const Mode& mode, const Point& point, Row& row) {
    if (const auto refused = apply(mode)) return complain(row, "refused " + *refused);
    spoil_result(point.collective, buffers_, point.count, rank_);
    run(point.collective, functions_of(mode), buffers_, point.count, rank_);
    const Verdict verdict = verify(reference_, point.collective, buffers_, point.count, rank_);
    row.max_error = std::max(row.max_error, verdict.max_error);
    row.error_bound = absolute_bound(point);
    const bool lossy = !mode.plain && mode.name != "raw" && mode.name != "exact";
    if (!verdict.same_bits) return complain(row, "ranks hold different results");
    if (lossy && row.max_error > std::max(row.error_bound, rounding(point))) {
      return complain(row, "error " + std::to_string(row.max_error) + " is outside the bound");
    }
    return true;
  }

  [[nodiscard]] double absolute_bound(const Point& point) const {
    const settings::ErrorBound& bound = options_.error_bound;
    const bool relative = bound.kind == settings::ErrorBound::Kind::relative;
    return bound.value * (relative ? reference_.range(point.collective, point.count) : 1);
  }

  // What plain MPI's own sum in float32 may be off: a rounding for each rank.
  [[nodiscard]] double rounding(const Point& point) const {
    return point.collective == Collective::bcast ? 0 : 0x1p-24 * world_size() * world_size();
  }

  bool complain(const Row& row, const std::string& what) const {
    if (rank_ == 0) {
      std::fprintf(stderr, "%s of %zu values, mode %s: %s\n", row.collective.c_str(), row.count,
                   row.mode.c_str(), what.c_str());
    }
    return false;
  }

  static void print(const Row& row) {
    std::printf("%-9s %9zu %-18s %9.3f ms  %6.2f x  %11lu of %11lu bytes  error %.2e of %.2e\n",
                row.collective.c_str(), row.count, row.mode.c_str(), row.ms, row.raw_ms / row.ms,
                row.wire_bytes, row.raw_wire_bytes, row.max_error, row.error_bound);
    std::fflush(stdout);
  }

  const Options& options_;
  std::vector<Mode> modes_;
  int rank_;
  Reference reference_;
  Buffers buffers_;
  std::vector<Row> rows_;
};

int write(const Options& options, const std::vector<Row>& rows) {
  if (world_rank() != 0) return 0;
  const auto problem = os::write_whole_file(options.output, csv(rows));
  return problem ? program.refuse(*problem, failed) : 0;
}

int benchmark(const Options& options) {
  Benchmark benchmark(options);
  for (const Collective collective : options.collectives) {
    for (const std::size_t count : options.counts) {
      if (!benchmark.measure({collective, count})) return failed;
    }
  }
  return write(options, benchmark.rows());
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  using namespace tightwire::bench;
  return program.run(argc, argv, parse_options, benchmark);
}
