#include "settings/rules.h"

#include <algorithm>

#include "settings/nearest.h"
#include "settings/settings.h"
#include "settings/text.h"

namespace tightwire::settings {
namespace {

using Operations = std::bitset<operation_count>;
using Datatypes = std::bitset<datatype_count>;

template <class Enum>
std::size_t index(Enum value) {
  return static_cast<std::size_t>(value);
}

template <class Bits>
struct Group {
  std::string_view name;
  Bits members;
};

const Operations only_send{1ULL << index(Operation::send)};

const std::vector<Group<Operations>>& groups_of(Operation) {
  static const std::vector<Group<Operations>> groups{{"collective", ~only_send},
                                                     {"point-to-point", only_send}};
  return groups;
}

const std::vector<Group<Datatypes>>& groups_of(Datatype) {
  static const std::vector<Group<Datatypes>> groups{
      {"floating-point",
       Datatypes{1ULL << index(Datatype::float32)} | Datatypes{1ULL << index(Datatype::float64)}},
      {"integer",
       Datatypes{1ULL << index(Datatype::int8)} | Datatypes{1ULL << index(Datatype::int16)} |
           Datatypes{1ULL << index(Datatype::int32)} | Datatypes{1ULL << index(Datatype::int64)}}};
  return groups;
}

template <class Enum, class Bits>
std::vector<std::string> names_of(const Bits& bits) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits.test(i)) names.push_back(print(static_cast<Enum>(i)));
  }
  return names;
}

std::string joined(const std::vector<std::string>& names, const char* separator) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += separator;
    text += name;
  }
  return text;
}

// Adds what one name stands for.
template <class Enum, class Bits>
std::optional<Fault> add_named(std::string_view name, Bits& bits) {
  std::vector<std::string> known = names_of<Enum>(~Bits{});
  for (const auto& group : groups_of(Enum{})) {
    if (group.name == name) {
      bits |= group.members;
      return std::nullopt;
    }
    known.emplace_back(group.name);
  }
  Enum value{};
  if (!parse(name, value)) {
    bits.set(index(value));
    return std::nullopt;
  }
  const auto near = nearest(name, {known.begin(), known.end()});
  return Fault{name.empty() ? "is empty" : "is not known",
               (near ? "did you mean " + std::string(*near) + "? It can be " : "use one of ") +
                   joined(known, ", ")};
}

template <class Enum, class Bits>
std::optional<Fault> parse_names(const std::vector<std::string>& names, Bits& bits) {
  bits.reset();
  for (const std::string& name : names) {
    if (auto fault = add_named<Enum>(name, bits)) return fault;
  }
  return std::nullopt;
}

std::optional<Fault> parse_pattern(const std::string& text, std::string& pattern,
                                   const std::string& reason) {
  const auto is_control = [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; };
  if (text.empty() || std::ranges::any_of(text, is_control)) {
    return Fault{reason, "give one, or a pattern such as halo*"};
  }
  pattern = text;
  return std::nullopt;
}

std::optional<Fault> parse_peer(const std::string& text, std::optional<Peer>& peer) {
  Peer value{};
  auto fault = parse(text, value);
  if (!fault) peer = value;
  return fault;
}

class Reader {
 public:
  Reader(const std::string& place, std::vector<Problem>& problems) : problems_(problems) {
    rule_.place = place;
  }

  void read(const RuleLine& line) {
    const std::string shown = joined(line.texts, ", ");
    const auto note = [&](const std::optional<Fault>& fault) {
      if (fault) problems_.push_back({line.key, shown, line.place, fault->reason, fault->advice});
    };
    if (line.key == "operation") return note(parse_names<Operation>(line.texts, rule_.operations));
    if (line.key == "datatype") return note(parse_names<Datatype>(line.texts, rule_.datatypes));
    if (line.texts.size() != 1) {
      return note(Fault{"is not a single value", "give a number or a text in quotes"});
    }
    const std::string& text = line.texts[0];
    if (line.key == "min-bytes") return note(parse(text, rule_.min_bytes));
    if (line.key == "max-bytes") return note(parse(text, rule_.max_bytes));
    if (line.key == "communicator") {
      return note(parse_pattern(text, rule_.communicator, "is no name of a communicator"));
    }
    if (line.key == "where") {
      return note(parse_pattern(text, rule_.where, "is no name of a function"));
    }
    if (line.key == "peer") return note(parse_peer(text, rule_.peer));
    if (auto problem = add_wish(rule_.overrides, line.key, text, line.place)) {
      problems_.push_back(*problem);
    }
  }

