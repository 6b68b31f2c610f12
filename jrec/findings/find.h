// SPDX-License-Identifier: Apache-2.0
// Looks for findings: one pass over a recording gathers facts (facts.h), then each rule judges them (rule.h).
//
//   Recording recording(path, times_of(options.filter));
//   if (!recording.open()) return recording.finish();
//   const Findings findings = findings_of(recording, options);
//   return recording.finish();
//
// Memory is bounded by what is distinct (stacks, and 4096 rows a ranking), not by the number of events. A filter or a
// threshold that makes no sense is refused (recording.h): there are no findings, and finish() tells.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "jrec/findings/finding.h"
#include "jrec/input/recording.h"
#include "jrec/select/filter.h"

namespace jrec {

struct FindingOptions {
  FilterOptions filter;                     // its times alone count: rules need all threads and events
  std::map<std::string, double> threshold;  // by the rule's name, in its unit; the others keep their own
};

// "gc-pauses=2.5" as a threshold. kUsage when there is no such rule, with the nearest, or no such number.
base::Status add_threshold(const std::string& words, FindingOptions& options);

Findings findings_of(Recording& recording, const FindingOptions& options);

}  // namespace jrec
