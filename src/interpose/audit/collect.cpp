#include "interpose/audit/collect.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <string>
#include <vector>

#include "audit/advice.h"
#include "audit/json.h"
#include "interpose/audit/network_probe.h"
#include "mpi/error.h"
#include "os/signals.h"
#include "os/whole_file.h"
#include "runtime/log.h"
#include "runtime/report/mpi_name.h"
#include "runtime/runtime.h"
#include "runtime/version.h"
#include "settings/source/defaults.h"

namespace tightwire::auditor {
namespace {

using mpi::check;

constexpr int probe_tag = 1;
constexpr int part_tag = 2;
constexpr int exit_code = 2;

MPI_Comm& own_world() {
  static MPI_Comm comm = MPI_COMM_NULL;
  return comm;
}

policy::Network network(double run_seconds) {
  const runtime::Runtime& runtime = runtime::current();
  if (runtime.settings.link.given()) return runtime::stated_network();
  if (runtime.nodes.nodes() < 2) return {};
  const int left = (runtime.rank + runtime.ranks - 1) % runtime.ranks;
  const int right = (runtime.rank + 1) % runtime.ranks;
  return measured_network({own_world(), own_world(), left, right, probe_tag}, run_seconds);
}

void add(audit::Profile& sum, const audit::Profile& part) {
  for (const auto& [kind, figures] : part.calls) sum.calls[kind].add(figures);
  sum.sent.insert(sum.sent.end(), part.sent.begin(), part.sent.end());
  sum.seconds += part.seconds;
  sum.mpi_seconds += part.mpi_seconds;
  sum.least_mpi_seconds = std::min(sum.least_mpi_seconds, part.least_mpi_seconds);
  sum.cost_seconds += part.cost_seconds;
}

void send_to_first(const audit::Profile& own) {
  const std::string text = audit::to_json(own);
  check(PMPI_Send(text.data(), static_cast<int>(std::min<std::size_t>(text.size(), INT_MAX)),
                  MPI_CHAR, 0, part_tag, own_world()));
}

// One after the other, so that rank 0 needs memory for one.
void receive_others(audit::Profile& sum, int ranks) {
  for (int rank = 1; rank < ranks; ++rank) {
    MPI_Status status;
    int size = 0;
    check(PMPI_Probe(rank, part_tag, own_world(), &status));
    check(PMPI_Get_count(&status, MPI_CHAR, &size));
    std::string text(static_cast<std::size_t>(size), ' ');
    check(PMPI_Recv(text.data(), size, MPI_CHAR, rank, part_tag, own_world(), MPI_STATUS_IGNORE));
    const auto part = audit::from_json(text);
    if (const auto* const profile = std::get_if<audit::Profile>(&part)) {
      add(sum, *profile);
    } else {
      runtime::log("audit: what rank " + std::to_string(rank) + " has counted " +
                   std::get<std::string>(part));
    }
  }
}

void write(const std::string& text, const std::string& path) {
  if (const auto problem = os::write_whole_file(path, text)) {
    runtime::log("audit: " + *problem + "; name a file in a folder that rank 0 can write to");
  }
}

void tell(const audit::Profile& profile, const std::string& name) {
  const policy::Network network = audit::network_of(profile);
  const std::string text = "tightwire audit: " + audit::advice(profile, network) + "\n" +
                           audit::table_of_calls(profile, network) + "\ntightwire advise " + name +
                           " tells it again, for other links and with rules to paste.\n";
  const os::WriteErrorsReturn write_errors_return;
  std::fwrite(text.data(), 1, text.size(), stderr);
}

// All the time since all ranks are there is the audit's.
class Clock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// What is written says what it cost but for the writing itself, what is told also that.
void conclude(audit::Profile& all, const Clock& clock) {
  const std::string& name = runtime::current().settings.audit.value;
  const double counted = all.cost_seconds;
  const policy::Network network = audit::network_of(all);
  const auto text = [&] {
    all.cost_seconds = counted + clock.seconds();
    return audit::to_json_with_forecast(all, network) + "\n";
  };
  write(text(), (runtime::current().folder / name).string());
  all.cost_seconds = counted + clock.seconds();
  tell(all, name);
}

// Bytes that a rank sends to or gets from other hosts by messages between two, whichever are more:
// the most of a rank, in parts of what a rank sends on average. 0: there are none.
double busiest(const audit::Profile& all) {
  const auto& nodes = runtime::current().nodes;
  std::vector<std::array<double, 2>> ways(static_cast<std::size_t>(all.ranks));
  double sum = 0;
  for (const audit::Sent& sent : all.sent) {
    if (nodes.node_of(sent.from) == nodes.node_of(sent.to)) continue;
    const auto bytes = static_cast<double>(sent.bytes);
    ways[static_cast<std::size_t>(sent.from)][0] += bytes;
    ways[static_cast<std::size_t>(sent.to)][1] += bytes;
    sum += bytes;
  }
  double most = 0;
  for (const auto& [out, in] : ways) most = std::max({most, out, in});
  return sum > 0 ? most * all.ranks / sum : 0;
}

void sum_up(audit::Profile& all, const policy::Network& found) {
  const runtime::Runtime& runtime = runtime::current();
  all.hosts = static_cast<int>(runtime.nodes.nodes());
  all.seconds /= runtime.ranks;
  all.mpi_seconds /= runtime.ranks;
  all.cost_seconds /= runtime.ranks;
  all.mpi = runtime::mpi_name();
  all.settings = settings::changed(runtime.settings);
  all.latency = found.latency;
  all.bandwidth = found.bandwidth;
  all.busiest = busiest(all);
}

}  // namespace

void prepare_collection() {
  const runtime::Runtime& runtime = runtime::current();
  const std::string path = (runtime.folder / runtime.settings.audit.value).string();
  const auto problem = runtime.rank == 0 ? os::why_not_write(path) : std::nullopt;
  if (problem) {
    runtime::log_last_words("audit: " + *problem + "; name a regular file in a folder that exists");
    PMPI_Abort(MPI_COMM_WORLD, exit_code);
  }
  check(PMPI_Comm_dup(MPI_COMM_WORLD, &own_world()));
}

void collect(const std::function<audit::Profile()>& counted) {
  const runtime::Runtime& runtime = runtime::current();
  check(PMPI_Barrier(own_world()));
  const Clock clock;
  audit::Profile own = counted();
  const policy::Network found = network(own.seconds);
  own.version = std::string(runtime::version);
  own.ranks = runtime.ranks;
  if (runtime.rank != 0) {
    send_to_first(own);
  } else {
    receive_others(own, runtime.ranks);
    sum_up(own, found);
    conclude(own, clock);
  }
  check(PMPI_Comm_free(&own_world()));
}

}  // namespace tightwire::auditor
