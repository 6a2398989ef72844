#include "comparison/compare.h"

#include <algorithm>
#include <limits>

#include "calibrate/measure/plain_mpi.h"
#include "calibrate/measure/timing.h"
#include "os/whole_file.h"
#include "support/measure.h"

namespace tightwire::comparison {
namespace {

// The call that took the median time, as the rank has it that was the last to end: parts of another
// call, or each from another one, would not add up to it.
TimedCall median_call(const std::vector<TimedCall>& calls, int rank, int ranks) {
  std::vector<double> slowest;
  for (const TimedCall& each : calls) slowest.push_back(each.seconds);
  const auto& mpi = bench::plain_mpi();
  mpi.allreduce(MPI_IN_PLACE, slowest.data(), static_cast<int>(slowest.size()), MPI_DOUBLE, MPI_MAX,
                MPI_COMM_WORLD);
  const std::size_t place = median_place(slowest);
  int last = calls[place].seconds == slowest[place] ? rank : ranks;
  mpi.allreduce(MPI_IN_PLACE, &last, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  TimedCall result = calls[place];
  mpi.bcast(&result, sizeof result, MPI_BYTE, last, MPI_COMM_WORLD);
  return result;
}

std::optional<std::string> save_result(const std::string& folder, const std::string& method,
                                       std::span<const float> values) {
  const auto bytes = std::as_bytes(values);
  return os::write_whole_file(folder + "/" + method + ".f32",
                              {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// Calls until connections are made and Tightwire has learned what they gain: ./run bench
// first_calls measures that time.
void warm_up(Method& method, const Call& call) {
  constexpr double enough = 0.25;  // seconds
  double seconds = 0;
  while (seconds < enough) {
    method.prepare();
    timed(seconds, [&] { static_cast<void>(method.run(call)); });
    bench::plain_mpi().bcast(&seconds, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
  }
}

// One call, whose result is compared with the reference; the worst of several is kept.
void try_out(Method& method, const Call& call, const Inputs& inputs, double error_bound, Row& row) {
  // So that a call that does nothing is noticed.
  std::ranges::fill(call.result, std::numeric_limits<float>::infinity());
  method.prepare();
  static_cast<void>(method.run(call));
  double error = largest_error(inputs, call);
  bench::plain_mpi().allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  const double over_bound = error / (error_bound * method.allowed(call));
  row.max_error_over_bound = std::max(row.max_error_over_bound, over_bound);
  row.ranks_identical = ranks_identical(call) && row.ranks_identical;
}

}  // namespace

std::optional<std::string> compare(const std::vector<std::unique_ptr<Method>>& methods,
                                   const Call& call, const Inputs& inputs, double error_bound,
                                   const bench::Effort& effort, const std::string& save,
                                   std::vector<Row>& rows) {
  std::vector<std::vector<TimedCall>> all_calls(methods.size());
  std::vector<bench::Contender> contenders;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    Method& method = *methods[i];
    method.rehearse(call);
    warm_up(method, call);
    rows[i].algorithm = method.detail();
    try_out(method, call, inputs, error_bound, rows[i]);
    contenders.push_back({[&method] { method.prepare(); },
                          [&, i] {
                            TimedCall& taken = all_calls[i].emplace_back();
                            timed(taken.seconds, [&] { taken.parts = methods[i]->run(call); });
                          },
                          [&, i] {
                            TimedCall& taken = all_calls[i].back();
                            methods[i]->settle(taken.parts);
                            taken.set_other();
                          }});
  }
  const auto measured = bench::alternate(contenders, call.count * sizeof(float), effort);
  for (std::size_t i = 0; i < methods.size(); ++i) {
    auto& calls = all_calls[i];
    calls.erase(calls.begin(), calls.begin() + effort.warm_ups);
    const TimedCall typical = median_call(calls, call.rank, call.ranks);
    rows[i].breakdown = typical.parts;
    if (rows[i].breakdown.plain) rows[i].algorithm = "plain";
    // The first calls may be plain ones, by which the network is measured.
    try_out(*methods[i], call, inputs, error_bound, rows[i]);
    if (!save.empty() && call.rank == 0) {
      if (auto problem = save_result(save, methods[i]->name(), call.received())) return problem;
    }
    rows[i].median_ms = 1e3 * typical.seconds;
    rows[i].raw_ms = rows[0].median_ms;
    rows[i].wire_bytes = measured[i].wire_bytes;
  }
  return std::nullopt;
}

}  // namespace tightwire::comparison
