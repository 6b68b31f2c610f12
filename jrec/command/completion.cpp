// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "jrec/base/append_format.h"
#include "jrec/command/shell_words.h"

namespace jrec {
namespace {

std::string names_of(const std::vector<OptionWords>& options) {
  std::string all;
  for (const OptionWords& option : options)
    for (const std::string& name : option.names) all += name + " ";
  if (!all.empty()) all.pop_back();
  return all;
}

std::string names_of(const std::vector<CommandWords>& commands) {
  std::vector<std::string> names;
  for (const CommandWords& command : commands) names.push_back(command.name);
  return joined(names, " ");
}

// Its own, and those of its verbs.
std::vector<OptionWords> options_of(const CommandWords& command) {
  std::vector<OptionWords> all = command.options;
  for (const CommandWords& verb : command.verbs)
    for (const OptionWords& option : verb.options)
      if (std::ranges::none_of(all, [&](const OptionWords& known) { return known.names == option.names; }))
        all.push_back(option);
  return all;
}

// Options after which a word follows that is none: a file, as far as the shell knows.
std::string names_with_value(const ProgramWords& words) {
  std::vector<std::string> names;
  const auto collect = [&](const std::vector<OptionWords>& options) {
    for (const OptionWords& option : options)
      if (!option.value.empty()) names.insert(names.end(), option.names.begin(), option.names.end());
  };
  collect(words.options);
  for (const CommandWords& command : words.commands) collect(options_of(command));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return joined(names, "|");
}

std::string bash(const ProgramWords& words) {
  std::string out = fmt::format(
      "# Completion of {0} for bash: source it, or put it into bash-completion's folder.\n"
      "_{0}() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= verbs= options='{1}' i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    [[ ${{COMP_WORDS[i]}} == -* ]] || {{ command=${{COMP_WORDS[i]}}; break; }}\n"
      "  done\n"
      "  case $command in\n"
      "    '') [[ $word == -* ]] || options='{2}' ;;\n",
      words.program, names_of(words.options), names_of(words.commands));
  for (const CommandWords& command : words.commands)
    append_format(out, "    {}) options+=' {}' verbs='{}' ;;\n", command.name, names_of(options_of(command)),
                  names_of(command.verbs));
  append_format(out,
                "  esac\n"
                "  case $before in\n"
                "    {1}) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n"
                "  esac\n"
                "  if [[ -n $verbs && $before == $command ]]; then\n"
                "    COMPREPLY=($(compgen -W \"$verbs\" -- \"$word\"))\n"
                "  elif [[ -n $command && $word != -* ]]; then\n"
                "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
                "  else\n"
                "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
                "  fi\n"
                "}}\n"
                "complete -o filenames -F _{0} {0}\n",
                words.program, names_with_value(words));
  return out;
}

// Inside of a specification of _arguments.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

void append_zsh_options(const std::vector<OptionWords>& options, std::string& out) {
  for (const OptionWords& option : options)
    for (const std::string& name : option.names)
      append_format(out, "        '{}[{}]{}' \\\n", name, zsh_text(option.what),
                    option.value.empty() ? "" : ":" + zsh_text(option.value) + ":_files");
}

std::string zsh(const ProgramWords& words) {
  std::string out = fmt::format(
      "#compdef {0}\n# Completion of {0} for zsh: put it into a folder of $fpath, as _{0}.\n_{0}() {{\n"
      "  local -a commands\n  commands=(\n",
      words.program);
  for (const CommandWords& command : words.commands)
    append_format(out, "    '{}:{}'\n", command.name, zsh_text(command.what));
  out +=
      "  )\n  local command=${words[(r)[a-z]*]}\n  (( CURRENT > 2 )) && command=${words[2,CURRENT-1][(r)[a-z]*]}\n"
      "  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n  case $command in\n";
  for (const CommandWords& command : words.commands) {
    append_format(out, "    {})\n      _arguments \\\n", command.name);
    append_zsh_options(words.options, out);
    append_zsh_options(options_of(command), out);
    if (!command.verbs.empty()) out += "        '2:verb:(" + names_of(command.verbs) + ")' \\\n";
    out += "        '*:file:_files' ;;\n";
  }
  append_format(out, "  esac\n}}\n_{0} \"$@\"\n", words.program);
  return out;
}

}  // namespace

std::string completion(const ProgramWords& words, Shell shell) {
  return shell == Shell::kBash ? bash(words) : zsh(words);
}

}  // namespace jrec
