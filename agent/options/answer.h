// SPDX-License-Identifier: Apache-2.0
// The Answer to a command that a running JVM was given: a line for people and the same as one JSON object.
//
//   recording since 12.5 s to /srv/app.jfr: 1,234 samples, 0 lost, 1 chunk, 0.2 MB; clocks cpu 1ms (perf
//       task-clock), 998 ticks a CPU second of 4.9 us each
//   {"ok":true,"command":"status","pid":4711,"recording":true,"filename":"/srv/app.jfr",...}
#pragma once

#include <cstdint>
#include <string>

#include "agent/options/options.h"

namespace rec::agent {

struct Answer {
  AgentCommand command = AgentCommand::kStatus;
  std::string error;  // a sentence without a full stop; empty: it was done
  std::string note;   // what the line for people says first, instead of how the recording stands
  bool recording = false;
  std::string name, filename, repository, trouble;
  size_t recordings = 0;        // under way
  std::string clock;            // that run, with their intervals: "cpu 10ms (posix cpu timer), wall 50ms"
  std::string clocks;           // the same without what they are
  int64_t interval_ns = 0;      // between samples; may be coarser than what was asked for
  uint64_t ticks_a_second = 0;  // of CPU time, as they came
  int64_t handler_ns = 0;       // CPU time that one takes in our handler; 0: not known
  int64_t duration_ns = 0;      // since the recording's start
  uint64_t samples = 0, lost = 0, chunks = 0, bytes = 0;  // samples: of CPU time

  bool ok() const { return error.empty(); }
  std::string line() const;          // without its end
  std::string samples_text() const;  // "1,234 samples, 0 lost"; other clocks' are not counted
  std::string json() const;          // without its end
};

// Writes both into the file that a front end has made for it. False, and nothing is written: the file is not empty, not
// ours, not 0600, a link, or has a second name.
bool deliver(const Answer& answer, const std::string& path);

}  // namespace rec::agent
