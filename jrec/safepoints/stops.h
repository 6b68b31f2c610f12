// SPDX-License-Identifier: Apache-2.0
// Stops are the safepoints that a recording of rec says were long as a whole (rec.SafepointStop), with the parts that
// the JVM's own log has. Times are ns: since the Unix epoch, or spans; -1: not known. Texts that are empty: not known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "jrec/safepoints/event_fields.h"

namespace jrec {

struct Stop {
  int64_t id = 0;
  int64_t start_ns = 0, length_ns = 0, uptime_ns = -1;
  int64_t reaching_ns = -1, cleanup_ns = -1, at_ns = -1, leaving_ns = -1;
  int64_t threads = -1, running = -1;
  std::string operation, cause, caller;
};

class Stops {
 public:
  void take(std::string_view name, EventFields& fields);  // one event of each_rec_event()
  std::vector<Stop> longest_first() const;

 private:
  std::vector<Stop> all_;
};

// Of one operation, for one cause.
struct StopKind {
  std::string operation, cause;
  size_t stops = 0;
  int64_t total_ns = 0, longest_ns = 0;
};
std::vector<StopKind> by_operation(const std::vector<Stop>& stops);  // by total, the greatest first

// How many, how long; by operation; how their lengths are spread; the longest with their parts.
void report_stops(const std::vector<Stop>& stops, size_t rows, std::string& out);

}  // namespace jrec
