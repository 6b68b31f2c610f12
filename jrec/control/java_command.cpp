// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/java_command.h"

#include <algorithm>
#include <array>

namespace jrec {
namespace {

// Options of the launcher whose value is the next word, when it does not stand behind a '='.
constexpr std::array<std::string_view, 16> kTakesNext = {"-cp",
                                                         "-classpath",
                                                         "--class-path",
                                                         "-p",
                                                         "--module-path",
                                                         "--upgrade-module-path",
                                                         "--add-modules",
                                                         "--limit-modules",
                                                         "--enable-native-access",
                                                         "--add-exports",
                                                         "--add-opens",
                                                         "--add-reads",
                                                         "--patch-module",
                                                         "--describe-module",
                                                         "-d",
                                                         "--source"};

bool takes_next(std::string_view word) {
  return std::find(kTakesNext.begin(), kTakesNext.end(), word) != kTakesNext.end();
}

// Where the program stands: an index beyond the end when nowhere.
size_t program_index(std::span<const std::string> command) {
  for (size_t i = 1; i < command.size(); ++i) {
    const std::string& word = command[i];
    if (word == "-jar" || word == "-m" || word == "--module") return i + 1;
    if (word.starts_with("--module=")) return i;
    if (takes_next(word))
      ++i;
    else if (!word.empty() && word[0] != '-' && word[0] != '@')
      return i;
  }
  return command.size();
}

// What stands behind the last of the separators: com.example.Main -> Main.
std::string_view behind_last(std::string_view text, std::string_view separators) {
  const size_t at = text.find_last_of(separators);
  return at == std::string_view::npos ? text : text.substr(at + 1);
}

}  // namespace

std::string main_of_command(std::span<const std::string> command) {
  constexpr std::string_view kModule = "--module=";
  const size_t at = program_index(command);
  if (at >= command.size()) return "";
  return command[at].starts_with(kModule) ? command[at].substr(kModule.size()) : command[at];
}

// A path of a jar may hold spaces: it then ends behind ".jar ".
std::string main_of_java_command(std::string_view java_command) {
  const size_t space = java_command.find(' ');
  const size_t jar = java_command.find(".jar ");
  if (java_command.starts_with('/') && jar != std::string_view::npos)
    return std::string(java_command.substr(0, jar + 4));
  if (java_command.ends_with(".jar") && java_command.starts_with('/')) return std::string(java_command);
  return std::string(java_command.substr(0, space));
}

bool has_flag(std::span<const std::string> command, std::string_view name) {
  bool on = false;
  const size_t end = std::min(program_index(command), command.size());
  for (const std::string& word : command.subspan(0, end)) {
    if (!word.starts_with("-XX:") || word.size() < 5 || std::string_view(word).substr(5) != name) continue;
    on = word[4] == '+';
  }
  return on;
}

int match_of_name(std::string_view wanted, std::string_view main) {
  if (wanted.empty() || main.empty()) return 0;
  if (wanted == main) return 3;
  const std::string_view file = behind_last(main, "/");
  if (wanted == file) return 2;
  const bool jar = file.ends_with(".jar");
  if (jar && wanted == file.substr(0, file.size() - 4)) return 2;
  if (!jar && wanted == behind_last(file, ".")) return 2;
  return main.find(wanted) != std::string_view::npos ? 1 : 0;
}

}  // namespace jrec
