// SPDX-License-Identifier: Apache-2.0
// The rules of the house, as assertions over the sources (docs/architecture.md says why they are as they are).
#include <doctest/doctest.h>

#include <functional>
#include <regex>

#include "tests/house/house.h"

namespace {

using namespace test;

constexpr size_t kMostLines = 400;

// Everything that a file includes of ours, over all steps, itself too.
NameSet reach(const Sources& sources, const std::string& path) {
  NameSet seen;
  const std::function<void(const std::string&)> visit = [&](const std::string& at) {
    const auto source = sources.find(at);
    if (source == sources.end() || !seen.insert(at).second) return;
    for (const std::string& next : includes_of(source->second).ours) visit(next);
  };
  visit(path);
  return seen;
}

Faults check_reader_and_writer(const Sources& sources) {
  Faults faults;
  for (const auto& [path, text] : sources) {
    if (!is_cpp(path)) continue;
    const bool writes = starts(path, "format/writer/") || starts(path, "recorder/") || starts(path, "agent/");
    for (const std::string& target : reach(sources, path)) {
      if (writes && is_reader(target)) faults.push_back(path + " writes, and reaches the reader's " + target);
      if (is_reader(path) && target == "format/writer/byte_sink.h")
        faults.push_back(path + " reads, and reaches the writer's " + target);
    }
  }
  return faults;
}

Faults check_cycles(const Sources& sources) {
  Faults faults;
  for (const auto& [path, text] : sources) {
    if (!is_header(path)) continue;
    for (const std::string& next : includes_of(text).ours) {
      if (reach(sources, next).count(path) != 0) faults.push_back(path + " includes itself by way of " + next);
    }
  }
  return faults;
}

Faults check_signal_safe(const Sources& sources) {
  static const NameSet kAllowed = {"array",   "atomic",  "cassert",  "cerrno", "cstddef",
                                   "cstdint", "cstring", "optional", "span",   "ucontext.h"};
  Faults faults;
  for (const auto& [path, text] : sources) {
    if (!is_header(path) || !is_signal_safe(text)) continue;
    for (const std::string& name : includes_of(text).system) {
      if (kAllowed.count(name) == 0) faults.push_back(path + " is signal-safe and includes <" + name + ">");
    }
    for (const std::string& name : includes_of(text).ours) {
      const auto target = sources.find(name);
      if (target != sources.end() && !is_signal_safe(target->second)) {
        faults.push_back(path + " is signal-safe and includes " + name + ", which does not say so");
      }
    }
  }
  return faults;
}

// What a rule forbids and one file may do all the same, and why.
const NameSet& excused() {
  static const NameSet kExcused = {
      "jrec/base/interrupt.cpp <signal.h>",       // Ctrl-C leaves no half-written file
      "jrec/command/main.cpp <csignal>",          // ignores SIGPIPE, so that a closed pipe becomes an exit code
      "jrec/control/quit_signal.cpp <signal.h>",  // SIGQUIT asks a JVM to open its attach socket
      "jrec/view/live_terminal.cpp <signal.h>",   // Ctrl-C gives the terminal back
      "recorder/repository/shell_command.cpp <signal.h>",  // a command must not inherit what is blocked; its group is killed
  };
  return kExcused;
}

// Each set of system headers belongs to a few folders (tests/ and bench/ may use all).
Faults check_system_headers(const Sources& sources) {
  static const NameSet kAgentOnly = {"jvmti.h",       "jni.h",      "signal.h",      "csignal",
                                     "sys/syscall.h", "ucontext.h", "sys/ucontext.h"};
  static const NameSet kThreads = {"thread", "mutex",     "condition_variable", "pthread.h",
                                   "future", "semaphore", "shared_mutex"};
  Faults faults;
  for (const auto& [path, text] : sources) {
    const std::string in = folder(path);
    if (!is_cpp(path) || in == "tests" || in == "bench" || in == "fixtures") continue;
    for (const std::string& name : includes_of(text).system) {
      if (excused().count(path + " <" + name + ">") != 0) continue;
      if (in != "agent" && kAgentOnly.count(name) != 0)
        faults.push_back(path + " includes <" + name + ">, which is agent/'s");
      if (in == "format" && !starts(path, "format/archive/") && kThreads.count(name) != 0)
        faults.push_back(path + " includes <" + name + ">; format/ knows no threads but where it keeps archives");
    }
  }
  return faults;
}

Faults check_roots(const Sources& sources) {
  Faults faults;
  for (const auto& [path, text] : sources) {
    if (!is_cpp(path)) continue;
    for (const std::string& name : includes_of(text).ours) {
      const bool made = sources.count(name + ".in") != 0;  // by CMake, while configuring
      if (!made && sources.count(name) == 0)
        faults.push_back(path + " includes \"" + name + "\", which is no file seen from the root");
    }
  }
  return faults;
}

Faults check_heads(const Sources& sources) {
  static const std::regex kSnakeCase("[a-z0-9_]+\\.(h|cpp|c)");
  Faults faults;
  for (const auto& [path, text] : sources) {
    if (text.substr(0, 200).find("SPDX-License-Identifier: Apache-2.0") == std::string::npos) {
      faults.push_back(path + " has no SPDX line at its head");
    }
    if (is_header(path) && text.find("#pragma once") == std::string::npos)
      faults.push_back(path + " has no #pragma once");
    if (is_cpp(path) && !std::regex_match(fs::path(path).filename().string(), kSnakeCase)) {
      faults.push_back(path + " is not named in snake_case");
    }
  }
  return faults;
}

Faults check_sizes(const Sources& sources) {
  Faults faults;
  for (const auto& [path, text] : sources) {
    const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
    if (lines > kMostLines) faults.push_back(path + " has " + std::to_string(lines) + " lines");
  }
  return faults;
}

// Absolute paths of one machine have no place in a source.
Faults check_paths(const Sources& sources) {
  Faults faults;
  for (const auto& [path, text] : sources) {
    for (const char* place : {"/home/", "/root/"}) {
      if (path != "tests/house/layers_test.cpp" && text.find(place) != std::string::npos)
        faults.push_back(path + " names " + place);
    }
  }
  return faults;
}

}  // namespace

