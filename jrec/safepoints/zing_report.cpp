// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/safepoints/report.h"

namespace jrec {
namespace {

std::string or_the_word_unknown(const std::string& text) { return text.empty() ? "unknown" : plain(text); }

// Seconds of uptime, as the JVM's log has them; of the wall clock when the uptime is not known.
class Uptime {
 public:
  explicit Uptime(const Stall& stall) : begin_ns_(stall.uptime_ns < 0 ? 0 : stall.start_ns - stall.uptime_ns) {}
  std::string at(int64_t ns) const { return fmt::format("{:.3f}", static_cast<double>(ns - begin_ns_) / 1e9); }

 private:
  int64_t begin_ns_;
};

std::string without_commas(std::string mask) {
  std::erase(mask, ',');
  return mask;
}

void add_cpu(int32_t last_cpu, int64_t cpu_time_ns, std::string& out) {
  append_format(out, "last_cpu: {} cpu_time: {}\n", last_cpu, cpu_time_ns < 0 ? -1 : cpu_time_ns / 1'000'000);
}

// Azul prints an address in front of each frame; a Java method has a name instead.
void add_frames(const std::vector<std::string>& frames, const std::string& none, std::string& out) {
  if (frames.empty()) append_format(out, "({})\n", none);
  for (size_t i = 0; i < frames.size(); ++i) append_format(out, "{} - {}\n", i, plain(frames[i]));
}

void add_thread(const LateThreadRow& row, const Uptime& uptime, std::string& out) {
  append_format(out, "Dumping stack for thread {:#018x}\n", row.java_thread);
  append_format(out, "\"{}\" id: {} prio: {} os_prio: {} sched: {} allowed_cpus: {}\n", plain(row.name), row.os_id,
                row.java_priority, row.os_priority, or_the_word_unknown(row.policy),
                or_the_word_unknown(without_commas(row.allowed_cpus)));
  if (row.gave_way) {
    append_format(out, "lock_release: {}\n", uptime.at(row.start_ns + row.late_ns));
    add_cpu(row.last_cpu, row.cpu_time_ns, out);
    add_frames(row.where, or_the_word_unknown(row.stack_remark), out);
  }
  for (const LateStackRow& stack : row.stacks) {
    append_format(out, "signal_sent: {} signal_responded: {}\n", uptime.at(stack.sent_ns),
                  stack.answered ? uptime.at(stack.answered_ns) : "not yet");
    append_format(out, "state: {} wchan: {}\n", or_the_word_unknown(stack.os_state), or_the_word_unknown(stack.wchan));
    add_cpu(stack.last_cpu, stack.cpu_time_ns, out);
    if (stack.answered) add_frames(stack.frames, "no stack could be read", out);
  }
}

}  // namespace

void zing_report(const std::vector<Stall>& stalls, std::string& out) {
  std::vector<const Stall*> in_time;
  for (const Stall& stall : stalls) in_time.push_back(&stall);
  std::ranges::stable_sort(in_time, {}, [](const Stall* stall) { return stall->start_ns; });
  for (const Stall* stall : in_time) {
    const Uptime uptime(*stall);
    append_format(out, "Detected TTSP issue: start: {} wait: {:.3f}\n", uptime.at(stall->start_ns),
                  static_cast<double>(stall->length_ns) / 1e6);
    for (const LateThreadRow& row : stall->rows) add_thread(row, uptime, out);
    out += '\n';
  }
}

}  // namespace jrec
