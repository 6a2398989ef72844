#include "runtime/report.h"

#include <mpi.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "os/whole_file.h"
#include "runtime/log.h"
#include "runtime/version.h"
#include "settings/text.h"

namespace tightwire::runtime {
namespace {

// Variants of one operation (Gatherv, Exscan) are counted with it.
constexpr std::array<const char*, policy::operation_count> operation_names{
    "Bcast",  "Reduce",  "Allreduce", "Reduce_scatter", "Scan",
    "Gather", "Scatter", "Allgather", "Alltoall",       "Send"};
constexpr std::array<const char*, policy::tier_count> tier_names{"raw", "exact", "bounded"};

const char* name_of(policy::Operation operation) {
  return operation_names[static_cast<std::size_t>(operation)];
}

std::string tier_name(const policy::Plan& plan) {
  const std::string name = tier_names[static_cast<std::size_t>(plan.tier)];
  return plan.pipelined ? name + "+pipelined" : name;
}

std::string codec_name(const Row& row) {
  const codec::Codec* codec = codec::find(row.plan.codec);
  return row.plan.tier == policy::Tier::raw || codec == nullptr ? "-" : std::string(codec->name());
}

double ratio_of(const Row& row) {
  return row.bytes_after > 0
             ? static_cast<double>(row.bytes_before) / static_cast<double>(row.bytes_after)
             : 1.0;
}

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
  return sum.rows();
}

std::string human_bytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text.data();
}

// Calls and seconds are summed over the ranks; people want them of one rank.
void print_table(const Runtime& runtime, const std::vector<Row>& rows) {
  const double ranks = runtime.ranks;
  std::string text = "tightwire " + std::string(version) + ": " + std::to_string(runtime.ranks) +
                     " ranks, error bound " + settings::print(runtime.settings.error_bound) + "\n";
  std::array<char, 200> line{};
  const auto append = [&](auto... fields) {
    std::snprintf(line.data(), line.size(), "%-14s %-17s %-12s %10s %10s %10s %8s %9s %9s\n",
                  fields...);
    text += line.data();
  };
  const auto number = [](const char* format, double value) {
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), format, value);
    return std::string(digits.data());
  };
  append("collective", "tier", "codec", "calls/rank", "before", "after", "ratio", "ms/call",
         "max bound");
  for (const Row& row : rows) {
    const bool raw = row.plan.tier == policy::Tier::raw;
    const auto calls = static_cast<double>(row.calls);
    append(name_of(row.operation), tier_name(row.plan).c_str(), codec_name(row).c_str(),
           number("%.6g", calls / ranks).c_str(),
           human_bytes(raw ? row.message_bytes : row.bytes_before).c_str(),
           human_bytes(raw ? row.message_bytes : row.bytes_after).c_str(),
           raw ? "-" : number("%.2f", ratio_of(row)).c_str(),
           number("%.3f", 1e3 * row.seconds / calls).c_str(),
           row.plan.tier == policy::Tier::bounded ? number("%.3g", row.largest_bound).c_str()
                                                  : "exact");
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
}

nlohmann::ordered_json to_json(const Runtime& runtime, const std::vector<Row>& rows) {
  nlohmann::ordered_json json;
  json["tightwire"] = version;
  json["ranks"] = runtime.ranks;
  json["error_bound"] = settings::print(runtime.settings.error_bound);
  json["collectives"] = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    json["collectives"].push_back({{"collective", name_of(row.operation)},
                                   {"tier", tier_names[static_cast<std::size_t>(row.plan.tier)]},
                                   {"pipelined", row.plan.pipelined},
                                   {"codec", codec_name(row)},
                                   {"algorithm", settings::print(row.plan.algorithm)},
                                   {"calls", row.calls},
                                   {"message_bytes", row.message_bytes},
                                   {"bytes_before", row.bytes_before},
                                   {"bytes_after", row.bytes_after},
                                   {"ratio", ratio_of(row)},
                                   {"seconds", row.seconds},
                                   {"largest_error_bound", row.largest_bound}});
  }
  return json;
}

// Calls that met each rule, of all ranks, on rank 0.
std::vector<std::uint64_t> sum_rules(const Runtime& runtime) {
  const std::vector<std::uint64_t> own(runtime.rule_calls.begin(), runtime.rule_calls.end());
  std::vector<std::uint64_t> all(own.size());
  PMPI_Reduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_SUM, 0,
              MPI_COMM_WORLD);
  return all;
}

// A report names no folders, for they often name the user: "x.toml:3" of "/home/alice/x.toml:3".
std::string without_folders(const std::string& place) {
  return place.substr(place.rfind('/') + 1);
}

nlohmann::ordered_json rules_to_json(const Runtime& runtime,
                                     const std::vector<std::uint64_t>& calls) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const settings::Rule& rule = runtime.rules[i];
    json.push_back({{"rule", i + 1},
                    {"place", without_folders(rule.place)},
                    {"text", settings::print(rule)},
                    {"calls", calls[i]}});
  }
  return json;
}

void print_rules(const Runtime& runtime, const std::vector<std::uint64_t>& calls) {
  std::string text;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const settings::Rule& rule = runtime.rules[i];
    text += "rule " + std::to_string(i + 1) + " (" + without_folders(rule.place) + "; " +
            settings::print(rule) + "): met by " + std::to_string(calls[i]) +
            " calls of all ranks\n";
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
}

