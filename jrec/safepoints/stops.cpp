// SPDX-License-Identifier: Apache-2.0
#include "jrec/safepoints/stops.h"

#include <algorithm>
#include <map>

namespace jrec {

void Stops::take(std::string_view name, EventFields& fields) {
  if (name != "rec.SafepointStop") return;
  Stop& stop = all_.emplace_back();
  stop.id = fields.integer("safepointId");
  stop.start_ns = fields.time_ns("startTime");
  stop.length_ns = fields.span_ns("duration");
  stop.uptime_ns = fields.length_ns("uptime");
  stop.reaching_ns = fields.span_ns("reaching");
  stop.cleanup_ns = fields.span_ns("cleanup");
  stop.at_ns = fields.span_ns("atSafepoint");
  stop.leaving_ns = fields.span_ns("leaving");
  stop.threads = fields.integer("threads", -1);
  stop.running = fields.integer("running", -1);
  stop.operation = fields.text("operation");
  stop.cause = fields.text("cause");
  stop.caller = fields.text("caller");
}

std::vector<Stop> Stops::longest_first() const {
  std::vector<Stop> all = all_;
  std::ranges::stable_sort(all, std::ranges::greater(), &Stop::length_ns);
  return all;
}

std::vector<StopKind> by_operation(const std::vector<Stop>& stops) {
  std::map<std::pair<std::string, std::string>, StopKind> kinds;
  for (const Stop& stop : stops) {
    StopKind& kind = kinds[{stop.operation, stop.cause}];
    kind.operation = stop.operation;
    kind.cause = stop.cause;
    ++kind.stops;
    kind.total_ns += stop.length_ns;
    kind.longest_ns = std::max(kind.longest_ns, stop.length_ns);
  }
  std::vector<StopKind> all;
  for (const auto& [key, kind] : kinds) all.push_back(kind);
  std::ranges::stable_sort(all, std::ranges::greater(), &StopKind::total_ns);
  return all;
}

}  // namespace jrec
