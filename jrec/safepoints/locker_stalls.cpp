// SPDX-License-Identifier: Apache-2.0
#include "jrec/safepoints/locker_stalls.h"

#include <algorithm>
#include <utility>

#include "jrec/safepoints/report_text.h"

namespace jrec {
namespace {

void read_stall(EventFields& fields, LockerStall& stall) {
  stall.known = true;
  stall.start_ns = fields.time_ns("startTime");
  stall.length_ns = fields.span_ns("duration");
  stall.held_ns = fields.span_ns("held");
  stall.uptime_ns = fields.length_ns("uptime");
  stall.start_error_ns = fields.span_ns("startError");
  stall.inside = fields.integer("inside");
  stall.waiting = fields.integer("waiting", -1);
  stall.longest_wait_ns = fields.span_ns("longestWait");
  stall.over = fields.truth("over");
  stall.operation = fields.text("operation");
  stall.collection = fields.text("collection");
  stall.cause = fields.text("cause");
  stall.longest_waiter = fields.text("longestWaiter");
  stall.remark = fields.text("remark");
}

LockerThreadRow read_thread(EventFields& fields) {
  LockerThreadRow row;
  row.name = fields.thread_name();
  row.inside = fields.text("role") == "inside";
  row.length_ns = fields.span_ns("duration");
  row.error_ns = fields.span_ns("error");
  row.stack_remark = fields.text("stackRemark");
  row.frames = fields.frames();
  row.native = fields.top().native;
  return row;
}

}  // namespace

void LockerStalls::take(std::string_view name, EventFields& fields) {
  const bool is_stall = name == "rec.GcLockerStall";
  if (!is_stall && name != "rec.GcLockerThread") return;
  const int64_t id = fields.integer("stallId");
  LockerStall& stall = by_id_[{jvm_, id}];
  stall.id = id;
  if (is_stall)
    read_stall(fields, stall);
  else
    stall.rows.push_back(read_thread(fields));
}

// A stall without its own event is as long as its threads say.
std::vector<LockerStall> LockerStalls::longest_first() const {
  std::vector<LockerStall> all;
  for (const auto& [key, kept] : by_id_) {
    LockerStall& stall = all.emplace_back(kept);
    const auto order = [](const LockerThreadRow& row) { return std::pair(row.inside, row.length_ns); };
    std::ranges::stable_sort(stall.rows, std::ranges::greater(), order);
    if (!stall.known) stall.length_ns = stall.rows.front().length_ns;
  }
  std::ranges::stable_sort(all, std::ranges::greater(), &LockerStall::length_ns);
  return all;
}

std::vector<LockerMethod> by_method(const std::vector<LockerStall>& stalls) {
  std::map<std::pair<std::string, std::string>, LockerMethod> methods;
  for (const LockerStall& stall : stalls) {
    if (stall.rows.empty() || !stall.rows.front().inside || stall.rows.front().frames.empty()) continue;
    const auto frames = java_frames(stall.rows.front().frames, stall.rows.front().native);
    const std::string top(method_of(frames[0])), caller(frames.size() > 1 ? method_of(frames[1]) : "");
    LockerMethod& method = methods[{top, caller}];
    method.method = top, method.caller = caller;
    ++method.stalls;
    method.total_ns += stall.length_ns;
    method.longest_ns = std::max(method.longest_ns, stall.length_ns);
  }
  std::vector<LockerMethod> all;
  for (const auto& [key, method] : methods) all.push_back(method);
  std::ranges::stable_sort(all, std::ranges::greater(), &LockerMethod::total_ns);
  return all;
}

}  // namespace jrec
