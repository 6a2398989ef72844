#include "settings/nearest.h"
#include "settings/source/config_file.h"
#include "settings/table.h"
#include "settings/variables.h"

namespace tightwire::settings {
namespace {

void apply(Loaded& loaded, const Assignment& assignment) {
  if (auto problem = assign(loaded.settings, assignment.key, assignment.text, assignment.place)) {
    loaded.problems.push_back(*problem);
    return;
  }
  for (Entry& entry : loaded.entries) {
    if (entry.key == assignment.key) entry.place = assignment.place;
  }
}

void apply_defaults(Loaded& loaded) {
  for (const Description& description : descriptions()) {
    loaded.entries.push_back({description.key, "", "default"});
    apply(loaded, {description.key, description.default_value, "default"});
  }
}

void apply_file(Loaded& loaded, const Sources& sources) {
  const bool named = !sources.config_file.empty();
  const std::string path = named ? sources.config_file : default_file;
  for (const Assignment& assignment : read_config_file(path, named, loaded)) {
    apply(loaded, assignment);
  }
}

Problem unknown_variable(const std::string& name, const std::string& value) {
  std::vector<std::string_view> known;
  for (const Description& description : descriptions()) known.emplace_back(description.variable);
  Problem problem{name, value, "environment variable " + name, "there is no such setting",
                  "unset it, or see docs/user/settings.md for the names"};
  if (const auto near = nearest(name, known)) {
    problem.advice = "did you mean " + std::string(*near) + "?";
  }
  return problem;
}

void apply_environment(Loaded& loaded, const Sources& sources) {
  if (!sources.environment) return;
  for (const Description& description : descriptions()) {
    if (const auto value = sources.environment(description.variable)) {
      apply(loaded, {description.key, *value, "environment variable " + description.variable});
    }
  }
  const auto is_known = [](const std::string& name) {
    for (const Description& description : descriptions()) {
      if (description.variable == name) return true;
    }
    return is_other_variable(name);
  };
  for (const std::string& name : sources.environment_names) {
    if (name.starts_with("TIGHTWIRE_") && !is_known(name)) {
      loaded.problems.push_back(unknown_variable(name, sources.environment(name).value_or("")));
    }
  }
}

// Overrides that are right by themselves but not together.
void check_together(Loaded& loaded) {
  if (loaded.settings.mode == Mode::bounded && !loaded.settings.error_bound.given()) {
    for (const Entry& entry : loaded.entries) {
      if (entry.key != "mode") continue;
      loaded.problems.push_back({"mode", "bounded", entry.place, "needs an error bound",
                                 "add --error-bound 1e-4 (or rel:1e-4), or use mode exact"});
    }
  }
  for (const Rule& rule : loaded.rules) {
    if (auto problem = contradiction(loaded.settings, rule.overrides, rule.place)) {
      loaded.problems.push_back(*problem);
    }
  }
}

}  // namespace

Loaded load(const Sources& sources) {
  Loaded loaded;
  apply_defaults(loaded);
  apply_file(loaded, sources);
  apply_environment(loaded, sources);
  for (const auto& [key, value] : sources.command_line) {
    apply(loaded, {key, value, "command line"});
  }
  if (loaded.problems.empty()) check_together(loaded);
  const std::vector<std::string> values = printed_values(loaded.settings);
  for (std::size_t i = 0; i < values.size(); ++i) loaded.entries[i].value = values[i];
  return loaded;
}

}  // namespace tightwire::settings
