// SPDX-License-Identifier: Apache-2.0
#include "jrec/select/glob.h"

#include "jrec/base/escape.h"

namespace jrec {

// Linear but for the last star, which takes one more character each time the rest does not match.
bool glob_matches(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = std::string_view::npos, star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

EventFilter::EventFilter(std::string_view patterns) {
  while (!patterns.empty()) {
    const size_t comma = patterns.find(',');
    const std::string_view one = patterns.substr(0, comma);
    if (!one.empty()) patterns_.emplace_back(one);
    patterns.remove_prefix(comma == std::string_view::npos ? patterns.size() : comma + 1);
  }
}

bool EventFilter::matches(std::string_view event_name) const {
  const std::string_view simple = event_name.substr(event_name.rfind('.') + 1);
  for (const std::string& pattern : patterns_)
    if (glob_matches(pattern, event_name) || glob_matches(pattern, simple)) return true;
  return patterns_.empty();
}

bool EventFilter::matches_whole(std::string_view text) const {
  for (const std::string& pattern : patterns_)
    if (glob_matches(pattern, text)) return true;
  return patterns_.empty();
}

bool EventFilter::matches_name(const std::string& text) const {
  if (matches_whole(text)) return true;
  const std::string shown = plain(text);
  return shown != text && matches_whole(shown);
}

}  // namespace jrec
