// SPDX-License-Identifier: Apache-2.0
#include "format/archive/event_times.h"

#include <algorithm>
#include <map>
#include <string>

#include "format/archive/member.h"
#include "format/reader/chunk.h"

namespace jfr::archive {
namespace {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Kind;
using jfr::read::Meaning;
using jfr::read::Type;

// The field is the first one of events, as HotSpot and all others write it, and in ticks.
bool has_time_in_front(const Type& type) {
  return type.field("startTime") == 0 && type.fields[0].kind == Kind::kLong &&
         (type.fields[0].meaning == Meaning::kTimestampTicks || type.fields[0].meaning == Meaning::kPlain);
}

int64_t away(int64_t time_ns, int64_t by_ns) {
  int64_t there = 0;
  return __builtin_add_overflow(time_ns, by_ns, &there) ? (by_ns < 0 ? INT64_MIN : INT64_MAX) : there;
}

// The starts of a chunk's events, sorted by where they lie.
class Starts {
 public:
  Starts(int64_t start_ns, int64_t end_ns)
      : first_near_ns_(away(start_ns, -kNear_ns)), last_near_ns_(away(end_ns, kNear_ns)) {}

  void add(const Type& type, int64_t at_ns) {
    if (at_ns < first_near_ns_ || at_ns > last_near_ns_) return far_[std::string(type.name)].push_back(at_ns);
    first_ns_ = std::min(first_ns_, at_ns);
    last_ns_ = std::max(last_ns_, at_ns);
  }

  int64_t first_ns() const { return first_ns_; }
  int64_t last_ns() const { return last_ns_; }

  std::vector<FarStarts> far() {
    for (auto& [type, starts] : far_) std::ranges::sort(starts);
    uint64_t gap_ns = kNear_ns;
    std::vector<FarStarts> runs = runs_of(gap_ns);
    for (; runs.size() > std::max(kMostRuns, far_.size()); runs = runs_of(gap_ns)) gap_ns *= 2;
    return runs;
  }

 private:
  std::vector<FarStarts> runs_of(uint64_t gap_ns) const {
    std::vector<FarStarts> runs;
    for (const auto& [type, starts] : far_)
      for (const int64_t at_ns : starts) {
        const bool goes_on = !runs.empty() && runs.back().type == type &&
                             static_cast<uint64_t>(at_ns) - static_cast<uint64_t>(runs.back().last_ns) <= gap_ns;
        goes_on ? void(runs.back().last_ns = at_ns) : runs.push_back({type, at_ns, at_ns});
      }
    return runs;
  }

  const int64_t first_near_ns_, last_near_ns_;
  int64_t first_ns_ = INT64_MAX, last_ns_ = INT64_MIN;  // of the near ones
  std::map<std::string, std::vector<int64_t>> far_;     // by type
};

// False: one cannot be read.
bool read_starts(Chunk& chunk, Starts& starts) {
  jfr::read::EventWalk events = chunk.events();
  Event event;
  while (events.next(event)) {
    const Type* type = chunk.type_of(event);
    if (type == nullptr || !type->event) continue;
    if (!has_time_in_front(*type)) return false;
    Cursor in = chunk.body(event);
    const auto ticks = static_cast<int64_t>(in.leb());
    if (!in.ok()) return false;
    starts.add(*type, chunk.clock().unix_ns(ticks));
  }
  return true;
}

uint64_t distance(int64_t from, int64_t to) {
  return from < to ? static_cast<uint64_t>(to) - static_cast<uint64_t>(from) : 0;
}

}  // namespace

EventReach event_reach(std::span<const uint8_t> bytes) {
  const EventReach unknown{kNobodyKnows, kNobodyKnows, {}};
  jfr::read::Problems problems;
  const auto extent = jfr::read::ChunkScanner(bytes, problems).next();
  if (!extent) return unknown;
  Chunk chunk(bytes, *extent, problems);
  const int64_t start = chunk.header().start_ns;
  const int64_t end = away(start, std::max<int64_t>(0, chunk.header().duration_ns));
  Starts starts(start, end);
  if (!read_starts(chunk, starts) || !problems.empty()) return unknown;
  EventReach reach{0, 0, starts.far()};
  if (starts.first_ns() > starts.last_ns()) return reach;
  reach.early_ns = distance(starts.first_ns(), start);
  reach.late_ns = distance(end, starts.last_ns());
  return reach;
}

}  // namespace jfr::archive
