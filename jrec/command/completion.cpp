// SPDX-License-Identifier: Apache-2.0
// The scripts know nothing: they hand the words to `jrec complete` (suggest.h), and show what it says.
#include <string_view>

#include "jrec/command/shell_words.h"

namespace jrec {
namespace {

// Bash takes ':' and '=' for words of their own, and what it replaces is the last of them.
constexpr std::string_view kBashScript =
    R"(# Completion of PROGRAM for bash: source it, or put it into bash-completion's folder.
_PROGRAM() {
  local word=${COMP_WORDS[COMP_CWORD]} words=() begin i line whole
  for ((i = 1; i <= COMP_CWORD; i++)); do
    if ((i > 1)) && [[ ${COMP_WORDS[i]} =~ ^[:=]+$ || ${COMP_WORDS[i-1]} =~ ^[:=]+$ ]]; then
      words[-1]+=${COMP_WORDS[i]}
    else
      words+=("${COMP_WORDS[i]}")
    fi
  done
  [[ $word =~ ^[:=]+$ ]] && word=
  whole=${words[-1]}
  begin=${whole%"$word"}
  COMPREPLY=()
  while IFS=$'\t' read -r line _; do
    if [[ $line == :files ]]; then
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
    else
      COMPREPLY+=("${line#"$begin"}")
    fi
  done < <("${COMP_WORDS[0]/#\~/$HOME}" complete -- "${words[@]}" 2>/dev/null)
}
complete -o filenames -F _PROGRAM PROGRAM
)";

constexpr std::string_view kZshScript = R"(#compdef PROGRAM
# Completion of PROGRAM for zsh: put it into a folder of $fpath, as _PROGRAM.
_PROGRAM() {
  local -a candidates lines
  local line text files=
  lines=("${(@f)$(${${(Q)words[1]}/#\~/$HOME} complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    if [[ $line == :files ]]; then
      files=1
    elif [[ -n $line ]]; then
      text=${line#*$'\t'}
      candidates+=("${${line%%$'\t'*}//:/\\:}${text:+:$text}")
    fi
  done
  (( $#candidates )) && _describe 'PROGRAM' candidates
  [[ -n $files ]] && _files
}
_PROGRAM "$@"
)";

constexpr std::string_view kFishScript =
    R"(# Completion of PROGRAM for fish: put it into a folder of $fish_complete_path, as PROGRAM.fish.
function __PROGRAM_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l program (string replace -r '^~(?=/)' $HOME -- $words[1])
  for line in ($program complete -- $words[2..-1] 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path (commandline -ct)
    else
      printf '%s\n' $line
    end
  end
end
complete -c PROGRAM -f -a '(__PROGRAM_complete)'
)";

constexpr std::string_view kProgramPlace = "PROGRAM";

std::string_view script_of(Shell shell) {
  switch (shell) {
    case Shell::kBash: return kBashScript;
    case Shell::kZsh: return kZshScript;
    default: return kFishScript;
  }
}

}  // namespace

std::string completion(const std::string& program, Shell shell) {
  std::string script(script_of(shell));
  for (size_t at = 0; (at = script.find(kProgramPlace, at)) != std::string::npos; at += program.size())
    script.replace(at, kProgramPlace.size(), program);
  return script;
}

}  // namespace jrec
