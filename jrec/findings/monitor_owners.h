// SPDX-License-Identifier: Apache-2.0
// MonitorOwners tells who had the monitors that threads waited for. JFR names who handed a monitor over last, which is often
// one that had waited for it as long itself:
//
//   A  |-- has it, 100 ms --|                  the wait of C was 100 ms for A, and 1 ms for B; JFR says B
//   B  |-- waits -----------|- 1 ms -|
//   C  |-- waits --------------------|-
//
// So hand-overs are followed back in time: from each entry to the one before it in the same monitor, until the wait began. Between
// two entries the monitor was had by the thread that had entered, if it is also the one that handed it over. If it is another,
// somebody entered without a wait that was written, and who handed it over is named as `last`.
//
//   entered(...)   each entry that is told, also outside of the chosen time: a wait may begin in it and end behind it
//   waited(...)    each wait that is looked at
//   settle()       once, when all are read -> times()
//
// Times are ns since 1970. At most kMost entries, and as many waits, of kMostNames threads and classes are kept: of what is more the
// last owner is told.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "jrec/findings/ranking.h"
#include "jrec/input/recording_span.h"

namespace jrec {

struct MonitorThread {
  std::string identity, name;  // no identity: not known
};

struct MonitorEntry {
  uint32_t jvm = 0;
  int64_t address = 0;  // of the monitor; 0: not known
  TimeRange wait;       // it entered at the end
  MonitorThread thread, previous;
};

class MonitorOwners {
 public:
  static constexpr size_t kMost = 1 << 17, kMostNames = 1 << 14;

  void entered(const MonitorEntry& entry);
  void waited(const MonitorEntry& entry, const std::string& monitor_class, const TimeRange& shown);
  // Of one who was asked while it had the monitor: nothing is to be followed.
  void waited_for(const std::string& monitor_class, const std::string& owner, int64_t at_ns, double length_ns);
  void settle();

  const Ranking& times() const {
    return times_;
  }  // class, owner, kLast where nothing but the last hand-over tells of it
  static constexpr const char* kLast = "last";

 private:
  struct Monitor {
    uint32_t jvm = 0;
    int64_t address = 0;
    auto operator<=>(const Monitor&) const = default;
  };
  struct HandOver {
    int64_t at_ns = 0;
    uint32_t thread = 0, previous = 0;
  };
  struct Wait {
    Monitor monitor;
    TimeRange time, shown;
    uint32_t previous = 0, monitor_class = 0;
  };

  uint32_t known(const MonitorThread& thread);
  void follow(const Wait& wait);
  void add(const Wait& wait, uint32_t owner, const TimeRange& time, bool is_last);

  std::map<Monitor, std::vector<HandOver>> hand_overs_;
  size_t entries_ = 0;
  std::vector<Wait> waits_;
  std::map<std::string, uint32_t> threads_, classes_;  // numbers by identity, by name
  std::vector<std::string> thread_names_ = {""}, class_names_;
  Ranking times_;
};

}  // namespace jrec
