// SPDX-License-Identifier: Apache-2.0
// EventFilter says which events a user means: a comma-separated list of names, each with * and ? as in a shell.
//
// A pattern matches the whole name (jdk.CPULoad) or what follows its last dot (CPULoad). An empty filter matches
// everything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jrec {

bool glob_matches(std::string_view pattern, std::string_view text);

class EventFilter {
 public:
  EventFilter() = default;
  explicit EventFilter(std::string_view patterns);
  bool empty() const { return patterns_.empty(); }
  bool matches(std::string_view event_name) const;
  bool matches_whole(std::string_view text) const;   // for what has no package: threads, categories
  bool matches_name(const std::string& text) const;  // as it is, or as it is shown: with \x09 for a tab

 private:
  std::vector<std::string> patterns_;
};

}  // namespace jrec
