// tightwire completion bash|zsh|fish: made from settings.def and commands.def, as --help is.

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/launch/refuse.h"
#include "settings/choices.h"

namespace tightwire::cli {
namespace {

// An option of the launcher: "mode", its choices with a blank before each, what it is.
struct Option {
  std::string name;
  std::string choices;  // empty if any value will do
  std::string help;
  bool takes_value = true;
  bool takes_file = false;
};

std::string list_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : " ") + word;
  return list;
}

// The first clause, without what a shell could read as its own.
std::string in_short(const std::string& help) {
  std::string text;
  for (const char letter : help.substr(0, help.find_first_of(";,("))) {
    if (letter == ':') {
      text += " -";
    } else {
      text += letter == '\'' || letter == '[' || letter == ']' ? ' ' : letter;
    }
  }
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::vector<Option> all_options() {
  std::vector<Option> options;
  for (const settings::Description& setting : settings::descriptions()) {
    if (setting.for_tests) continue;
    options.push_back({setting.key, list_of(settings::choices_of(setting.key)),
                       in_short(setting.help), setting.type != "Switch",
                       setting.type == "FilePath"});
  }
  for (const StartOption& option : start_options) {
    const std::string name(option.names.substr(option.names.find("--") + 2));
    std::string choices;
    if (option.value.find('|') != std::string_view::npos) {
      for (const char letter : option.value) choices += letter == '|' ? ' ' : letter;
    }
    options.push_back({name, choices, in_short(std::string(option.help)), !option.value.empty(),
                       option.value == "FILE"});
  }
  return options;
}

// The options behind which a value stands, with a separator between two.
std::string with_values(const std::vector<Option>& options, const std::string& separator) {
  std::string names;
  for (const Option& option : options) {
    if (option.takes_value) names += (names.empty() ? "--" : separator + "--") + option.name;
  }
  return names;
}

std::string bash_value(const Option& option) {
  std::string text = "    --" + option.name + ") COMPREPLY=(";
  if (!option.choices.empty()) text += "$(compgen -W '" + option.choices + "' -- \"$word\")";
  if (option.takes_file) text += "$(compgen -f -- \"$word\")";
  return text + "); return ;;\n";
}

// Options and commands are offered until a program or command stands there.
std::string bash() {
  std::string names;
  std::string values;
  const std::vector<Option> options = all_options();
  for (const Option& option : options) {
    names += (names.empty() ? "--" : " --") + option.name;
    if (option.takes_value) values += bash_value(option);
  }
  std::string first;
  for (const Command& command : commands()) first += std::string(command.name) + " ";
  return "# bash completion of tightwire: made by tightwire completion bash\n"
         "_tightwire() {\n"
         "  local word=$2 first=1\n"
         "  while [[ $first -lt $COMP_CWORD && ${COMP_WORDS[first]} == -* ]]; do\n"
         "    case ${COMP_WORDS[first]} in\n"
         "      " +
         with_values(options, "|") +
         ") ((first += 2)) ;;\n"
         "      *) ((first += 1)) ;;\n"
         "    esac\n"
         "  done\n"
         "  if [[ $first -lt $COMP_CWORD ]]; then\n"
         "    COMPREPLY=($(compgen -A command -A file -- \"$word\"))\n"
         "    [[ $3 != completion ]] || COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\"))\n"
         "    return\n"
         "  fi\n"
         "  case $3 in\n" +
         values +
         "  esac\n"
         "  if [[ $word == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W '" +
         names +
         "' -- \"$word\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -W '" +
         first +
         "' -- \"$word\") $(compgen -A command -A file -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _tightwire tightwire\n";
}

std::string zsh_option(const Option& option) {
  std::string text = "  '--" + option.name + "[" + option.help + "]";
  if (option.takes_file) text += ":file:_files";
  if (option.takes_value && !option.takes_file) {
    text += ":value:" + (option.choices.empty() ? "" : "(" + option.choices + ")");
  }
  return text + "' \\\n";
}

// No array of its own may be called `commands`: zsh keeps those of the path there.
std::string zsh() {
  std::string text =
      "#compdef tightwire\n"
      "# zsh completion of tightwire: made by tightwire completion zsh\n"
      "_tightwire_first() {\n"
      "  local -a tightwire_commands=(\n";
  for (const Command& command : commands()) {
    text +=
        "    '" + std::string(command.name) + ":" + in_short(std::string(command.summary)) + "'\n";
  }
  text +=
      "  )\n"
      "  _describe -t tightwire-commands 'command' tightwire_commands\n"
      "  _alternative 'programs:program:_command_names -e' 'files:file:_files'\n"
      "}\n"
      "_tightwire_rest() {\n"
      "  if [[ $words[1] == completion ]]; then\n"
      "    compadd bash zsh fish\n"
      "  else\n"
      "    _normal\n"
      "  fi\n"
      "}\n"
      "_arguments -S \\\n";
  for (const Option& option : all_options()) text += zsh_option(option);
  return text +
         "  '(-)1:program or command:_tightwire_first' \\\n"
         "  '*::arguments:_tightwire_rest'\n";
}

std::string fish_option(const Option& option) {
  std::string text =
      "complete -c tightwire -n __tightwire_first -l " + option.name + " -d '" + option.help + "'";
  if (option.takes_file) text += " -r -F";
  if (option.takes_value && !option.takes_file) text += " -x";
  if (option.takes_value && !option.choices.empty()) text += " -a '" + option.choices + "'";
  return text + "\n";
}

std::string fish() {
  const std::vector<Option> options = all_options();
  std::string text =
      "# fish completion of tightwire: made by tightwire completion fish\n"
      "function __tightwire_first -d 'whether no program or command stands there yet'\n"
      "  set -l is_value 0\n"
      "  for word in (commandline -opc)[2..]\n"
      "    if test $is_value = 1\n"
      "      set is_value 0\n"
      "      continue\n"
      "    end\n"
      "    switch $word\n"
      "      case " +
      with_values(options, " ") +
      "\n"
      "        set is_value 1\n"
      "      case '-*'\n"
      "      case '*'\n"
      "        return 1\n"
      "    end\n"
      "  end\n"
      "end\n"
      "complete -c tightwire -n __tightwire_first -a '(__fish_complete_command)'\n";
  for (const Command& command : commands()) {
    text += "complete -c tightwire -n __tightwire_first -a " + std::string(command.name) + " -d '" +
            in_short(std::string(command.summary)) + "'\n";
  }
  for (const Option& option : options) text += fish_option(option);
  return text +
         "complete -c tightwire -n '__fish_seen_subcommand_from completion' -x -a "
         "'bash zsh fish'\n";
}

}  // namespace

int run_completion(const Arguments& arguments) {
  const std::string shell = arguments.size() == 1 ? arguments[0] : "";
  std::string script;
  if (shell == "bash") script = bash();
  if (shell == "zsh") script = zsh();
  if (shell == "fish") script = fish();
  if (script.empty()) {
    print_error(
        "tightwire: completion of which shell? Write tightwire completion bash, zsh or fish");
    return usage;
  }
  return print_text(script);
}

}  // namespace tightwire::cli
