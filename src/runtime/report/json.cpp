#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/report/formats.h"
#include "runtime/report/mpi_name.h"
#include "runtime/report/names.h"
#include "runtime/version.h"
#include "settings/source/defaults.h"
#include "settings/text.h"

namespace tightwire::runtime {
namespace {

using Json = nlohmann::ordered_json;

// Changes where readers of what was written before would misread it.
constexpr int format = 1;

// What was not spent in the codec is known of collectives only: a message's sender does not wait.
Json split_of(const Row& row) {
  Json json{{"encoding_seconds", row.split.of(Phase::encode)}};
  if (row.operation == policy::Operation::send) return json;
  json["combining_seconds"] = row.split.of(Phase::combine);
  json["decoding_seconds"] = row.split.of(Phase::decode);
  json["communicating_seconds"] = std::max(0.0, row.seconds - row.split.sum());
  return json;
}

Json to_json(const Row& row) {
  const bool raw = row.plan.tier == policy::Tier::raw;
  Json json{{"collective", operation_name(row)},
            {"tier", tier_name(row.plan.tier)},
            {"why_raw", raw ? Json(reason_name(row.plan.why).word) : Json()},
            {"pipelined", row.plan.pipelined},
            {"codec", codec_name(row)},
            {"algorithm", settings::print(row.plan.algorithm)},
            {"calls", row.calls},
            {"message_bytes", row.message_bytes},
            {"bytes_before", row.bytes_before},
            {"bytes_after", row.bytes_after},
            {"ratio", ratio_of(row)},
            {"seconds", row.seconds},
            {"largest_error_bound", row.largest_bound}};
  if (!raw) json.update(split_of(row));
  return json;
}

Json to_json(const std::vector<Row>& rows) {
  Json json = Json::array();
  for (const Row& row : rows) json.push_back(to_json(row));
  return json;
}

Json rules_to_json(const Runtime& runtime, const std::vector<std::uint64_t>& calls) {
  Json json = Json::array();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const settings::Rule& rule = runtime.rules[i];
    json.push_back({{"rule", i + 1},
                    {"place", without_folders(rule.place)},
                    {"text", settings::print(rule)},
                    {"calls", calls[i]}});
  }
  return json;
}

Json to_json(const Predicted& predicted) {
  return {{"messages", predicted.messages},
          {"bytes_before", predicted.bytes_before},
          {"bytes_after", predicted.bytes_after},
          {"bytes_alone", predicted.bytes_alone},
          {"most_kept_bytes", predicted.kept_bytes}};
}

Json to_json(const early::Statistics& early) {
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

Json to_json(const Runtime& runtime, const Totals& totals) {
  Json json;
  json["report"] = format;
  json["tightwire"] = version;
  json["mpi"] = mpi_name();
  json["job"] = runtime.job;
  json["ranks"] = runtime.ranks;
  json["seconds"] = runtime.seconds();
  json["error_bound"] = settings::print(runtime.settings.error_bound);
  json["settings"] = Json::object();
  for (const auto& [key, value] : settings::changed(runtime.settings)) {
    json["settings"][key] = value;
  }
  json["collectives"] = to_json(totals.rows);
  if (!totals.rule_calls.empty()) json["rules"] = rules_to_json(runtime, totals.rule_calls);
  if (with_messages(runtime)) {
    json["point_to_point"] = {{"coding_seconds", totals.messages.encoding},
                              {"expanding_seconds", totals.messages.decoding}};
  }
  if (with_history(runtime)) json["history"] = to_json(totals.predicted);
  if (with_early(runtime)) json["early"] = to_json(totals.early);
  if (with_helpers(runtime, totals)) json["helper"] = {{"chunks", totals.helped}};
  if (const Staged& staged = totals.staged; staged.calls > 0) {
    json["device"] = {{"calls", staged.calls},
                      {"bytes_to_host", staged.to_host},
                      {"bytes_to_device", staged.to_device},
                      {"bytes_encoded", staged.encoded},
                      {"bytes_decoded", staged.decoded}};
  }
  return json;
}

}  // namespace

std::string as_json(const Runtime& runtime, const Totals& totals) {
  return to_json(runtime, totals).dump(2);
}

std::string part_as_json(const Runtime& runtime, const Totals& totals, const std::string& why) {
  Json json = to_json(runtime, totals);
  json["part"] = {{"rank", runtime.rank}, {"ended_by", why}};
  json.erase("early");
  return json.dump(2);
}

}  // namespace tightwire::runtime
