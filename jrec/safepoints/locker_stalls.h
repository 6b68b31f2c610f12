// SPDX-License-Identifier: Apache-2.0
// LockerStalls are the collections that a recording of rec says were held up by JNI critical sections: a
// rec.GcLockerStall and the rec.GcLockerThread of each thread that was inside, or waited. Times are ns: since the Unix
// epoch, or spans; -1: not known. Texts that are empty: not known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jrec/safepoints/event_fields.h"

namespace jrec {

struct LockerThreadRow {
  std::string name, stack_remark;
  bool inside = false;
  int64_t length_ns = 0, error_ns = 0;
  std::vector<std::string> frames;  // innermost first
  size_t native = 0;                // of them, above Java's
};

struct LockerStall {
  int64_t id = 0;
  bool known = false;  // has its rec.GcLockerStall
  int64_t start_ns = 0, length_ns = 0, held_ns = -1, uptime_ns = -1, start_error_ns = 0;
  int64_t inside = 0, waiting = -1, longest_wait_ns = -1;
  bool over = true;
  std::string operation, collection, cause, longest_waiter, remark;
  std::vector<LockerThreadRow> rows;  // who was inside, then who waited; the longest first
};

class LockerStalls {
 public:
  void begin(jfr::read::Chunk& chunk) { jvm_ = jvm_of_recorder(chunk, jvms_); }
  void take(std::string_view name, EventFields& fields);  // one event of each_rec_event()
  std::vector<LockerStall> longest_first() const;

 private:
  JvmNumbers jvms_;
  uint32_t jvm_ = 0;
  std::map<std::pair<uint32_t, int64_t>, LockerStall> by_id_;
};

// A method on top of those that were inside for longest.
struct LockerMethod {
  std::string method, caller;
  size_t stalls = 0;
  int64_t total_ns = 0, longest_ns = 0;
};
std::vector<LockerMethod> by_method(const std::vector<LockerStall>& stalls);  // by total, the greatest first

// How many, how long; by method; the longest with their threads. Nothing, if there are none.
void report_locker_stalls(const std::vector<LockerStall>& stalls, size_t rows, std::string& out);

}  // namespace jrec