  Rule finish() {
    const auto note = [&](const std::string& reason, const std::string& advice) {
      problems_.push_back({"", "", rule_.place, "the rule " + reason, advice});
    };
    if (rule_.peer && !rule_.operations.test(index(Operation::send))) {
      note("has a peer, but is for collectives", "leave out peer, or add send to operation");
    }
    if (rule_.min_bytes.value > rule_.max_bytes.value) {
      note("has min-bytes above max-bytes", "exchange them");
    }
    if (rule_.overrides.empty()) note("sets nothing", "add a line such as mode = \"exact\"");
    if (rule_.peer) rule_.operations = only_send;
    return std::move(rule_);
  }

 private:
  Rule rule_;
  std::vector<Problem>& problems_;
};

Problem no_wish(std::string_view key, std::string_view value, std::string_view place) {
  Problem problem{std::string(key), std::string(value), std::string(place), "", ""};
  for (const Description& description : descriptions()) {
    if (description.key != key) continue;
    problem.reason = "goes by jobs, not by calls";
    problem.advice = "set it outside of rules and hints";
    return problem;
  }
  std::vector<std::string_view> known = keys_of_wishes();
  known.insert(known.end(), {"operation", "datatype", "min-bytes", "max-bytes", "communicator",
                             "peer", "where"});
  const auto near = nearest(key, known);
  problem.reason = "is nothing that a rule can have";
  problem.advice = near ? "did you mean " + std::string(*near) + "?" : "see docs/user/settings.md";
  return problem;
}

}  // namespace

const std::vector<std::string_view>& keys_of_wishes() {
  static const std::vector<std::string_view> keys{"mode",
                                                  "threshold-exact",
                                                  "threshold-bounded",
                                                  "threshold-pipelined",
                                                  "error-bound",
                                                  "bound-applies-to",
                                                  "bounded-codec",
                                                  "exact-codec",
                                                  "zstd-level",
                                                  "zfp-rate",
                                                  "history"};
  return keys;
}

Rule read_rule(const std::vector<RuleLine>& lines, const std::string& place,
               std::vector<Problem>& problems) {
  Reader reader(place, problems);
  const std::size_t before = problems.size();
  for (const RuleLine& line : lines) reader.read(line);
  if (problems.size() > before) return {};
  return reader.finish();
}

std::optional<Problem> add_wish(Overrides& overrides, std::string_view key, std::string_view value,
                                std::string_view place) {
  if (std::ranges::find(keys_of_wishes(), key) == keys_of_wishes().end()) {
    return no_wish(key, value, place);
  }
  Settings settings;
  if (auto problem = assign(settings, key, value, place)) return problem;
  overrides.emplace_back(key, value);
  return std::nullopt;
}

Settings with(Settings settings, const Overrides& overrides) {
  for (const auto& [key, value] : overrides) {
    if (assign(settings, key, value, "")) continue;  // none is bad: add_wish() has seen to it
  }
  return settings;
}

std::optional<Problem> contradiction(const Settings& settings, const Overrides& overrides,
                                     std::string_view place) {
  const Settings together = with(settings, overrides);
  if (together.mode != Mode::bounded || together.error_bound.given()) return std::nullopt;
  return Problem{"mode", "bounded", std::string(place), "needs an error bound",
                 "give one such as 1e-4 (or rel:1e-4) beside it, or use mode exact"};
}

std::string print(const Rule& rule) {
  std::vector<std::string> parts;
  if (!rule.operations.all()) {
    parts.push_back("operation=" + joined(names_of<Operation>(rule.operations), ","));
  }
  if (!rule.datatypes.all()) {
    parts.push_back("datatype=" + joined(names_of<Datatype>(rule.datatypes), ","));
  }
  if (rule.min_bytes.value > 0) parts.push_back("min-bytes=" + print(rule.min_bytes));
  if (rule.max_bytes.value != Bytes::never) parts.push_back("max-bytes=" + print(rule.max_bytes));
  if (rule.goes_by_name()) parts.push_back("communicator=" + rule.communicator);
  if (rule.peer) parts.push_back("peer=" + print(*rule.peer));
  if (rule.goes_by_place()) parts.push_back("where=" + rule.where);
  if (parts.empty()) parts.emplace_back("every call");
  std::vector<std::string> overrides;
  for (const auto& [key, value] : rule.overrides) overrides.push_back(joined({key, value}, "="));
  return joined(parts, " ") + ": " + joined(overrides, " ");
}

}  // namespace tightwire::settings
