// What is made of settings.def: assignment by key, canonical text, descriptions.
#include "settings/table.h"

#include <xxhash.h>

#include <algorithm>

#include "settings/nearest.h"
#include "settings/text.h"

namespace tightwire::settings {
namespace {

// Groups of settings.def that decide nothing about messages.
constexpr std::string_view start_group = "The start of a job";
constexpr std::string_view telling_group = "What Tightwire tells you";

}  // namespace

std::string variable_of(std::string_view key) {
  std::string name = "TIGHTWIRE_";
  for (const char letter : key) {
    const bool lower = letter >= 'a' && letter <= 'z';
    name += letter == '-' ? '_' : lower ? static_cast<char>(letter - 'a' + 'A') : letter;
  }
  return name;
}

namespace {

// Of a setting that chooses a codec: "lz4, lz4-hc (its slow search)"; of others nothing.
std::string codecs_of(std::string_view type) {
  std::string list;
  const auto add = [&](std::string_view name, std::string_view remark) {
    if (!list.empty()) list += ", ";
    list += name;
    if (!remark.empty()) list += " (" + std::string(remark) + ")";
  };
#define TIGHTWIRE_BOUNDED_CODEC(id, number, name, remark, ...) \
  if (type == "BoundedCodec") add(name, remark);
#define TIGHTWIRE_BOUNDED_VARIANT(id, name, remark, ...) \
  if (type == "BoundedCodec") add(name, remark);
#define TIGHTWIRE_EXACT_CODEC(id, number, name, remark, ...) \
  if (type == "ExactCodec") add(name, remark);
#define TIGHTWIRE_EXACT_VARIANT(id, name, remark, ...) \
  if (type == "ExactCodec") add(name, remark);
#include "codecs.def"
  return list;
}

std::vector<Description> all_descriptions() {
  std::vector<Description> all;
  std::string group;
#define TIGHTWIRE_GROUP(title) group = title;
#define TIGHTWIRE_SETTING(field, key, Type, default_text, help) \
  all.push_back(                                                \
      {key, variable_of(key), default_text, (help) + codecs_of(#Type), #Type, group, false});
#define TIGHTWIRE_TEST_SETTING(field, key, Type, default_text, help) \
  all.push_back({key, variable_of(key), default_text, help, #Type, group, true});
#include "settings/settings.def"
#undef TIGHTWIRE_SETTING
  return all;
}

}  // namespace

const std::vector<Description>& descriptions() {
  static const std::vector<Description> all = all_descriptions();
  return all;
}

Problem unknown_key(std::string_view key, std::string_view value, std::string_view place) {
  std::vector<std::string_view> known;
  for (const Description& description : descriptions()) known.emplace_back(description.key);
  Problem problem{std::string(key), std::string(value), std::string(place),
                  "there is no such setting", "see docs/user/settings.md or tightwire --help"};
  if (const auto near = nearest(key, known)) {
    problem.advice = "did you mean " + std::string(*near) + "?";
  }
  return problem;
}

std::optional<Problem> assign(Settings& settings, std::string_view key, std::string_view value,
                              std::string_view place) {
  const auto report = [&](const Fault& fault) {
    return Problem{std::string(key), std::string(value), std::string(place), fault.reason,
                   fault.advice};
  };
#define TIGHTWIRE_SETTING(field, name, Type, default_text, help)          \
  if (key == (name)) {                                                    \
    const auto fault = parse(value, settings.field);                      \
    return fault ? std::optional<Problem>(report(*fault)) : std::nullopt; \
  }
#include "settings/settings.def"
#undef TIGHTWIRE_SETTING
  return unknown_key(key, value, place);
}

std::vector<std::string> printed_values(const Settings& settings) {
  return {
#define TIGHTWIRE_SETTING(field, key, Type, default_text, help) print(settings.field),
#include "settings/settings.def"
#undef TIGHTWIRE_SETTING
  };
}

std::optional<std::string> value_of(const Settings& settings, std::string_view key) {
  const auto& all = descriptions();
  const auto found = std::ranges::find(all, key, &Description::key);
  if (found == all.end()) return std::nullopt;
  return printed_values(settings)[static_cast<std::size_t>(found - all.begin())];
}

namespace {

std::string lines_of(const Settings& settings, bool (*is_wanted)(const Description&)) {
  std::string text;
  const std::vector<std::string> values = printed_values(settings);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Description& description = descriptions()[i];
    if (is_wanted(description)) text += description.key + "=" + values[i] + "\n";
  }
  return text;
}

// About messages.
bool decides(const Description& description) {
  return description.group != start_group && description.group != telling_group;
}

}  // namespace

std::uint64_t hash_of(const Settings& settings) {
  const std::string text = lines_of(settings, decides);
  return XXH3_64bits(text.data(), text.size());
}

std::string canonical(const Settings& settings) {
  return lines_of(settings, [](const Description&) { return true; });
}

}  // namespace tightwire::settings
