// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/safepoint_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "agent/options/log.h"
#include "agent/process/print_to.h"
#include "base/utf8.h"

namespace rec::agent {
namespace {

constexpr double kNsPerMs = 1e6, kNsPerSecond = 1e9;

const char* or_unknown(const std::string& text) { return text.empty() ? "unknown" : text.c_str(); }

// What the kernel writes between the groups of a long mask.
std::string without_commas(const std::string& mask) {
  std::string digits;
  for (const char c : mask)
    if (c != ',') digits += c;
  return digits;
}

void add_cpu(int32_t last_cpu, int64_t cpu_time_ns, std::string& out) {
  print_to(out, "last_cpu: %d cpu_time: %lld\n", last_cpu,
           static_cast<long long>(cpu_time_ns < 0 ? -1 : cpu_time_ns / 1'000'000));
}

}  // namespace

std::string SafepointLog::seconds(int64_t ticks) const {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", static_cast<double>(ticks - begin_ticks_) / kNsPerSecond);
  return text;
}

void SafepointLog::write(const TimeToSafepoint& stall, const std::vector<LateThread>& late) {
  if (path_.empty() || failed_) return;
  begin_ticks_ = stall.uptime_ns < 0 ? 0 : stall.start_ticks - stall.uptime_ns;
  std::string out;
  print_to(out, "Detected TTSP issue: start: %s wait: %.3f\n", seconds(stall.start_ticks).c_str(),
           static_cast<double>(stall.duration_ns) / kNsPerMs);
  print_to(out, "%s operation: %s late: %d listed: %d\n", stall.handshake ? "handshake" : "safepoint",
           or_unknown(stall.operation), stall.late, stall.listed);
  if (!stall.remark.empty()) out += "remark: " + stall.remark + "\n";
  for (const LateThread& each : late) add_thread(each, out);
  append(out + "\n");
}

void SafepointLog::add_stack(const StackText& frames, const char* none, std::string& out) {
  if (frames.empty()) print_to(out, "(%s)\n", none);
  for (size_t i = 0; i < frames.size(); ++i)
    out += std::to_string(i) + " - " + base::line_of(text_of(frames[i])) + "\n";
}

std::string SafepointLog::text_of(const TextFrame& frame) {
  if (!frame.native) return frame.text;
  const auto& [library, address, path, build_id, file] = *frame.native;
  const NativeLibrary of{.id = library, .path = path, .build_id = build_id, .file = file};
  return frame.text + '.' + names_.name_of(of, address);
}

void SafepointLog::add_thread(const LateThread& late, std::string& out) {
  const LateToSafepoint& event = late.event;
  print_to(out, "Dumping stack for thread 0x%016llx\n", static_cast<unsigned long long>(event.java_thread));
  out += "\"" + base::line_of(late.name) + "\"";
  print_to(out, " id: %d prio: %d os_prio: %d sched: %s allowed_cpus: %s\n", late.os_id, event.java_priority,
           event.os_priority, or_unknown(event.policy), or_unknown(without_commas(event.allowed_cpus)));
  if (event.gave_way) {
    print_to(out, "lock_release: %s\n", seconds(event.start_ticks + event.duration_ns).c_str());
    const int64_t cpu_ns = event.cpu_used_ns < 0 ? -1 : late.first_cpu_ns + event.cpu_used_ns;
    add_cpu(event.last_cpu, cpu_ns, out);
    add_stack(late.where_text, or_unknown(event.stack_remark), out);
  }
  for (const AskedStack& asked : late.asked) {
    print_to(out, "signal_sent: %s signal_responded: ", seconds(asked.event.signal_sent_ticks).c_str());
    out += asked.answered_ticks > 0 ? seconds(asked.answered_ticks) : asked.answered_ticks < 0 ? "not sent" : "not yet";
    print_to(out, "\nstate: %s wchan: %s\n", or_unknown(asked.event.os_state), or_unknown(asked.event.wchan));
    add_cpu(asked.event.last_cpu, asked.event.cpu_time_ns, out);
    if (asked.answered_ticks > 0) add_stack(asked.text, "no stack could be read", out);
  }
}

void SafepointLog::append(const std::string& text) {
  const bool to_stderr = path_ == "stderr";
  const int fd =
      to_stderr ? STDERR_FILENO : open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  const bool written = fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (!written && !failed_) {
    say(LogLevel::kWarn, "the log of safepoints cannot be written to " + path_ + ": " + std::strerror(errno));
    failed_ = true;
  }
  if (fd >= 0 && !to_stderr) close(fd);
}

}  // namespace rec::agent
