#include <nlohmann/json.hpp>

#include "runtime/report/formats.h"
#include "runtime/report/names.h"
#include "runtime/version.h"
#include "settings/text.h"

namespace tightwire::runtime {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Row& row) {
  return {{"collective", operation_name(row.operation)},
          {"tier", tier_name(row.plan.tier)},
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

}  // namespace

std::string as_json(const Runtime& runtime, const Totals& totals) {
  Json json;
  json["tightwire"] = version;
  json["ranks"] = runtime.ranks;
  json["error_bound"] = settings::print(runtime.settings.error_bound);
  json["collectives"] = to_json(totals.rows);
  if (!totals.rule_calls.empty()) json["rules"] = rules_to_json(runtime, totals.rule_calls);
  if (with_messages(runtime)) {
    json["point_to_point"] = {{"coding_seconds", totals.messages.encoding},
                              {"expanding_seconds", totals.messages.decoding}};
  }
  if (with_history(runtime)) json["history"] = to_json(totals.predicted);
  if (with_early(runtime)) json["early"] = to_json(totals.early);
  if (with_helper(runtime)) json["helper"] = {{"chunks", totals.helped}};
  return json.dump(2);
}

}  // namespace tightwire::runtime
