// SPDX-License-Identifier: Apache-2.0
#include "jrec/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "format/reader/values.h"
#include "jrec/glob.h"
#include "jrec/json_events.h"
#include "jrec/recording.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;
using jfr::read::Type;

struct Timed {
  int64_t end_ticks;
  Event event;
};

// When the event ended: its start, and its duration if it has one. Both stand first, if at all.
int64_t end_of(const Chunk& chunk, const Event& event, const Type& type) {
  if (type.fields.empty() || type.fields[0].name != "startTime") return 0;
  jfr::read::Cursor in = chunk.body(event);
  uint64_t end = in.leb();
  if (type.fields.size() > 1 && type.fields[1].name == "duration") end += in.leb();
  return static_cast<int64_t>(end);
}

std::vector<Timed> wanted_events(Chunk& chunk, const EventFilter& filter) {
  std::vector<bool> wanted;
  for (const Type& type : chunk.metadata().types()) wanted.push_back(filter.matches(type.name));
  std::vector<Timed> events;
  auto walk = chunk.events();
  for (Event event; walk.next(event);) {
    if (event.type_id <= jfr::read::kCheckpointEvent) continue;
    const uint32_t index = chunk.metadata().index_of(event.type_id);
    if (index == jfr::read::kNoType || !wanted[index]) continue;
    events.push_back({end_of(chunk, event, chunk.metadata().types()[index]), event});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Timed& a, const Timed& b) { return a.end_ticks < b.end_ticks; });
  return events;
}

// The clock of a recording, over its chunks. Each chunk's header reads both clocks anew, some hundred nanoseconds
// apart. So the clock of the chunk before is kept, as in the JDK, for as long as the metadata stays the same and the
// new header agrees to within kTolerance_ns; else the chunks are of different recordings, or the ticks have drifted.
class RunningClock {
 public:
  static constexpr uint64_t kTolerance_ns = 1'000'000;

  const jfr::read::Clock& of(const Chunk& chunk) {
    const auto kept = static_cast<uint64_t>(clock_.unix_ns(chunk.header().start_ticks));
    const auto told = static_cast<uint64_t>(chunk.header().start_ns);
    const bool agrees = kept - told + kTolerance_ns <= 2 * kTolerance_ns;
    const bool same =
        started_ && chunk.metadata().id() == metadata_id_ && chunk.header().ticks_per_second == ticks_per_second_;
    if (!same || !agrees) clock_ = chunk.clock();
    started_ = true;
    metadata_id_ = chunk.metadata().id();
    ticks_per_second_ = chunk.header().ticks_per_second;
    return clock_;
  }

 private:
  jfr::read::Clock clock_;
  bool started_ = false;
  uint64_t metadata_id_ = 0;
  int64_t ticks_per_second_ = 0;
};

void print_chunk(Chunk& chunk, const jfr::read::Clock& clock, const PrintOptions& options, const char*& separator,
                 Output& out) {
  JsonEvents json(chunk, clock, options.stack_depth);
  for (const Timed& timed : wanted_events(chunk, EventFilter(options.events))) {
    const Type& type = *chunk.type_of(timed.event);
    std::string& text = out.text();
    const size_t before = text.size();
    text += separator;
    if (json.append(timed.event, type, text)) {
      separator = ",\n";
    } else {
      text.resize(before);
      chunk.problems().add(jfr::Error{jfr::ErrorCode::kCorrupt, chunk.offset_in_file() + timed.event.at,
                                      fmt::format("{} cannot be decoded, it is left out", type.name)});
    }
    out.flush_if_large();
    if (!out.ok()) return;
  }
}

}  // namespace

ExitCode run_print(const PrintOptions& options, Output& out) {
  Recording recording(options.file);
  if (!recording.open()) return recording.finish();
  const char* separator = "\n";
  RunningClock clock;
  recording.each_chunk([&](Chunk& chunk) {
    if (recording.chunks() == 1) out.add("{\"recording\":{\"events\":[");
    print_chunk(chunk, clock.of(chunk), options, separator, out);
  });
  if (recording.chunks() != 0) out.add("\n]}}\n");
  return recording.finish();
}

}  // namespace jrec
