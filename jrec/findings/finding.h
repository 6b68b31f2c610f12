// SPDX-License-Identifier: Apache-2.0
// What rules have found in a recording, in words and numbers. Whoever shows it needs this header alone.
//
//   Finding    one rule that has fired:  "31 % of CPU in regular expressions that are compiled anew"
//   Unjudged   one that could not say anything, and why: too few samples, no such events
//   Findings   of a recording: what was found, the most severe first; what could not be judged; what was judged and is fine
//
// Texts are as the recording has them: whoever writes them to a terminal or a page escapes them (jrec/base/escape.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jrec {

enum class Severity : uint8_t {
  kNote,     // worth to know: a place to look at first
  kWarning,  // costs something, or will
  kSerious,  // fails, or costs much
};
std::string_view severity_word(Severity severity);  // "note", "warning", "serious"

// What a finding rests on: method com.acme.Foo.bar, thread worker-7, class byte[], cause System.gc().
struct Evidence {
  std::string what;
  std::string value;
};

struct Finding {
  std::string rule;  // its name, gc-pauses
  Severity severity = Severity::kNote;
  std::string title;               // a line without a full stop
  std::string text;                // one or two sentences
  double value = 0;                // what was measured, in the rule's unit
  double threshold = 0;            // from which on the rule fires
  std::string unit;                // of both: "%", "ms", "1/s"; empty: a count
  std::vector<Evidence> evidence;  // the most telling first
  int64_t from_ns = 0, to_ns = 0;  // since 1970: when it was at its worst; both 0: all the time
  std::string command;             // shows more: jrec flame -e cpu -I '...' app.jfr
};

struct Unjudged {
  std::string rule;
  std::string why;
};

struct Findings {
  std::vector<Finding> found;
  std::vector<Unjudged> unjudged;
  std::vector<std::string> fine;            // names of rules
  std::vector<std::string> recorded_twice;  // sentences (jrec/input/recorded_twice.h)
  int64_t start_ns = 0, duration_ns = 0;    // of what was looked at
  int32_t utc_offset_s = 0;                 // of the recording

  bool any(Severity least) const;
};

}  // namespace jrec