TEST_CASE("house: the sources are found") {
  CHECK(house().size() > 20);
  CHECK(house().count("recorder/epoch/epoch.h") == 1);
}

TEST_CASE("house: writer and reader never include each other") { CHECK_RULE(check_reader_and_writer); }
TEST_CASE("house: no header includes itself by a detour") { CHECK_RULE(check_cycles); }
TEST_CASE("house: signal-safe headers include only what is signal-safe") { CHECK_RULE(check_signal_safe); }
TEST_CASE("house: jvmti.h, jni.h and signals live in agent/ only, threads not in chunks") {
  CHECK_RULE(check_system_headers);
}
TEST_CASE("house: includes are written from the root") { CHECK_RULE(check_roots); }
TEST_CASE("house: every source has its SPDX line, every header its pragma, every name its case") {
  CHECK_RULE(check_heads);
}
TEST_CASE("house: no file is longer than four hundred lines") { CHECK_RULE(check_sizes); }
TEST_CASE("house: no source names a path of one machine") { CHECK_RULE(check_paths); }

// The rules themselves are tested too: a check that cannot fail guards nothing.

TEST_CASE("house: a reader that reaches the writer by a detour is found") {
  const Sources sources = {{"format/reader/a.h", "#include \"format/b.h\"\n"},
                           {"format/b.h", "#include \"format/writer/byte_sink.h\"\n"},
                           {"format/writer/byte_sink.h", ""}};
  CHECK(check_reader_and_writer(sources) ==
        Faults{"format/reader/a.h reads, and reaches the writer's format/writer/byte_sink.h"});
  CHECK(check_reader_and_writer({{"recorder/a.cpp", "#include \"format/reader/b.h\""}, {"format/reader/b.h", ""}})
            .size() == 1);
}

TEST_CASE("house: a cycle of two headers is found from both") {
  CHECK(check_cycles({{"format/a.h", "#include \"format/b.h\""}, {"format/b.h", "#include \"format/a.h\""}}).size() ==
        2);
}

TEST_CASE("house: an unsafe include of a signal-safe header is found") {
  CHECK(
      check_signal_safe({{"recorder/a.h", "// Rings. Signal-safe.\n#include <atomic>\n#include <string>\n"}}).size() ==
      1);
  CHECK(check_signal_safe(
            {{"recorder/a.h", "// Signal-safe.\n#include \"recorder/b.h\"\n"}, {"recorder/b.h", "// Not.\n"}})
            .size() == 1);
  CHECK(check_signal_safe({{"recorder/a.h", "// Rings.\n#include <string>\n"}}).empty());
}

TEST_CASE("house: misplaced system headers, bare includes, missing heads and long files are found") {
  CHECK(check_system_headers({{"recorder/a.cpp", "#include <csignal>"},
                              {"format/b.h", "#include <mutex>"},
                              {"agent/c.h", "#include <jni.h>"}})
            .size() == 2);
  CHECK(check_roots({{"format/a.cpp", "#include \"a.h\""}, {"format/a.h", ""}}).size() == 1);
  CHECK(check_heads({{"format/A.h", "int x;"}}).size() == 3);
  CHECK(check_sizes({{"format/a.cpp", std::string(401, '\n')}, {"format/b.cpp", std::string(400, '\n')}}).size() == 1);
  CHECK(check_paths({{"format/a.cpp", std::string("\"/") + "home/someone\""}}).size() == 1);
}
