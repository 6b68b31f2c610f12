// SPDX-License-Identifier: Apache-2.0
#include "jrec/safepoints/stalls.h"

#include <algorithm>

namespace jrec {
namespace {

LateThreadRow& row_of(Stall& stall, int64_t os_id) {
  for (LateThreadRow& row : stall.rows)
    if (row.os_id == os_id) return row;
  stall.rows.emplace_back().os_id = os_id;
  return stall.rows.back();
}

void read_stall(EventFields& fields, Stall& stall) {
  stall.known = true;
  stall.handshake = fields.text("kind") == "handshake";
  stall.reached = fields.truth("reached");
  stall.start_ns = fields.time_ns("startTime");
  stall.length_ns = fields.span_ns("duration");
  stall.uptime_ns = fields.length_ns("uptime");
  stall.start_error_ns = fields.span_ns("startError");
  stall.length_error_ns = fields.span_ns("durationError");
  stall.stopped_ns = fields.span_ns("stopped");
  stall.threads = fields.integer("threads");
  stall.late = fields.integer("lateThreads", -1);
  stall.listed = fields.integer("listed");
  stall.vm_cpu_ns = fields.length_ns("vmCpuTime");
  stall.vm_run_delay_ns = fields.length_ns("vmRunDelay");
  stall.throttled_ns = fields.length_ns("throttled");
  stall.vm_state = fields.text("vmState");
  stall.operation = fields.text("operation");
  stall.cause = fields.text("cause");
  stall.source = fields.text("source");
  stall.remark = fields.text("remark");
}

void read_thread(EventFields& fields, LateThreadRow& row) {
  row.known = true;
  row.name = fields.thread_name();
  row.java_id = fields.thread_integer("javaThreadId");
  row.java_thread = static_cast<uint64_t>(fields.integer("javaThread"));
  row.start_ns = fields.time_ns("startTime");
  row.late_ns = fields.span_ns("duration");
  row.error_ns = fields.span_ns("error");
  row.gave_way = fields.truth("gaveWay");
  row.java_priority = fields.number("javaPriority");
  row.os_priority = fields.number("osPriority");
  row.last_cpu = fields.number("lastCpu");
  row.signals_sent = fields.number("signalsSent");
  row.signals_answered = fields.number("signalsAnswered");
  row.cpu_time_ns = fields.length_ns("cpuTime");
  row.cpu_used_ns = fields.length_ns("cpuTimeUsed");
  row.run_delay_ns = fields.length_ns("runDelay");
  row.major_faults = fields.integer("majorFaults", -1);
  row.faulted_file = fields.text("faultedFile");
  row.policy = fields.text("policy");
  row.allowed_cpus = fields.text("allowedCpus");
  row.os_state = fields.text("osState");
  row.wchan = fields.text("wchan");
  row.jvm_state = fields.text("jvmState");
  row.stack_remark = fields.text("stackRemark");
  row.where = fields.frames();
  row.where_native = fields.top().native;
}

// An answer replaces the word that there is none yet, whichever comes first in the file.
void read_stack(EventFields& fields, LateThreadRow& row) {
  LateStackRow stack;
  stack.number = fields.number("number");
  stack.answered = fields.truth("answered");
  stack.answered_ns = fields.time_ns("startTime");
  stack.sent_ns = fields.time_ns("signalSent");
  stack.waited_ns = fields.span_ns("waited");
  stack.cpu_time_ns = fields.length_ns("cpuTime");
  stack.last_cpu = fields.number("lastCpu");
  stack.os_state = fields.text("osState");
  stack.wchan = fields.text("wchan");
  stack.jvm_state = fields.text("jvmState");
  stack.frames = fields.frames();
  EventFields::Top top = fields.top();
  stack.native = top.native;
  stack.java_type = std::move(top.java_type);
  if (row.name.empty()) row.name = fields.thread_name();
  const auto same = std::ranges::find(row.stacks, stack.number, &LateStackRow::number);
  if (same == row.stacks.end())
    row.stacks.push_back(std::move(stack));
  else if (stack.answered)
    *same = std::move(stack);
}

}  // namespace

std::span<const std::string> LateThreadRow::telling() const {
  for (const LateStackRow& stack : stacks)
    if (!stack.frames.empty()) return stack.java();
  return java_frames(where, where_native);
}

void Stalls::take(std::string_view name, EventFields& fields) {
  const bool is_stall = name == "rec.TimeToSafepoint", is_thread = name == "rec.LateToSafepoint",
             is_stack = name == "rec.LateStack";
  if (!is_stall && !is_thread && !is_stack) return;
  const int64_t id = fields.integer("safepointId");
  Stall& stall = by_id_[{jvm_, id}];
  stall.id = id;
  if (is_stall) read_stall(fields, stall);
  if (is_thread) read_thread(fields, row_of(stall, fields.thread_integer("osThreadId")));
  if (is_stack) read_stack(fields, row_of(stall, fields.integer("osThreadId")));
}

// A stall without its own event is as long as its latest thread was late.
std::vector<Stall> Stalls::worst_first() const {
  std::vector<Stall> all;
  for (const auto& [key, kept] : by_id_) {
    Stall& stall = all.emplace_back(kept);
    std::ranges::stable_sort(stall.rows, std::ranges::greater(), &LateThreadRow::late_ns);
    for (LateThreadRow& row : stall.rows) std::ranges::sort(row.stacks, {}, &LateStackRow::number);
    if (stall.known || stall.rows.empty()) continue;
    stall.start_ns = stall.rows.front().start_ns;
    stall.length_ns = stall.rows.front().late_ns;
    stall.handshake = key.second < 0;
  }
  std::ranges::stable_sort(all, std::ranges::greater(), &Stall::length_ns);
  return all;
}

}  // namespace jrec
