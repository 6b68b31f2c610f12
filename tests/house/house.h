// SPDX-License-Identifier: Apache-2.0
// The sources of this repository as text, for rules about them: who includes whom, and what stands at their heads.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace test {

namespace fs = std::filesystem;

using Sources = std::map<std::string, std::string>;  // path from the root -> text
using Faults = std::vector<std::string>;             // one sentence each
using NameSet = std::set<std::string>;

struct Includes {
  std::vector<std::string> ours;    // "recorder/epoch/epoch.h"
  std::vector<std::string> system;  // <atomic>
};

inline bool starts(const std::string& text, std::string_view prefix) { return text.starts_with(prefix); }
inline bool is_header(const std::string& path) { return path.ends_with(".h"); }
inline bool is_cpp(const std::string& path) {
  return is_header(path) || path.ends_with(".cpp") || path.ends_with(".c");
}
inline bool is_reader(const std::string& path) { return starts(path, "format/reader/"); }
inline std::string folder(const std::string& path) { return path.substr(0, path.find('/')); }

// The name between the quotes or brackets of an #include line; empty if it is none. *close is what ends it.
inline std::string included(std::string_view line, char* close) {
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip_blanks();
  if (!line.starts_with('#')) return "";
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with("include")) return "";
  line.remove_prefix(7);
  skip_blanks();
  if (line.empty() || (line[0] != '<' && line[0] != '"')) return "";
  *close = line[0] == '<' ? '>' : '"';
  return std::string(line.substr(1, line.find(*close, 1) - 1));
}

inline Includes includes_of(const std::string& text) {
  Includes out;
  char close = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string name = included(std::string_view(text).substr(at, end - at), &close);
    if (!name.empty()) (close == '>' ? out.system : out.ours).push_back(name);
    at = end + 1;
  }
  return out;
}

inline std::string opening_comment(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line) && starts(line, "//");) out += line + "\n";
  return out;
}

inline bool is_signal_safe(const std::string& text) {
  return opening_comment(text).find("Signal-safe.") != std::string::npos;
}

inline bool is_source(const fs::path& path) {
  static const NameSet kEndings = {".h", ".cpp", ".c", ".java", ".sh", ".cmake", ".in"};
  return kEndings.count(path.extension().string()) != 0 || path.filename() == "CMakeLists.txt" ||
         path.parent_path().filename() == "scripts";
}

inline std::string read(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

inline const Sources& house() {
  static const Sources kHouse = [] {
    Sources sources;
    const fs::path root = REC_SOURCE_ROOT;
    for (const char* name :
         {"base", "format", "recorder", "recover", "agent", "jrec", "tests", "bench", "fixtures", "scripts"}) {
      if (!fs::exists(root / name)) continue;
      for (const auto& entry : fs::recursive_directory_iterator(root / name)) {
        if (!entry.is_regular_file() || !is_source(entry.path())) continue;
        sources[fs::relative(entry.path(), root).string()] = read(entry.path());
      }
    }
    return sources;
  }();
  return kHouse;
}

inline std::string told(const Faults& faults) {
  std::string out;
  for (const std::string& fault : faults) out += "\n  " + fault;
  return out;
}

}  // namespace test

// Passes when the rule finds no fault in the house.
#define CHECK_RULE(check)                        \
  do {                                           \
    const Faults faults = check(house());        \
    CHECK_MESSAGE(faults.empty(), told(faults)); \
  } while (false)
