// Rules: other settings for some calls. A [[rule]] table of tightwire.toml, or the hints of a
// communicator (MPI_Comm_set_info), assign settings that go by single calls.
#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "settings/problem.h"
#include "settings/values.h"

namespace tightwire::settings {

struct Settings;

// Key and value of settings, such as ("error-bound", "1e-4"); valid, and of keys that go by calls.
using Overrides = std::vector<std::pair<std::string, std::string>>;

struct Rule {
  // A call has to meet all of these.
  std::bitset<operation_count> operations{~0ULL};
  std::bitset<datatype_count> datatypes{~0ULL};
  Bytes min_bytes{0};
  Bytes max_bytes{Bytes::never};   // the largest that it is for
  std::string communicator = "*";  // pattern of names, with * ? [...]
  std::optional<Peer> peer;        // met by messages between two ranks only
  std::string where = "*";         // the same of functions of the program, which make the call

  Overrides overrides;
  std::string place;  // "tightwire.toml:3"; not compared

  [[nodiscard]] bool goes_by_name() const { return communicator != "*"; }
  [[nodiscard]] bool goes_by_place() const { return where != "*"; }
};

// A key of a rule as it is written; an array has several texts.
struct RuleLine {
  std::string key;
  std::vector<std::string> texts;
  std::string place;
};

// What is wrong is added to `problems`; the rule is then of no use.
[[nodiscard]] Rule read_rule(const std::vector<RuleLine>& lines, const std::string& place,
                             std::vector<Problem>& problems);

// Adds one override, or returns what is wrong with it.
[[nodiscard]] std::optional<Problem> add_wish(Overrides& overrides, std::string_view key,
                                              std::string_view value, std::string_view place);

// The keys that overrides may have.
[[nodiscard]] const std::vector<std::string_view>& keys_of_wishes();

[[nodiscard]] Settings with(Settings settings, const Overrides& overrides);

// Overrides that are right by themselves but not on top of these settings.
[[nodiscard]] std::optional<Problem> contradiction(const Settings& settings,
                                                   const Overrides& overrides,
                                                   std::string_view place);

// One line, such as "operation=allreduce,bcast min-bytes=1M: mode=exact": equal text means that
// the rules are equal.
[[nodiscard]] std::string print(const Rule& rule);

}  // namespace tightwire::settings
