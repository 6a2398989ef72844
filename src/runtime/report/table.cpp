#include <algorithm>
#include <array>
#include <cstdio>

#include "runtime/report/formats.h"
#include "runtime/report/names.h"
#include "runtime/version.h"
#include "settings/text.h"

namespace tightwire::runtime {
namespace {

template <class... Fields>
std::string formatted(const char* format, Fields... fields) {
  std::array<char, 320> text{};
  std::snprintf(text.data(), text.size(), format, fields...);
  return text.data();
}

std::string human_bytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  return formatted(unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

std::string staged_line(const Staged& staged) {
  std::string line = "memory of GPUs: " + std::to_string(staged.calls) + " calls staged, " +
                     human_bytes(staged.to_host) + " copied to the host, " +
                     human_bytes(staged.to_device) + " to devices";
  if (staged.encoded + staged.decoded > 0) {
    line += "; " + human_bytes(staged.encoded) + " encoded there, " + human_bytes(staged.decoded) +
            " decoded";
  }
  return line + "\n";
}

std::string heading(const Runtime& runtime) {
  return "tightwire " + std::string(version) + ": " + std::to_string(runtime.ranks) +
         " ranks, error bound " + settings::print(runtime.settings.error_bound) + "\n";
}

template <class... Cells>
std::string table_line(const Cells&... cells) {
  return formatted("%-14s %-27s %-12s %10s %10s %10s %10s %7s %9s %9s\n", cells.c_str()...);
}

std::string column_names() {
  const auto text = [](const char* name) { return std::string(name); };
  return table_line(text("call"), text("way"), text("codec"), text("calls"), text("bytes"),
                    text("before"), text("after"), text("ratio"), text("ms/call"),
                    text("max bound"));
}

std::string way_cell(const policy::Plan& plan) {
  if (plan.tier == policy::Tier::raw) return std::string("raw: ") + reason_name(plan.why).text;
  const std::string name = tier_name(plan.tier);
  return plan.pipelined ? name + "+pipelined" : name;
}

// Calls, bytes and seconds are summed over the ranks. Who only receives sends no frame: its calls
// have bytes, but none before and after.
std::string table_line_of(const Row& row) {
  const std::string none = "-";
  const bool raw = row.plan.tier == policy::Tier::raw;
  const bool bounded = row.plan.tier == policy::Tier::bounded;
  const auto calls = static_cast<double>(row.calls);
  return table_line(std::string(operation_name(row)), way_cell(row.plan), codec_name(row),
                    std::to_string(row.calls), human_bytes(row.message_bytes),
                    raw ? none : human_bytes(row.bytes_before),
                    raw ? none : human_bytes(row.bytes_after),
                    raw ? none : formatted("%.2f", ratio_of(row)),
                    row.seconds > 0 ? formatted("%.3f", 1e3 * row.seconds / calls) : none,
                    bounded ? formatted("%.3g", row.largest_bound) : std::string("exact"));
}

std::string last_line(const std::vector<Row>& rows) {
  Row all;
  for (const Row& row : rows) {
    all.calls += row.calls;
    all.message_bytes += row.message_bytes;
  }
  const std::string none;
  return table_line(std::string("all"), none, none, std::to_string(all.calls),
                    human_bytes(all.message_bytes), none, none, none, none, none);
}

template <class... Cells>
std::string split_line(const Cells&... cells) {
  return formatted("%-14s %-27s %-12s %10s %10s %10s %12s\n", cells.c_str()...);
}

std::string split_line_of(const Row& row) {
  const auto each = [&](double seconds) {
    return formatted("%.3f", 1e3 * seconds / static_cast<double>(row.calls));
  };
  const std::string name = operation_name(row);
  const std::string none = "-";
  const bool message = row.operation == policy::Operation::send;
  return split_line(name, way_cell(row.plan), codec_name(row), each(row.split.of(Phase::encode)),
                    message ? none : each(row.split.of(Phase::combine)),
                    message ? none : each(row.split.of(Phase::decode)),
                    message ? none : each(std::max(0.0, row.seconds - row.split.sum())));
}

// The compressed calls' ms/call, taken apart.
std::string split_table(const Runtime& runtime, const Totals& totals) {
  const auto text = [](const char* name) { return std::string(name); };
  std::string lines;
  for (const Row& row : totals.rows) {
    if (row.plan.tier != policy::Tier::raw && row.calls > 0) lines += split_line_of(row);
  }
  if (lines.empty()) return "";
  lines = split_line(text("ms of a call"), text("way"), text("codec"), text("encode"),
                     text("combine"), text("decode"), text("communicate")) +
          lines;
  if (with_messages(runtime) && totals.messages.decoding > 0) {
    lines += formatted("decoding messages between two ranks: %.3g s, all ranks together\n",
                       totals.messages.decoding);
  }
  return lines;
}

std::string rule_line(std::size_t number, const settings::Rule& rule, std::uint64_t calls) {
  return "rule " + std::to_string(number) + " (" + without_folders(rule.place) + "; " +
         settings::print(rule) + "): met by " + std::to_string(calls) + " calls of all ranks\n";
}

std::string history_line(const Predicted& predicted) {
  return "history: " + std::to_string(predicted.messages) +
         " messages predicted from earlier ones, " + human_bytes(predicted.bytes_before) + " as " +
         human_bytes(predicted.bytes_after) + " (alone, by samples, " +
         human_bytes(predicted.bytes_alone) + "); at most " + human_bytes(predicted.kept_bytes) +
         " of messages kept by a rank\n";
}

std::string early_line(const early::Statistics& early, int ranks) {
  return formatted(
      "early: %llu of %llu chunks ready at the send (%llu with the stronger codec), %llu coded in "
      "vain; %.3g s of coding hidden, %.3g s for %llu faults, a rank\n",
      static_cast<unsigned long long>(early.ready), static_cast<unsigned long long>(early.chunks),
      static_cast<unsigned long long>(early.strengthened),
      static_cast<unsigned long long>(early.wasted), early.hidden_seconds / ranks,
      early.fault_seconds / ranks,
      static_cast<unsigned long long>(early.faults / static_cast<unsigned>(ranks)));
}

}  // namespace

std::string as_table(const Runtime& runtime, const Totals& totals) {
  std::string text = heading(runtime) + column_names();
  for (const Row& row : totals.rows) text += table_line_of(row);
  text += last_line(totals.rows) + split_table(runtime, totals);
  for (std::size_t i = 0; i < totals.rule_calls.size(); ++i) {
    text += rule_line(i + 1, runtime.rules[i], totals.rule_calls[i]);
  }
  if (with_history(runtime)) text += history_line(totals.predicted);
  if (with_early(runtime)) text += early_line(totals.early, runtime.ranks);
  if (with_helpers(runtime, totals)) {
    text += "helper threads: " + std::to_string(totals.helped) + " chunks coded\n";
  }
  if (totals.staged.calls > 0) text += staged_line(totals.staged);
  return text;
}

}  // namespace tightwire::runtime
