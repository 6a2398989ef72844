#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "settings/nearest.h"

namespace tightwire::cli {
namespace {

struct Raw {
  std::map<std::string, std::string> settings;
  std::string config;
  std::string mpi;
};

bool is_switch(const settings::Description& description) {
  return description.type == "Switch";
}

void define(CLI::App& app, Raw& raw, Options& options) {
  app.prefix_command();
  app.set_help_flag();
  app.add_flag("-h,--help", options.help);
  app.add_flag("-V,--version", options.version);
  app.add_option("--config", raw.config)->take_last();
  app.add_option("--mpi", raw.mpi)->take_last();
  for (const settings::Description& description : settings::descriptions()) {
    const std::string name = "--" + description.key;
    std::string& value = raw.settings[description.key];
    if (is_switch(description)) {
      app.add_flag(name + "{on}", value)->take_last();
    } else {
      app.add_option(name, value)->take_last();
    }
  }
}

std::vector<std::string> known_options() {
  std::vector<std::string> names{"--help", "--version", "--config", "--mpi"};
  for (const settings::Description& description : settings::descriptions()) {
    names.push_back("--" + description.key);
  }
  return names;
}

std::string unknown_option(const std::string& option) {
  const std::string name = option.substr(0, option.find('='));
  const std::vector<std::string> names = known_options();
  const std::vector<std::string_view> known(names.begin(), names.end());
  std::string text = "there is no option " + name + "; ";
  if (name == "-n" || name == "-np" || name == "-N" || name == "-host" || name == "--host") {
    return text + "options of mpirun stand before tightwire: mpirun " + name +
           " ... tightwire ./app";
  }
  if (const auto near = settings::nearest(name, known)) {
    return text + "did you mean " + std::string(*near) + "?";
  }
  return text + "tightwire --help lists all";
}

// A switch may be given as --verbose, --verbose=off and, like all others, --verbose off. The parser
// takes the last for a switch and a program named "off": this joins the two. True if it did.
bool join_switch(Arguments& arguments, const Arguments& rest) {
  if (rest.empty() || rest.size() >= arguments.size()) return false;
  const std::size_t first = arguments.size() - rest.size();
  const std::string value = arguments[first];
  if (value != "on" && value != "off") return false;
  for (const settings::Description& description : settings::descriptions()) {
    if (is_switch(description) && arguments[first - 1] == "--" + description.key) {
      arguments[first - 1] += "=" + value;
      arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(first));
      return true;
    }
  }
  return false;
}

// Of the parser's complaints only a missing value can be reached: all else is allowed.
std::string in_our_words(const Arguments& arguments, const CLI::ParseError& error) {
  if (!arguments.empty() && arguments.back().starts_with("-")) {
    return arguments.back() + " needs a value; see tightwire --help";
  }
  return std::string(error.what()) + "; see tightwire --help";
}

}  // namespace

Options parse_options(const Arguments& arguments) {
  Options options;
  Raw raw;
  CLI::App app;
  define(app, raw, options);
  try {
    Arguments reversed(arguments.rbegin(), arguments.rend());  // as the parser wants them
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    options.error = in_our_words(arguments, error);
    return options;
  }
  options.program = app.remaining();
  Arguments joined = arguments;
  if (join_switch(joined, options.program)) return parse_options(joined);

  if (!options.program.empty() && options.program[0] == "--") {
    options.program.erase(options.program.begin());
  } else if (!options.program.empty() && options.program[0].starts_with("-")) {
    options.error = unknown_option(options.program[0]);
    return options;
  }
  for (const settings::Description& description : settings::descriptions()) {
    if (app.get_option("--" + description.key)->count() > 0) {
      options.settings.emplace_back(description.key, raw.settings[description.key]);
    }
  }
  options.config = raw.config;
  if (app.get_option("--mpi")->count() > 0) {
    options.mpi = family_named(raw.mpi);
    if (!options.mpi) {
      options.error =
          "--mpi \"" + raw.mpi + "\" is not known; use " + std::string(families_to_choose);
    }
  }
  if (app.get_option("--config")->count() > 0 && raw.config.empty()) {
    options.error = "--config is empty; give the name of a file";
  }
  return options;
}

std::optional<std::string> take_mpi(Arguments& arguments) {
  constexpr std::string_view option = "--mpi";
  for (auto word = arguments.begin(); word != arguments.end(); ++word) {
    if (word->starts_with(std::string(option) + "=")) {
      std::string value = word->substr(option.size() + 1);
      arguments.erase(word);
      return value;
    }
    if (*word == option) {
      const bool last = word + 1 == arguments.end();
      std::string value = last ? "" : *(word + 1);
      arguments.erase(word, last ? word + 1 : word + 2);
      return value;
    }
  }
  return std::nullopt;
}

settings::Sources sources_of(const Options& options) {
  settings::Sources sources = settings::process_sources();
  sources.command_line.insert(sources.command_line.end(), options.settings.begin(),
                              options.settings.end());
  if (!options.config.empty()) sources.config_file = options.config;
  return sources;
}

}  // namespace tightwire::cli
