// SPDX-License-Identifier: Apache-2.0
#include "jrec/safepoints/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "jrec/base/append_format.h"
#include "jrec/safepoints/histogram.h"
#include "jrec/safepoints/reason.h"
#include "jrec/safepoints/report_text.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

// Stacks that follow each other and are the same are shown once.
void add_stacks(const LateThreadRow& row, std::string& out) {
  const auto& stacks = row.stacks;
  for (size_t i = 0; i < stacks.size();) {
    size_t next = i + 1;
    while (next < stacks.size() && stacks[next].frames == stacks[i].frames &&
           stacks[next].answered == stacks[i].answered)
      ++next;
    const LateStackRow& first = stacks[i];
    append_format(out, "      {} after {:.1f} ms",
                  next - i == 1 ? "asked" : fmt::format("asked {} times, first", next - i), ms(first.waited_ns));
    if (!first.answered)
      append_format(out, ": not answered before the end\n");
    else
      append_format(out, ", answered {:.3f} ms later, {}, state {}, wchan {}, CPU {}{}\n",
                    ms(first.answered_ns - first.sent_ns), or_unknown(first.jvm_state), or_unknown(first.os_state),
                    or_unknown(first.wchan), first.last_cpu, first.frames.empty() ? ": no stack could be read" : "");
    add_frames(first.frames, out);
    i = next;
  }
}

void add_waits(const LateThreadRow& row, std::string& out) {
  if (row.run_delay_ns < 0) return;
  append_format(out, "      waited for a CPU {}", span(row.run_delay_ns));
  if (row.major_faults > 0)
    append_format(out, ", for {} page{}{}", row.major_faults, row.major_faults == 1 ? "" : "s",
                  row.faulted_file.empty() ? "" : " of " + plain(row.faulted_file));
  out += '\n';
}

// What kept the JVM itself, where that may be why.
void add_vm(const Stall& stall, std::string& out) {
  const bool delayed = stall.vm_run_delay_ns * 4 > stall.length_ns, throttled = stall.throttled_ns > 0;
  if (stall.vm_run_delay_ns < 0 || !(delayed || stall.late == 0)) {
    if (throttled)
      append_format(out, "    the process had used up its quota of CPU for {}\n", span(stall.throttled_ns));
    return;
  }
  append_format(out, "    the VM's own thread: state {}, CPU used {}, waited for a CPU {}{}\n",
                or_unknown(stall.vm_state), span(stall.vm_cpu_ns), span(stall.vm_run_delay_ns),
                throttled ? "; the process had used up its quota of CPU for " + span(stall.throttled_ns) : "");
}

void add_thread(const LateThreadRow& row, std::string& out) {
  append_format(out, "    \"{}\" {} {}", plain(row.name), row.gave_way ? "gave way after" : "still ran after",
                span(row.known ? row.late_ns : -1));
  append_format(out,
                "; OS thread {}, Java thread {}, priority {} (OS {}), {}, CPUs {}, CPU used {}, signals {} of {}\n",
                row.os_id, row.java_id, row.java_priority, row.os_priority, or_unknown(row.policy),
                or_unknown(row.allowed_cpus), span(row.cpu_used_ns), row.signals_answered, row.signals_sent);
  add_waits(row, out);
  if (const std::string reason = reason_of(row); !reason.empty()) append_format(out, "      why: {}\n", plain(reason));
  if (!row.where.empty()) out += "      gave way at\n";
  if (row.where.empty() && !row.stack_remark.empty())
    append_format(out, "      where it gave way is not known: {}\n", plain(row.stack_remark));
  add_frames(row.where, out);
  add_stacks(row, out);
}

// A handshake is with one thread, and with nobody else.
std::string late_of_all(const Stall& stall) {
  if (stall.handshake) return "";
  if (stall.late < 0) return ", not known how many threads late";
  return fmt::format(", {} of {} threads late", stall.late, stall.threads);
}

