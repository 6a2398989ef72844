// Any words as a pattern of communicators, the name of one, and its hints KEY=VALUE: what
// MPI_Comm_set_info and rules lead to.
#include "policy/settings_resolver.h"
#include "problems.h"
#include "words.h"

namespace {

using namespace tightwire;
using settings::Overrides;

constexpr const char* place = "hint";

Overrides wishes_of(const std::vector<std::string>& words) {
  Overrides overrides;
  for (const std::string& word : words) {
    const std::size_t end = std::min(word.find('='), word.size());
    const std::string value = end < word.size() ? word.substr(end + 1) : "";
    if (const auto problem = settings::add_wish(overrides, word.substr(0, end), value, place)) {
      fuzz::check(*problem);
    }
  }
  return overrides;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> words = fuzz::words_of(data, size);
  if (words.size() < 2) return 0;
  const std::string pattern = words[0];
  const std::string name = words[1];
  words.erase(words.begin(), words.begin() + 2);
  const Overrides overrides = wishes_of(words);

  std::vector<settings::Problem> problems;
  const std::vector<settings::Rule> rules{settings::read_rule(
      {{"communicator", {pattern}, place}, {"mode", {"exact"}, place}}, place, problems)};
  fuzz::check(problems);
  if (!problems.empty()) return 0;
  const settings::Settings job;
  if (const auto problem = contradiction(job, overrides, place)) {
    fuzz::check(*problem);
    return 0;
  }
  const policy::SettingsResolver resolver(job, rules, policy::rules_for_name(rules, name),
                                          overrides);
  const std::size_t rule = resolver.of({policy::Operation::send, 4096}).rule;
  fuzz::require(pattern != "*" || rule == 1, "every communicator meets *");
  return 0;
}
