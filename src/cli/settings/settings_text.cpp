#include "cli/settings/settings_text.h"

#include <algorithm>

#include "codec/traits.h"
#include "settings/text.h"

namespace tightwire::cli {
namespace {

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

std::string codecs_markdown() {
  std::string text =
      "\n### All codecs\n\n"
      "| Codec | Number in frames | Values | Usual ratio | Encodes, GB/s | Decodes, GB/s |\n"
      "|---|---|---|---|---|---|\n";
  for (const codec::Codec* const codec : codec::all()) {
    const codec::Traits& traits = codec::traits_of(codec->id());
    text += "| `" + std::string(traits.name) + "` | " +
            std::to_string(static_cast<unsigned>(traits.id)) + " | " +
            (traits.lossy ? "within the error bound" : "exact");
    for (const double number : {traits.ratio, traits.encode_speed, traits.decode_speed}) {
      text += " | " + settings::print_number(number);
    }
    text += " |\n";
  }
  return text;
}

}  // namespace

std::string settings_list(const std::vector<settings::Entry>& entries) {
  std::size_t keys = 0;
  std::size_t values = 0;
  for (const settings::Entry& entry : entries) {
    keys = std::max(keys, entry.key.size());
    values = std::max(values, std::min<std::size_t>(entry.value.size(), 24));
  }
  std::string text;
  for (const settings::Entry& entry : entries) {
    text +=
        padded(entry.key, keys) + "  " + padded(entry.value, values) + "  " + entry.place + "\n";
  }
  return text;
}

std::string rules_list(const std::vector<settings::Rule>& rules) {
  std::string text;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    text += "rule " + std::to_string(i + 1) + "  " + settings::print(rules[i]) + "  " +
            rules[i].place + "\n";
  }
  return text;
}

std::string settings_markdown() {
  std::string text;
  std::string group;
  for (const settings::Description& setting : settings::descriptions()) {
    if (setting.for_tests) continue;
    if (setting.group != group) {
      group = setting.group;
      text += (text.empty() ? "### " : "\n### ") + group +
              "\n\n| Setting | Environment | Default | Meaning |\n|---|---|---|---|\n";
    }
    const std::string value =
        setting.default_value.empty() ? "(none)" : "`" + setting.default_value + "`";
    text += "| `" + setting.key + "` | `" + setting.variable + "` | " + value + " | " +
            setting.help + " |\n";
  }
  return text + codecs_markdown();
}

}  // namespace tightwire::cli