struct MessageTimes {
  double coding = 0;  // seconds
  double expanding = 0;
};

// Sums of all ranks, on rank 0.
MessageTimes sum_times(const Statistics& mine) {
  const std::array<double, 2> own{mine.coding_seconds(), mine.expanding_seconds()};
  std::array<double, 2> all{};
  PMPI_Reduce(own.data(), all.data(), 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return {all[0], all[1]};
}

// Sums of all ranks, on rank 0.
early::Statistics sum_early(const early::Statistics& mine) {
  const std::array<double, 13> own{static_cast<double>(mine.sends),
                                   static_cast<double>(mine.chunks),
                                   static_cast<double>(mine.ready),
                                   static_cast<double>(mine.recompressed),
                                   static_cast<double>(mine.wasted),
                                   static_cast<double>(mine.strengthened),
                                   static_cast<double>(mine.faults),
                                   static_cast<double>(mine.buffers),
                                   static_cast<double>(mine.left_alone),
                                   static_cast<double>(mine.given_up),
                                   mine.fault_seconds,
                                   mine.hidden_seconds,
                                   mine.helper_seconds};
  std::array<double, 13> all{};
  PMPI_Reduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_SUM, 0,
              MPI_COMM_WORLD);
  const auto count = [&](std::size_t i) { return static_cast<std::uint64_t>(all[i]); };
  early::Statistics sum;
  sum.sends = count(0);
  sum.chunks = count(1);
  sum.ready = count(2);
  sum.recompressed = count(3);
  sum.wasted = count(4);
  sum.strengthened = count(5);
  sum.faults = count(6);
  sum.buffers = count(7);
  sum.left_alone = count(8);
  sum.given_up = count(9);
  sum.fault_seconds = all[10];
  sum.hidden_seconds = all[11];
  sum.helper_seconds = all[12];
  return sum;
}

nlohmann::ordered_json to_json(const early::Statistics& early) {
  return {{"sends", early.sends},
          {"chunks", early.chunks},
          {"ready", early.ready},
          {"recompressed", early.recompressed},
          {"wasted", early.wasted},
          {"strengthened", early.strengthened},
          {"faults", early.faults},
          {"fault_seconds", early.fault_seconds},
          {"hidden_seconds", early.hidden_seconds},
          {"helper_seconds", early.helper_seconds},
          {"buffers_tracked", early.buffers},
          {"left_alone", early.left_alone},
          {"given_up", early.given_up}};
}

void print_early(const early::Statistics& early, int ranks) {
  std::fprintf(stderr,
               "early: %llu of %llu chunks ready at the send (%llu with the stronger codec), %llu "
               "coded in vain; %.3g s of coding hidden, %.3g s for %llu faults, a rank\n",
               static_cast<unsigned long long>(early.ready),
               static_cast<unsigned long long>(early.chunks),
               static_cast<unsigned long long>(early.strengthened),
               static_cast<unsigned long long>(early.wasted), early.hidden_seconds / ranks,
               early.fault_seconds / ranks,
               static_cast<unsigned long long>(early.faults / static_cast<unsigned>(ranks)));
}

bool with_helper(const Runtime& runtime) {
  return runtime.settings.helper_thread != settings::HelperThread::off;
}

std::uint64_t sum_helped(const Runtime& runtime) {
  const std::uint64_t own = runtime.helped.load(std::memory_order_relaxed);
  std::uint64_t all = 0;
  PMPI_Reduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  return all;
}

void write_report(const std::string& path, const std::string& text) {
  if (const auto problem = os::write_whole_file(path, text + "\n")) {
    log("report: " + *problem + "; name a file in a folder that rank 0 can write to");
  }
}

}  // namespace

void report(const Runtime& runtime) {
  if (!runtime.reporting()) return;
  const bool verbose = runtime.settings.verbose == settings::Switch::on;
  const std::string& path = runtime.settings.report.value;
  const std::vector<Row> rows = merge(gather_rows(runtime));
  const std::vector<std::uint64_t> rule_calls = sum_rules(runtime);
  const bool with_messages = runtime.settings.point_to_point == settings::Switch::on;
  const MessageTimes times = with_messages ? sum_times(runtime.statistics) : MessageTimes{};
  const bool with_early = runtime.settings.early != settings::Early::off;
  const early::Statistics early = with_early ? sum_early(runtime.early_done) : early::Statistics{};
  const std::uint64_t helped = sum_helped(runtime);
  if (runtime.rank != 0) return;
  if (verbose) {
    print_table(runtime, rows);
    print_rules(runtime, rule_calls);
    if (with_early) print_early(early, runtime.ranks);
    if (with_helper(runtime)) {
      std::fprintf(stderr, "helper thread: %llu chunks coded\n",
                   static_cast<unsigned long long>(helped));
    }
  }
  if (path.empty()) return;
  nlohmann::ordered_json json = to_json(runtime, rows);
  if (!rule_calls.empty()) json["rules"] = rules_to_json(runtime, rule_calls);
  if (with_messages) {
    json["point_to_point"] = {{"coding_seconds", times.coding},
                              {"expanding_seconds", times.expanding}};
  }
  if (with_early) json["early"] = to_json(early);
  if (with_helper(runtime)) json["helper"] = {{"chunks", helped}};
  write_report(path, json.dump(2));
}

}  // namespace tightwire::runtime
