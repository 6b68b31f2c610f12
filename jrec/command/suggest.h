// SPDX-License-Identifier: Apache-2.0
// What the word under a cursor may be: of the command line itself, of a recording that was named before it, of the JVMs
// that run. Shells ask for it (completion.cpp):
//
//   jrec complete -- hot app.jfr --event al        the words so far, the last one perhaps empty
//     alloc<TAB>jdk.ObjectAllocationSample, ...    a candidate a line, and what it is
//     :files                                       the name of a file may stand here, too
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "jrec/base/command_words.h"

namespace jrec {

struct Suggestion {
  std::string word, what;
  friend bool operator==(const Suggestion&, const Suggestion&) = default;
};
using Suggestions = std::vector<Suggestion>;

// Where names come from that the command line does not know. A recording is empty where none was named.
struct NameSources {
  std::function<Suggestions(const std::string& recording)> events;   // short names, and types
  std::function<Suggestions(const std::string& recording)> samples;  // those that have stacks
  std::function<Suggestions(const std::string& recording)> types;    // of events
  std::function<Suggestions(const std::string& recording)> threads;
  std::function<Suggestions(const std::string& archive)> members;
  std::function<Suggestions()> views, jvms;
};
// Those of this machine. They say nothing of what cannot be read, and read no longer than a person waits.
NameSources real_names();

struct Suggested {
  Suggestions words;  // that begin as the word does
  bool files = false;
};
Suggested suggest(const ProgramWords& program, const std::vector<std::string>& words, const NameSources& names);

// As lines, as above; tabs, line ends and control characters are escaped.
std::string suggestion_lines(const Suggested& suggested);

}  // namespace jrec
