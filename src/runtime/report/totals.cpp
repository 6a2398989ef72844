#include "runtime/report/totals.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>

#include "runtime/device_traffic.h"
#include "runtime/remembers.h"

namespace tightwire::runtime {
namespace {

// Every rank's rows, as fixed-size records, on rank 0.
std::vector<Row> gather_rows(const Runtime& runtime) {
  static_assert(std::is_trivially_copyable_v<Row>);
  const std::vector<Row> mine = runtime.statistics.rows();
  const int bytes = static_cast<int>(mine.size() * sizeof(Row));
  std::vector<int> sizes(static_cast<std::size_t>(runtime.ranks));
  PMPI_Gather(&bytes, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<int> places(sizes.size());
  int total = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    places[i] = total;
    total += sizes[i];
  }
  std::vector<Row> all(runtime.rank == 0 ? static_cast<std::size_t>(total) / sizeof(Row) : 0);
  PMPI_Gatherv(mine.data(), bytes, MPI_BYTE, all.data(), sizes.data(), places.data(), MPI_BYTE, 0,
               MPI_COMM_WORLD);
  return all;
}

std::vector<Row> merge(const std::vector<Row>& rows) {
  Statistics sum;
  for (const Row& row : rows) sum.add(row);
  std::vector<Row> merged = sum.rows();
  std::ranges::stable_sort(merged, {}, &Row::operation);
  return merged;
}

std::vector<std::uint64_t> sum_rules(const Runtime& runtime) {
  const std::vector<std::uint64_t> own(runtime.rule_calls.begin(), runtime.rule_calls.end());
  std::vector<std::uint64_t> all(own.size());
  PMPI_Reduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_SUM, 0,
              MPI_COMM_WORLD);
  return all;
}

template <std::size_t size>
std::array<double, size> sum_seconds(const std::array<double, size>& own) {
  std::array<double, size> all{};
  PMPI_Reduce(own.data(), all.data(), static_cast<int>(size), MPI_DOUBLE, MPI_SUM, 0,
              MPI_COMM_WORLD);
  return all;
}

MessageTimes sum_times(const Statistics& mine) {
  const auto all = sum_seconds<2>({mine.encoding_seconds(), mine.decoding_seconds()});
  return {all[0], all[1]};
}

Predicted sum_predicted(const Predicted& mine) {
  const std::array own{mine.messages, mine.bytes_before, mine.bytes_after, mine.bytes_alone};
  std::array<std::uint64_t, own.size()> all{};
  PMPI_Reduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_SUM, 0,
              MPI_COMM_WORLD);
  Predicted sum{all[0], all[1], all[2], all[3], 0};
  PMPI_Reduce(&mine.kept_bytes, &sum.kept_bytes, 1, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
  return sum;
}

constexpr std::array early_counters{
    &early::Statistics::sends,        &early::Statistics::chunks,  &early::Statistics::ready,
    &early::Statistics::recompressed, &early::Statistics::wasted,  &early::Statistics::strengthened,
    &early::Statistics::faults,       &early::Statistics::buffers, &early::Statistics::left_alone,
    &early::Statistics::given_up};
constexpr std::array early_times{&early::Statistics::fault_seconds,
                                 &early::Statistics::hidden_seconds,
                                 &early::Statistics::helper_seconds};

early::Statistics sum_early(const early::Statistics& mine) {
  std::array<double, early_counters.size() + early_times.size()> own{};
  std::size_t at = 0;
  for (const auto counter : early_counters) own[at++] = static_cast<double>(mine.*counter);
  for (const auto time : early_times) own[at++] = mine.*time;
  const auto all = sum_seconds(own);
  early::Statistics sum;
  at = 0;
  for (const auto counter : early_counters) sum.*counter = static_cast<std::uint64_t>(all[at++]);
  for (const auto time : early_times) sum.*time = all[at++];
  return sum;
}

std::uint64_t sum_helped(const Runtime& runtime) {
  const std::uint64_t own = runtime.helped.load(std::memory_order_relaxed);
  std::uint64_t all = 0;
  PMPI_Reduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  return all;
}

Staged own_staged() {
  const DeviceTraffic& own = device_traffic();
  return {own.calls, own.to_host, own.to_device, own.encoded, own.decoded};
}

Staged sum_staged() {
  const Staged own = own_staged();
  const std::array<std::uint64_t, 5> mine = {own.calls, own.to_host, own.to_device, own.encoded,
                                             own.decoded};
  std::array<std::uint64_t, 5> all{};
  PMPI_Reduce(mine.data(), all.data(), 5, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  return {all[0], all[1], all[2], all[3], all[4]};
}

Gain own_gain(const Runtime& runtime) {
  Gain gain;
  // Calls that are too small to be looked at are not told from those that nothing is done to.
  const bool all_off = runtime.smallest_compressed == std::numeric_limits<std::size_t>::max();
  for (const Row& row : runtime.statistics.rows()) {
    if (row.plan.tier != policy::Tier::raw) {
      gain.compressed += row.message_bytes;
      gain.saved += static_cast<std::int64_t>(row.bytes_before - row.bytes_after);
      continue;
    }
    const bool off = all_off && row.plan.why == policy::Reason::small;
    const policy::Reason why = off ? policy::Reason::off : row.plan.why;
    gain.left[static_cast<std::size_t>(why)] += row.message_bytes;
  }
  return gain;
}

}  // namespace

bool with_messages(const Runtime& runtime) {
  return runtime.settings.point_to_point == settings::Switch::on;
}

bool with_history(const Runtime& runtime) {
  return with_messages(runtime) && any_call_remembers(runtime);
}

bool with_early(const Runtime& runtime) {
  return runtime.settings.early != settings::Early::off;
}

bool with_helpers(const Runtime& runtime, const Totals& totals) {
  return totals.helped > 0 || runtime.settings.threads.value > 1;
}

Gain gain_of(const Runtime& runtime) {
  const Gain own = own_gain(runtime);
  Gain all;
  PMPI_Reduce(own.left.data(), all.left.data(), static_cast<int>(own.left.size()), MPI_UINT64_T,
              MPI_SUM, 0, MPI_COMM_WORLD);
  PMPI_Reduce(&own.compressed, &all.compressed, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  PMPI_Reduce(&own.saved, &all.saved, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  return all;
}

Totals totals_of(const Runtime& runtime) {
  Totals totals;
  totals.rows = merge(gather_rows(runtime));
  totals.rule_calls = sum_rules(runtime);
  if (with_messages(runtime)) totals.messages = sum_times(runtime.statistics);
  if (with_history(runtime)) totals.predicted = sum_predicted(runtime.statistics.predicted());
  if (with_early(runtime)) totals.early = sum_early(runtime.early_done);
  totals.helped = sum_helped(runtime);
  totals.staged = sum_staged();
  return totals;
}

Totals own_totals(const Runtime& runtime) {
  Totals totals;
  totals.rows = merge(runtime.statistics.rows());
  totals.rule_calls.assign(runtime.rule_calls.begin(), runtime.rule_calls.end());
  totals.messages = {runtime.statistics.encoding_seconds(), runtime.statistics.decoding_seconds()};
  totals.predicted = runtime.statistics.predicted();
  totals.helped = runtime.helped.load(std::memory_order_relaxed);
  totals.staged = own_staged();
  return totals;
}

}  // namespace tightwire::runtime
