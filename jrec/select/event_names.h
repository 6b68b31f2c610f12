// SPDX-License-Identifier: Apache-2.0
// The short names of events that --event takes in every command, so that nobody needs to know which JVM or profiler has
// made the recording.
//
//   print         all events of these types
//   profiles      the first type that has events: they are in order of preference
//
// Any other word is the name of an event type, of JFR or of a program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jrec {

struct EventName {
  std::string_view name;                // "alloc"
  std::vector<std::string_view> types;  // "jdk.ObjectAllocationSample", ...
  bool has_stacks = true;               // else print shows them, and no profile
};

std::span<const EventName> event_names();

// The types behind a short name; the word itself when it is none. Never empty.
std::vector<std::string_view> event_types_for(std::string_view name);

// cpu, wall, alloc, ...: for help and errors.
const std::string& event_name_list();
const std::string& sample_name_list();  // of those that have stacks

}  // namespace jrec
