#include "cli/explain/explain_text.h"

#include <array>
#include <cstdio>

#include "settings/text.h"

namespace tightwire::cli {
namespace {

template <class... Fields>
std::string format(const char* pattern, Fields... fields) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), pattern, fields...);
  return text.data();
}

bool is_raw(const policy::Way& way) {
  return way.tier == policy::Tier::raw;
}

std::string name_of(const policy::Way& way) {
  if (is_raw(way)) return "plain MPI";
  const codec::Codec* codec = codec::find(way.codec);
  std::string name = codec != nullptr ? std::string(codec->name()) : "unknown codec";
  if (way.algorithm != settings::Algorithm::automatic) {
    name += ", " + settings::print(way.algorithm);
  }
  return name;
}

std::string table_line(const policy::Way& way, const policy::Explanation& explanation,
                       bool is_choice) {
  return format("%s %-28s %8s %8s %14.4g %10.2f\n", is_choice ? "*" : " ", name_of(way).c_str(),
                is_raw(way) ? "-" : std::to_string(way.chunks).c_str(),
                is_raw(way) ? "-" : format("%.3g", way.ratio).c_str(), 1e3 * way.seconds,
                explanation.raw.seconds / way.seconds);
}

std::string table(const policy::Explanation& explanation) {
  std::string text =
      format("  %-28s %8s %8s %14s %10s\n", "way", "chunks", "ratio", "predicted ms", "x plain");
  text += table_line(explanation.choice, explanation, true);
  bool raw_told = is_raw(explanation.choice);
  for (const policy::Way& way : explanation.others) {
    if (!raw_told && way.seconds > explanation.raw.seconds) {
      text += table_line(explanation.raw, explanation, false);
      raw_told = true;
    }
    text += table_line(way, explanation, false);
  }
  if (!raw_told) text += table_line(explanation.raw, explanation, false);
  return text;
}

}  // namespace

std::string explanation_text(const std::string& operation, const std::string& type,
                             const policy::Facts& facts, bool link_given,
                             const policy::Explanation& explanation) {
  std::string text =
      format("%s of %s of %s over %d ranks, a %g Gbit/s link%s each, latency %g us\n\n",
             operation.c_str(), settings::print(settings::Bytes{facts.bytes}).c_str(), type.c_str(),
             facts.ranks, 8e-9 * facts.network.bandwidth,
             link_given ? "" : " (assumed; see --link)", 1e6 * facts.network.latency);
  text += table(explanation) + "\n";
  for (const std::string& reason : explanation.reasons) text += reason + "\n";
  return text;
}

}  // namespace tightwire::cli
