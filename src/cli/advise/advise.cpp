// tightwire advise: what an audit has found, in words.
#include <CLI/CLI.hpp>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "audit/advice.h"
#include "audit/json.h"
#include "cli/advise/source_lines.h"
#include "cli/commands.h"
#include "cli/launch/refuse.h"
#include "os/mapped_file.h"
#include "settings/text.h"

namespace tightwire::cli {
namespace {

struct Wanted {
  std::string file;
  std::vector<std::string> what_if;
  std::string program;
  bool rules = false;
};

void define_advice(CLI::App& app, Wanted& asked) {
  app.set_help_flag();
  app.add_option("file", asked.file)->required();
  app.add_option("--what-if", asked.what_if)->delimiter('|')->take_all();
  app.add_option("--program", asked.program);
  app.add_flag("--rules", asked.rules);
}

int refuse_advice(const std::string& why) {
  print_error("tightwire: advise: " + why);
  return usage;
}

// "link=10G", or just "10G" behind a bar.
std::optional<settings::LinkSpeed> link_of(std::string_view text) {
  constexpr std::string_view key = "link=";
  if (text.starts_with(key)) text.remove_prefix(key.size());
  settings::LinkSpeed link;
  if (settings::parse(text, link) || !link.given()) return std::nullopt;
  return link;
}

// Which lines of the source the calls in the program are.
std::string places(const audit::Profile& profile, const Wanted& asked) {
  std::map<std::string, std::set<std::uint64_t>> offsets;  // by object
  for (const auto& [kind, figures] : profile.calls) {
    if (figures.bytes > 0 && !kind.object.empty()) offsets[kind.object].insert(kind.offset);
  }
  const std::string given = std::filesystem::path(asked.program).filename().string();
  std::map<std::pair<std::string, std::uint64_t>, std::string> lines;
  for (const auto& [object, places] : offsets) {
    const std::string file = object == given ? asked.program : object;
    if (!std::filesystem::is_regular_file(file)) continue;
    for (const auto& [offset, line] : source_lines("./" / std::filesystem::path(file), places)) {
      lines[{object, offset}] = line;
    }
  }
  std::map<std::string, std::set<std::string>> by_site;
  for (const auto& [kind, figures] : profile.calls) {
    const auto line = lines.find({kind.object, kind.offset});
    if (line != lines.end()) by_site[kind.site].insert(line->second);
  }
  std::string text;
  for (const auto& [site, where] : by_site) {
    text += "  " + site;
    for (const std::string& line : where) text += " " + line;
    text += "\n";
  }
  return text.empty() ? "" : "In the source:\n" + text;
}

std::string answer(const audit::Profile& profile, const Wanted& asked,
                   const policy::Network& network) {
  if (asked.rules) return audit::rules_to_paste(profile, network);
  return audit::advice(profile, network) + "\n" + audit::table_of_calls(profile, network) +
         places(profile, asked);
}

int tell(const audit::Profile& profile, const Wanted& asked) {
  const policy::Network measured = audit::network_of(profile);
  std::string text;
  for (const std::string& what : asked.what_if) {
    const auto link = link_of(what);
    if (!link) return refuse_advice("--what-if \"" + what + "\" is no link; write link=10G");
    if (!text.empty()) text += "\n";
    text += answer(profile, asked, {measured.latency, link->bits_per_second / 8});
  }
  if (asked.what_if.empty()) text = answer(profile, asked, measured);
  return print_text(text);
}

}  // namespace

int run_advise(const Arguments& arguments) {
  Wanted asked;
  CLI::App app;
  define_advice(app, asked);
  try {
    app.parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    return refuse_advice(std::string(error.what()) +
                         "; write tightwire advise tightwire-audit.json --what-if link=10G");
  }
  const os::MappedFile file(asked.file);
  if (file.error() != 0) return refuse_advice(asked.file + ": " + std::strerror(file.error()));
  const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()),
                              file.bytes().size());
  const auto read = audit::from_json(text);
  if (const auto* const problem = std::get_if<std::string>(&read)) {
    return refuse_advice("the file " + asked.file + " " + *problem);
  }
  return tell(std::get<audit::Profile>(read), asked);
}

}  // namespace tightwire::cli
