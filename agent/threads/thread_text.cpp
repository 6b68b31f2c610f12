// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/thread_text.h"

#include <jvmti.h>

#include <charconv>
#include <string_view>
#include <utility>

#include "agent/process/system_calls.h"
#include "agent/threads/incomplete.h"
#include "base/utf8.h"

namespace rec::agent {
namespace {

constexpr uint32_t kDecimalNidFrom = 21;  // HotSpot wrote the system's id in hexadecimal before

// printf would follow the application's locale, and take five times as long.
void add_number(int64_t number, std::string& out) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

void add_hex(uint64_t number, size_t digits, std::string& out) {
  char text[24];
  const auto size = static_cast<size_t>(std::to_chars(text, text + sizeof text, number, 16).ptr - text);
  out += "0x";
  if (size < digits) out.append(digits - size, '0');
  out.append(text, size);
}

void add_address(uint64_t address, std::string& out) { add_hex(address, 16, out); }

void add_hundredths(int64_t hundredths, std::string& out) {
  add_number(hundredths / 100, out);
  out += '.';
  out += static_cast<char>('0' + hundredths / 10 % 10);
  out += static_cast<char>('0' + hundredths % 10);
}

bool has(uint32_t state, uint32_t bits) { return (state & bits) == bits; }

// What HotSpot says behind nid=.
const char* condition(const DumpedThread& thread) {
  const uint32_t state = thread.java_state;
  if (!thread.is_java) return "runnable";
  if (has(state, JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER)) return "waiting for monitor entry ";
  if (has(state, JVMTI_THREAD_STATE_IN_OBJECT_WAIT) || thread.waiting.kind == WaitKind::kClassInit)
    return "in Object.wait() ";
  if ((state & (JVMTI_THREAD_STATE_SLEEPING | JVMTI_THREAD_STATE_PARKED | JVMTI_THREAD_STATE_WAITING)) != 0)
    return "waiting on condition ";
  return "runnable ";
}

const char* os_state_word(char state) {
  switch (state) {
    case 'R': return "runnable";
    case 'S': return "sleeping";
    case 'D': return "in an uninterruptible wait";
    case 'T': return "stopped";
    case 't': return "traced";
    case 'Z':
    case 'X': return "ended";
    case 'I': return "idle";
    default: return "not known";
  }
}

// " (sleeping in futex_do_wait)", " (in futex)"; nothing: the system was not asked.
void add_os(const OsState& os, std::string& out) {
  if (os.state != 0) {
    out.append(" (").append(os_state_word(os.state));
    if (!os.wchan.empty()) out.append(" in ").append(os.wchan);
    out += ')';
  } else if (os.system_call == kNoSystemCall) {
    out += " (waiting for a page)";
  } else if (const char* name = system_call_name(os.system_call)) {
    out.append(" (in ").append(name) += ')';
  } else if (os.system_call >= 0) {
    out += " (in system call ", add_number(os.system_call, out), out += ')';
  }
}

// " <0x000000069ec1ad10> (a java.lang.Object)"
void add_object(uint64_t address, const std::string& klass, const std::string& mirror_of, std::string& out) {
  out += " <", add_address(address, out), out += "> ";
  if (klass.empty()) return out += "(a class that is not known)", void();
  out += "(a ", base::append_utf8(klass, out);
  if (!mirror_of.empty()) out += " for ", base::append_utf8(mirror_of, out);
  out += ')';
}

void add_native(const NativeFrame& frame, std::string& out) {
  out.append("\t- native ").append(frame.function.empty() ? "?" : frame.function);
  if (frame.pc == 0) return out += '\n', void();
  if (frame.offset) out += '+', add_hex(*frame.offset, 1, out);
  out.append(" (").append(frame.library.empty() ? "?" : frame.library).append(")\n");
}

}  // namespace

void ThreadText::add_header(const DumpedThread& thread, std::string& out) const {
  const bool decimal_nid = dump_.vm_major >= kDecimalNidFrom;
  add_quoted(thread.name, out);
  if (thread.is_java) out += " #", add_number(thread.java_id, out);
  if (decimal_nid) out += " [", add_number(thread.os_id, out), out += ']';
  if (thread.daemon) out += " daemon";
  if (thread.is_java) out += " prio=", add_number(thread.priority, out);
  if (thread.os.nice) out += " os_prio=", add_number(*thread.os.nice, out);
  if (thread.os.cpu_ns >= 0) out += " cpu=", add_hundredths(thread.os.cpu_ns / 10'000, out), out += "ms";
  if (thread.os.elapsed_ns >= 0) out += " elapsed=", add_hundredths(thread.os.elapsed_ns / 10'000'000, out), out += 's';
  if (thread.is_java) out += " tid=", add_address(thread.java_thread, out);
  out += " nid=";
  decimal_nid ? add_number(thread.os_id, out) : add_hex(static_cast<uint32_t>(thread.os_id), 1, out);
  out.append(1, ' ').append(condition(thread));
  if (thread.is_java) out += " [", add_address(thread.last_java_sp & ~uint64_t{0xfff}, out), out += ']';
  out += '\n';
}

// "   rec: in native, parked; off CPU (in futex); stack from outside"
void ThreadText::add_states(const DumpedThread& thread, std::string& out) const {
  out += "   rec: ";
  if (thread.is_java) {
    out += vm_state_name(thread.vm_state);
    if (thread.in_transition) out += " (changing)";
    if (has(thread.java_state, JVMTI_THREAD_STATE_PARKED)) out += ", parked";
    out += "; ";
  }
  out += thread.on_cpu ? "on CPU" : "off CPU";
  add_os(thread.os, out);
  if (thread.os.last_cpu >= 0) out += ", last on CPU ", add_number(thread.os.last_cpu, out);
  if (thread.is_java) out.append("; stack ").append(stack_source_name(thread.source));
  if (thread.is_java && thread.why[0] != 0) out.append(": ").append(thread.why);
  if (thread.native_why[0] != 0) out.append("; no native frames: ").append(thread.native_why);
  if (!thread.virtual_name.empty()) out += "; carries ", add_quoted(thread.virtual_name, out);
  out += '\n';
}

// Who was notified, or whose time is over, enters the monitor anew before Object.wait returns.
bool ThreadText::is_in_wait(const DumpedThread& thread) const {
  if (thread.waiting.kind == WaitKind::kWait) return true;
  if (thread.stack.empty() || thread.stack.front().frame == kUnknownFrame) return false;
  const DumpFrame& top = dump_.frames[thread.stack.front().frame];
  return top.klass == "java.lang.Object" && top.name.starts_with("wait");
}

void ThreadText::add_waiting(const DumpedThread& thread, std::string& out) const {
  const Waiting& waiting = thread.waiting;
  if (waiting.kind == WaitKind::kClassInit) {
    out += "\t- waiting on the Class initialization monitor for ";
    base::append_utf8(waiting.klass, out);
    out += '\n';
  }
  if (waiting.kind == WaitKind::kClassInit || (waiting.object == 0 && waiting.monitor == 0)) return;
  const bool again = has(thread.java_state, JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) && is_in_wait(thread);
  switch (waiting.kind) {
    case WaitKind::kEnter: out += again ? "\t- waiting to re-lock in wait()" : "\t- waiting to lock"; break;
    case WaitKind::kWait: out += again ? "\t- waiting to re-lock in wait()" : "\t- waiting on"; break;
    case WaitKind::kPark: out += "\t- parking to wait for "; break;
    default: return;
  }
  add_object(waiting.object != 0 ? waiting.object : waiting.monitor, waiting.klass, waiting.mirror_of, out);
  out += '\n';
  if (thread.held_by == kNobody || (!again && waiting.kind == WaitKind::kWait)) return;
  out += "\t- rec: held by ", add_quoted(dump_.threads[thread.held_by].name, out), out += '\n';
}

// The one that the thread waits for is in the list of its innermost frame, too.
void ThreadText::add_monitors(const DumpedThread& thread, uint32_t at, std::string& out) const {
  bool waits = at == 0 && thread.waiting.kind == WaitKind::kEnter;
  for (const HeldMonitor& held : thread.monitors) {
    if (held.frame != at) continue;
    if (std::exchange(waits, waits && held.object != thread.waiting.object) && !waits) continue;
    out += held.eliminated ? "\t- eliminated" : "\t- locked";
    if (held.object == 0)
      out += " <owner is scalar replaced>";
    else
      add_object(held.object, held.klass, held.mirror_of, out);
    out += '\n';
  }
}

void ThreadText::add_stack(const DumpedThread& thread, MarkedText& out) {
  for (const NativeFrame& frame : thread.native_stack) add_native(frame, out.text);
  for (uint32_t at = 0; at < thread.stack.size(); ++at) {
    const uint32_t frame = thread.stack[at].frame;
    out.mark(frame, lines_.of(frame));
    if (at == 0) add_waiting(thread, out.text);
    if (!thread.monitors.empty()) add_monitors(thread, at, out.text);
  }
  if (thread.why == std::string_view(kDeeper)) out.text += "\t... more frames\n";
}

void ThreadText::add(const DumpedThread& thread, MarkedText& out) {
  std::string& text = out.text;
  add_header(thread, text);
  if (thread.is_java) text.append("   java.lang.Thread.State: ").append(java_state_text(thread.java_state)) += '\n';
  add_states(thread, text);
  if (thread.virtual_id != 0) text += "   Carrying virtual thread #", add_number(thread.virtual_id, text), text += '\n';
  add_stack(thread, out);
  text += '\n';
}

void add_quoted(const std::string& name, std::string& out) {
  out += '"';
  base::append_line(name, out);
  out += '"';
}

const char* stack_source_name(StackSource source) {
  switch (source) {
    case StackSource::kAnchor: return "from outside";
    case StackSource::kSignal: return "by the thread itself";
    case StackSource::kNone: break;
  }
  return "none";
}

const char* java_state_text(uint32_t state) {
  if (has(state, JVMTI_THREAD_STATE_TERMINATED)) return "TERMINATED";
  if (!has(state, JVMTI_THREAD_STATE_ALIVE)) return "NEW";
  if (has(state, JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER)) return "BLOCKED (on object monitor)";
  const bool timed = has(state, JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT);
  if (has(state, JVMTI_THREAD_STATE_SLEEPING)) return "TIMED_WAITING (sleeping)";
  if (has(state, JVMTI_THREAD_STATE_IN_OBJECT_WAIT))
    return timed ? "TIMED_WAITING (on object monitor)" : "WAITING (on object monitor)";
  if (has(state, JVMTI_THREAD_STATE_PARKED)) return timed ? "TIMED_WAITING (parking)" : "WAITING (parking)";
  if (timed) return "TIMED_WAITING";
  return has(state, JVMTI_THREAD_STATE_WAITING) ? "WAITING" : "RUNNABLE";
}

}  // namespace rec::agent