void add_stall(const Stall& stall, std::string& out) {
  append_format(out, "\n{} {}: {}", stall.handshake ? "Handshake" : "Safepoint", stall.id < 0 ? -stall.id : stall.id,
                span(stall.length_ns));
  if (stall.length_error_ns > 0) append_format(out, " (+- {:.1f} ms)", ms(stall.length_error_ns));
  out += stall.reached ? " to be reached, at " : " and not reached, at ";
  append_time_ns(stall.start_ns, 0, out);
  if (stall.uptime_ns >= 0) append_format(out, ", uptime {:.3f} s", ms(stall.uptime_ns) / 1e3);
  append_format(out, "\n    operation {}{}, stopped for {}{}\n", or_unknown(stall.operation),
                stall.cause.empty() ? "" : " (" + plain(stall.cause) + ")", span(stall.stopped_ns), late_of_all(stall));
  if (!stall.known) out += "    only parts of it are in the recording\n";
  if (!stall.remark.empty()) append_format(out, "    {}\n", plain(stall.remark));
  add_vm(stall, out);
  for (const LateThreadRow& row : stall.rows) add_thread(row, out);
}

void add_methods(const std::vector<Stall>& stalls, size_t rows, std::string& out) {
  const std::vector<LateMethod> methods = by_method(stalls);
  if (methods.empty()) return;
  append_format(out, "\n{:>10} {:>12} {:>12}  {}\n", "safepoints", "total ms", "longest ms", "method <- caller: why");
  for (size_t i = 0; i < methods.size() && i < rows; ++i) {
    const LateMethod& each = methods[i];
    append_format(out, "{:>10} {:>12.1f} {:>12.1f}  {}{}{}\n", each.safepoints, ms(each.total_ns), ms(each.longest_ns),
                  plain(each.method), each.caller.empty() ? "" : " <- " + plain(each.caller),
                  each.reason.empty() ? "" : ": " + plain(each.reason));
  }
}

// Without its lines: the same loop was found at others.
std::string kind_of(const LateThreadRow& row) {
  const std::string reason = reason_of(row);
  return reason.substr(0, reason.find(", line"));
}

// Whoever reads a file that was not made by rec, or by an older one, finds no setting.
std::string none_late(std::string_view threshold) {
  if (!threshold.empty())
    return "No safepoint was late: none took " + plain(std::string(threshold)) + " or more to be reached.\n";
  return "No safepoint was late, or none was watched: the recording has no threshold of safepoints, which "
         "safepoint=TIME "
         "sets. How long the JVM took to reach them, and not because of whom, is in jdk.SafepointBegin of JFR's "
         "recordings.\n";
}

}  // namespace

std::vector<LateMethod> by_method(const std::vector<Stall>& stalls) {
  using Key = std::array<std::string, 3>;
  std::map<Key, LateMethod> methods;
  for (const Stall& stall : stalls) {
    std::map<Key, int64_t> here;  // several threads in one method delay it once
    for (const LateThreadRow& row : stall.rows) {
      const auto frames = row.telling();
      if (frames.empty()) continue;
      int64_t& longest = here[{std::string(method_of(frames[0])),
                               std::string(frames.size() > 1 ? method_of(frames[1]) : ""), kind_of(row)}];
      longest = std::max(longest, row.late_ns);
    }
    for (const auto& [key, ns] : here) {
      LateMethod& method = methods[key];
      method.method = key[0];
      method.caller = key[1];
      method.reason = key[2];
      ++method.safepoints;
      method.total_ns += ns;
      method.longest_ns = std::max(method.longest_ns, ns);
    }
  }
  std::vector<LateMethod> all;
  for (const auto& [key, method] : methods) all.push_back(method);
  std::ranges::stable_sort(all, std::ranges::greater(), &LateMethod::total_ns);
  return all;
}

void report(const std::vector<Stall>& stalls, std::string_view threshold, size_t rows, std::string& out) {
  int64_t total_ns = 0;
  for (const Stall& stall : stalls) total_ns += stall.length_ns;
  if (stalls.empty()) {
    out += none_late(threshold);
    return;
  }
  append_format(out, "{} late{}, {:.1f} ms in all, the worst {:.1f} ms\n", stalls.size(),
                threshold.empty() ? "" : " by " + plain(std::string(threshold)) + " or more", ms(total_ns),
                ms(stalls.front().length_ns));
  std::vector<int64_t> lengths;
  for (const Stall& stall : stalls) lengths.push_back(stall.length_ns);
  add_histogram(lengths, out);
  add_methods(stalls, rows, out);
  for (size_t i = 0; i < stalls.size() && i < rows; ++i) add_stall(stalls[i], out);
  if (stalls.size() > rows) append_format(out, "\n{} more (-n shows more)\n", stalls.size() - rows);
}

}  // namespace jrec
