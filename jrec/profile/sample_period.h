// SPDX-License-Identifier: Apache-2.0
// SamplePeriod finds out how far apart the samples of one event type are, from the jdk.ActiveSetting events of a chunk.
//
// The JDK and rec write a setting "period" ("20 ms"), async-profiler "interval" ("10000000", nanoseconds), both under
// the id of the event type, and for the wall clock "wall" (newer ones; "interval" is that of CPU time then). A chunk without
// any keeps the period of the one before.
//
// Where the settings of a running recording are changed, and when another begins or ends, a chunk has several: each holds from
// its own time on. They may stand behind samples that they are of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/reader/chunk.h"

namespace jrec {

class SamplePeriod {
 public:
  // Looks for settings of event_type in this chunk.
  void enter(const jfr::read::Chunk& chunk, std::string_view event_type);

  // To be shown every event of the chunk; others than settings cost a comparison.
  void see(jfr::read::Chunk& chunk, const jfr::read::Event& event) {
    if (setting_ != nullptr && event.type_id == setting_->id) read(chunk, event);
  }

  uint64_t ns() const { return ns_; }  // the last that holds; 0: not known

  // Once all events were shown: whether several periods held one after the other, and which did then.
  bool changes() const { return changes_; }
  uint64_t ns_at(int64_t time_ns) const;

 private:
  struct Held {
    int64_t from_ns = 0;
    uint64_t ns = 0;
  };
  void read(jfr::read::Chunk& chunk, const jfr::read::Event& event);
  void note(const Held& held);

  const jfr::read::Type* setting_ = nullptr;
  uint64_t type_id_ = 0;
  bool is_wall_ = false;
  uint64_t other_id_ = 0;  // async-profiler writes the interval of wall clock samples under another type
  // By what name and under which type a setting stands; what tells of the type itself counts alone.
  enum class Told : uint8_t { kOfOther, kOfType, kOfWall } told_ = Told::kOfOther;
  uint64_t ns_ = 0;
  std::vector<Held> held_;  // of the chunk, in the order of time
  bool changes_ = false;
};

// "20 ms", "10ms", "1 s", "500us", "10000000" (nanoseconds); 0 for anything else.
uint64_t parse_period_ns(std::string_view text);

}  // namespace jrec
