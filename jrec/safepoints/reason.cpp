// SPDX-License-Identifier: Apache-2.0
#include "jrec/safepoints/reason.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "jrec/safepoints/report_text.h"

namespace jrec {
namespace {

constexpr int64_t kLittleShare = 4;  // less than a quarter of the time on a CPU
constexpr int64_t kMostShare = 2;    // more than half of it

int line_of(std::string_view frame) {
  const size_t colon = frame.find(':');
  return colon == std::string_view::npos ? 0 : std::atoi(std::string(frame.substr(colon + 1)).c_str());
}

bool is_one_of(std::string_view method, std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(starts, [&](std::string_view start) { return method.starts_with(start); });
}

bool copies(std::string_view method) {
  return is_one_of(method, {"java.lang.System.arraycopy", "java.util.Arrays.copyOf", "java.lang.Object.clone",
                            "jdk.internal.misc.Unsafe.copyMemory", "jdk.internal.misc.Unsafe.copySwapMemory"});
}

// Methods that the JVM has stubs for, which work through an array without a poll.
bool is_stub(std::string_view method) {
  return is_one_of(method, {"java.util.Arrays.fill", "java.util.zip.CRC32", "java.util.zip.Adler32", "java.util.Base64",
                            "jdk.internal.misc.Unsafe.setMemory", "jdk.internal.util.ArraysSupport",
                            "java.lang.StringCoding", "java.lang.StringLatin1", "java.lang.StringUTF16",
                            "java.math.BigInteger", "sun.security.provider", "com.sun.crypto.provider"});
}

// The question that tells: the first that was answered with a stack while it was late.
const LateStackRow* telling(const LateThreadRow& row) {
  const auto found = std::ranges::find_if(row.stacks, [](const LateStackRow& each) { return !each.frames.empty(); });
  return found == row.stacks.end() ? nullptr : &*found;
}

// A method in which every question found the thread, and the lines there.
std::string loop_in(const LateThreadRow& row, std::string_view method) {
  int first = INT32_MAX, last = 0;
  size_t found = 0;
  for (const LateStackRow& stack : row.stacks) {
    if (stack.frames.empty()) continue;
    const std::string& top = stack.java()[0];
    if (method_of(top) != method) return "compiled code without a poll";
    const int line = line_of(top);
    if (line > 0) first = std::min(first, line), last = std::max(last, line);
    ++found;
  }
  if (found < 2) return "compiled code without a poll";
  if (last == 0) return "a loop without a poll";
  return first == last ? "a loop without a poll, line " + std::to_string(first)
                       : "a loop without a poll, lines " + std::to_string(first) + " to " + std::to_string(last);
}

}  // namespace

std::string reason_of(const LateThreadRow& row) {
  const LateStackRow* asked = telling(row);
  // As it was when it was found there, and not later.
  const std::string& os_state = asked == nullptr ? row.os_state : asked->os_state;
  const std::string& wchan = asked == nullptr ? row.wchan : asked->wchan;
  const bool idle = row.cpu_used_ns >= 0 && row.cpu_used_ns * kLittleShare < row.late_ns;
  const int64_t asleep_ns = row.late_ns - row.cpu_used_ns - row.run_delay_ns;
  if (row.run_delay_ns >= 0 && asleep_ns * kMostShare > row.late_ns && row.major_faults > 0)
    return row.faulted_file.empty() ? "page faults" : "page faults, in " + row.faulted_file;
  if (row.run_delay_ns * kMostShare > row.late_ns || (idle && os_state == "R")) return "waiting for a CPU";
  if (idle && os_state == "t") return "stopped by a debugger of the system (ptrace)";
  if (idle && os_state == "T") return "stopped by a signal";
  if (idle && (os_state == "D" || os_state == "S") && !wchan.empty() && wchan != "0")
    return "in the kernel (" + wchan + ")";
  if (asked == nullptr) return "";
  const std::string_view method = method_of(asked->java()[0]);
  if (copies(method)) return "a large copy";
  if (is_stub(method)) return "code without polls in the JVM's stubs";
  if (asked->jvm_state == "in VM") return "VM code, called by the method";
  if (asked->java_type == "Interpreted") return "interpreted code";
  if (asked->jvm_state == "in Java") return loop_in(row, method);
  return asked->jvm_state == "in transition" ? "VM code, on the way from one state to another" : "";
}

}  // namespace jrec
