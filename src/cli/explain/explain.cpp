// tightwire explain: what would become of a call, and why, without running anything.
#include "policy/explain.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>

#include "cli/commands.h"
#include "cli/element_names.h"
#include "cli/explain/explain_device.h"
#include "cli/explain/explain_rules.h"
#include "cli/explain/explain_text.h"
#include "cli/explain/explain_threads.h"
#include "cli/launch/launch.h"
#include "cli/launch/refuse.h"
#include "settings/text.h"

namespace tightwire::cli {
namespace {

constexpr double assumed_link = 10e9;  // bits per second

struct Asked {
  std::string operation;
  std::string bytes;
  int ranks = 2;
  std::string type = "float";
  double ratio = 0;
  double latency = 10;  // microseconds
  std::string communicator;
  std::string peer = "other-host";
  std::string where;
  std::string memory = "host";
};

// CLI11 takes "nan" for a number between any two.
std::string check_number(const std::string& text) {
  double value = 0;
  return CLI::detail::lexical_cast(text, value) && std::isfinite(value)
             ? ""
             : "\"" + text + "\" is not a number";
}

std::string check_operation(const std::string& text) {
  policy::Operation operation{};
  const auto fault = settings::parse(text, operation);
  return fault ? "\"" + text + "\" " + fault->reason + "; " + fault->advice : "";
}

policy::Operation operation_of(const std::string& text) {
  policy::Operation operation{};
  static_cast<void>(settings::parse(text, operation));
  return operation;
}

void define(CLI::App& app, Asked& asked) {
  app.allow_extras();
  app.set_help_flag();
  app.add_option("--op", asked.operation)->required()->check(check_operation);
  app.add_option("--bytes", asked.bytes)->required();
  app.add_option("--ranks", asked.ranks)->check(CLI::Range(2, 1 << 24));
  app.add_option("--type,--datatype", asked.type)->check(CLI::IsMember(types_by_name()));
  app.add_option("--ratio", asked.ratio)->check(check_number)->check(CLI::Range(1.0, 1e6));
  app.add_option("--comm", asked.communicator);
  app.add_option("--peer", asked.peer)->check(CLI::IsMember({"other-host", "same-host"}));
  app.add_option("--where", asked.where);
  app.add_option("--memory", asked.memory)->check(CLI::IsMember({"host", "device"}));
  app.add_option("--latency", asked.latency)->check(check_number)->check(CLI::Range(0.01, 1e6));
}

// What the numbers know nothing of.
std::string history_text(const settings::Settings& settings, policy::Operation operation,
                         const policy::Way& choice) {
  const bool by_ours = choice.tier == policy::Tier::bounded
                           ? choice.codec == codec::Id::bounded
                           : settings.exact_codec == settings::ExactCodec::exact;
  const bool in_collectives = !policy::is_reduction(operation) &&
                              settings.point_to_point == settings::Switch::on &&
                              settings.deterministic == settings::Switch::off;
  const bool looks_back = (operation == policy::Operation::send || in_collectives) &&
                          settings.history != settings::History::off && by_ours;
  return looks_back ? "Where it resembles earlier messages of its channel it is predicted from "
                      "them (history "
                      "= auto), and the ratio is higher.\n"
                    : "";
}

int refuse_with(const std::string& why) {
  print_error("tightwire: explain: " + why);
  return usage;
}

}  // namespace

int run_explain(const Arguments& arguments) {
  Asked asked;
  CLI::App app;
  define(app, asked);
  try {
    Arguments reversed(arguments.rbegin(), arguments.rend());  // as the parser wants them
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return refuse_with(std::string(error.what()) +
                       "; for example: tightwire explain --op allreduce --bytes 32M --ranks 64 "
                       "--link 100G --error-bound 1e-3");
  }
  settings::Bytes bytes;
  if (const auto fault = settings::parse(asked.bytes, bytes)) {
    return refuse_with("--bytes \"" + asked.bytes + "\" " + fault->reason + "; " + fault->advice);
  }
  if (bytes.value == 0 || bytes.value == settings::Bytes::never) {
    return refuse_with("--bytes \"" + asked.bytes + "\" is no message; give a size such as 32M");
  }
  const Options options = parse_options(app.remaining());
  if (!options.error.empty() || !options.program.empty()) {
    return refuse_with(options.error.empty() ? "it runs no program; leave out " + options.program[0]
                                             : options.error);
  }
  const settings::Loaded loaded = settings::load(sources_of(options));
  if (!loaded.problems.empty()) {
    print_error(describe_all(loaded.problems));
    return usage;
  }
  const bool given = loaded.settings.link.given();
  const double link = given ? loaded.settings.link.bits_per_second : assumed_link;
  policy::Facts facts{
      operation_of(asked.operation), bytes.value, asked.ranks, {asked.latency * 1e-6, link / 8}};
  const codec::ElementType type = types_by_name().at(asked.type);
  const policy::SettingsResolver resolver(
      loaded.settings, loaded.rules, policy::rules_for_name(loaded.rules, asked.communicator), {});
  const std::vector<bool> at_place =
      policy::rules_for_place(loaded.rules, std::vector{asked.where});
  const policy::CallFacts call{facts.operation, facts.bytes, type, asked.peer == "other-host",
                               &at_place};
  settings::Loaded asked_for = loaded;
  asked_for.settings.point_to_point = settings::Switch::on;
  const policy::EffectiveSettings& effective = resolver.of(call);
  if (asked.memory == "device") {
    std::fputs(device_text(loaded.settings.device, facts.operation, facts.bytes).c_str(), stdout);
  }
  std::fputs(rule_text(loaded, effective).c_str(), stdout);
  if (const std::string reason = why_no_frame(asked_for, call); !reason.empty()) {
    std::fputs((reason + "\n").c_str(), stdout);
    return success;
  }
  std::fputs(if_on_text(loaded, call).c_str(), stdout);
  const ThreadsOfRank threads = threads_of_rank(
      loaded.settings, policy::bytes_at_once(facts.operation, facts.bytes, facts.ranks));
  facts.coding_speedup = threads.coding_speedup;
  const policy::Explanation explanation =
      policy::explain(effective.settings, facts, type, asked.ratio);
  std::fputs(explanation_text(asked.operation, asked.type, facts, given, explanation).c_str(),
             stdout);
  std::fputs(threads.text.c_str(), stdout);
  std::fputs(history_text(effective.settings, facts.operation, explanation.choice).c_str(), stdout);
  return success;
}

}  // namespace tightwire::cli
