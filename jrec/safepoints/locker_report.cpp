// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <vector>

#include "jrec/base/append_format.h"
#include "jrec/safepoints/histogram.h"
#include "jrec/safepoints/locker_stalls.h"
#include "jrec/safepoints/report_text.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

void add_locker_methods(const std::vector<LockerStall>& stalls, size_t rows, std::string& out) {
  const std::vector<LockerMethod> methods = by_method(stalls);
  if (methods.empty()) return;
  append_format(out, "\n{:>10} {:>12} {:>12}  {}\n", "held up", "total ms", "longest ms", "method inside <- caller");
  for (size_t i = 0; i < methods.size() && i < rows; ++i)
    append_format(out, "{:>10} {:>12.1f} {:>12.1f}  {}{}\n", methods[i].stalls, ms(methods[i].total_ns),
                  ms(methods[i].longest_ns), plain(methods[i].method),
                  methods[i].caller.empty() ? "" : " <- " + plain(methods[i].caller));
}

// On JDKs where a collection gives up and another one follows these are two operations, else one.
std::string operations(const LockerStall& stall) {
  std::string text = or_unknown(stall.operation);
  if (stall.collection != stall.operation) text += ", then " + or_unknown(stall.collection);
  return stall.cause.empty() ? text : text + " (" + plain(stall.cause) + ")";
}

std::string waiters(const LockerStall& stall) {
  if (stall.waiting < 0) return "not known who waited";
  std::string text = fmt::format("{} waited", stall.waiting);
  if (stall.longest_wait_ns < 0) return text;
  return text + fmt::format(", \"{}\" for longest, {}", plain(stall.longest_waiter), span(stall.longest_wait_ns));
}

void add_locker_stall(const LockerStall& stall, std::string& out) {
  append_format(out, "\nHeld up {}: {}", stall.id, span(stall.length_ns));
  if (!stall.known) {
    out += ", only parts of it are in the recording\n";
  } else {
    if (stall.start_error_ns > 0) append_format(out, " (+- {:.1f} ms)", ms(stall.start_error_ns));
    append_format(out, ", of it {} until the last thread was outside, at ", span(stall.held_ns));
    append_time_ns(stall.start_ns, 0, out);
    if (stall.uptime_ns >= 0) append_format(out, ", uptime {:.3f} s", ms(stall.uptime_ns) / 1e3);
    append_format(out, "\n    operation {}; {} inside, {}\n", operations(stall), stall.inside, waiters(stall));
  }
  if (!stall.remark.empty()) append_format(out, "    {}\n", plain(stall.remark));
  for (const LockerThreadRow& row : stall.rows) {
    append_format(out, "    \"{}\" {} for {}{}{}\n", plain(row.name),
                  row.inside ? "was inside a JNI critical section" : "waited", span(row.length_ns),
                  row.error_ns > 0 ? fmt::format(" (+- {:.1f} ms)", ms(row.error_ns)) : "",
                  row.frames.empty() && !row.stack_remark.empty() ? ": " + plain(row.stack_remark) : "");
    add_frames(row.frames, out);
  }
}

}  // namespace

void report_locker_stalls(const std::vector<LockerStall>& stalls, size_t rows, std::string& out) {
  if (stalls.empty()) return;
  std::vector<int64_t> lengths;
  int64_t total_ns = 0;
  for (const LockerStall& stall : stalls) lengths.push_back(stall.length_ns), total_ns += stall.length_ns;
  append_format(out, "\n{} collections held up by JNI critical sections, {:.1f} ms in all, the longest {:.1f} ms\n",
                stalls.size(), ms(total_ns), ms(stalls.front().length_ns));
  add_locker_methods(stalls, rows, out);
  add_histogram(lengths, out);
  for (size_t i = 0; i < stalls.size() && i < rows; ++i) add_locker_stall(stalls[i], out);
  if (stalls.size() > rows) append_format(out, "\n{} more (-n shows more)\n", stalls.size() - rows);
}

}  // namespace jrec
