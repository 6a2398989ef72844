#include "cli/explain/explain_rules.h"

#include <algorithm>

#include "policy/frames.h"
#include "settings/text.h"

namespace tightwire::cli {
namespace {

std::string which_rule(const settings::Loaded& loaded, std::size_t rule) {
  if (loaded.rules.empty()) return "There are no rules in " + loaded.config_file + ".\n";
  if (rule == 0) {
    return "It meets no rule of " + loaded.config_file + ": the settings of the job hold.\n";
  }
  const settings::Rule& met = loaded.rules[rule - 1];
  return "The first rule that it meets is number " + std::to_string(rule) + " (" + met.place +
         "): " + settings::print(met) + "\n";
}

// "key=value" of those settings that rules can change.
std::string settings_line(const settings::Settings& settings) {
  const std::string all = settings::canonical(settings);
  std::string line = "In force:";
  for (std::size_t start = 0; start < all.size();) {
    const std::size_t end = all.find('\n', start);
    const std::string_view one = std::string_view(all).substr(start, end - start);
    if (std::ranges::count(settings::keys_of_wishes(), one.substr(0, one.find('=')))) {
      line += " ";
      line += one;
    }
    start = end + 1;
  }
  return line + "\n";
}

}  // namespace

std::string rule_text(const settings::Loaded& loaded, const policy::EffectiveSettings& effective) {
  if (loaded.config_file.empty()) return "";
  return which_rule(loaded, effective.rule) + settings_line(effective.settings) + "\n";
}

std::string if_on_text(const settings::Loaded& loaded, const policy::CallFacts& call) {
  const bool is_off = call.operation == policy::Operation::send &&
                      loaded.settings.point_to_point == settings::Switch::off;
  return is_off ? "point-to-point is off: the message goes as it is. With point-to-point = on:\n\n"
                : "";
}

std::string why_no_frame(const settings::Loaded& loaded, const policy::CallFacts& call) {
  const settings::Settings& settings = loaded.settings;
  const std::string so = ": the message goes as it is.";
  if (call.operation != policy::Operation::send) return "";
  if (!call.other_host && settings.same_host == settings::SameHost::raw) {
    return "same-host is raw" + so;
  }
  const auto threshold = policy::frame_threshold(settings, loaded.rules);
  if (threshold && call.bytes >= *threshold) return "";
  if (!threshold) return "Neither settings nor rules compress messages between two ranks" + so;
  return "Messages between two ranks are compressed from " +
         settings::print(settings::Bytes{*threshold}) + " on" + so;
}

}  // namespace tightwire::cli
