// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/dump_text.h"

#include <jvmti.h>
#include <time.h>

#include <cinttypes>
#include <cstdio>

#include "agent/process/print_to.h"

namespace rec::agent {
namespace {

constexpr uint32_t kDecimalNidFrom = 21;  // HotSpot wrote the system's id in hexadecimal before

// By hand: printf would follow the application's locale.
std::string decimal(int64_t hundredths) {
  std::string text = std::to_string(hundredths / 100) + '.';
  return text + static_cast<char>('0' + hundredths / 10 % 10) + static_cast<char>('0' + hundredths % 10);
}

bool has(uint32_t state, uint32_t bits) { return (state & bits) == bits; }

// What HotSpot says behind nid=.
const char* condition(uint32_t state) {
  if (has(state, JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER)) return "waiting for monitor entry ";
  if (has(state, JVMTI_THREAD_STATE_IN_OBJECT_WAIT)) return "in Object.wait() ";
  if ((state & (JVMTI_THREAD_STATE_SLEEPING | JVMTI_THREAD_STATE_PARKED | JVMTI_THREAD_STATE_WAITING)) != 0)
    return "waiting on condition ";
  return "runnable ";
}

std::string quoted_name(const std::string& name) {
  std::string out(1, '"');
  for (const char c : name) out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  out += '"';
  return out;
}

void add_header(const ThreadDump& dump, const DumpedThread& thread, std::string& out) {
  const bool decimal_nid = dump.vm_major >= kDecimalNidFrom;
  out += quoted_name(thread.name);
  if (thread.is_java) print_to(out, " #%" PRId64, thread.java_id);
  if (decimal_nid) print_to(out, " [%d]", thread.os_id);
  if (thread.daemon) out += " daemon";
  if (thread.is_java) print_to(out, " prio=%d", thread.priority);
  print_to(out, " os_prio=%d", thread.os.nice);
  if (thread.os.cpu_ns >= 0) out += " cpu=" + decimal(thread.os.cpu_ns / 10'000) + "ms";
  if (thread.os.elapsed_ns >= 0) out += " elapsed=" + decimal(thread.os.elapsed_ns / 10'000'000) + "s";
  if (thread.is_java) print_to(out, " tid=0x%016" PRIx64, thread.java_thread);
  print_to(out, decimal_nid ? " nid=%d " : " nid=0x%x ", static_cast<unsigned>(thread.os_id));
  out += thread.is_java ? condition(thread.java_state) : "runnable";
  if (thread.is_java) print_to(out, " [0x%016" PRIx64 "]", thread.last_java_sp & ~uint64_t{0xfff});
  out += '\n';
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

// "   rec: in native, parked; off CPU (sleeping in futex_do_wait), last on CPU 1; stack from outside"
void add_states(const DumpedThread& thread, std::string& out) {
  out += "   rec: ";
  if (thread.is_java) {
    out += vm_state_name(thread.vm_state);
    if (thread.in_transition) out += " (changing)";
    if (has(thread.java_state, JVMTI_THREAD_STATE_PARKED)) out += ", parked";
    out += "; ";
  }
  out += thread.on_cpu ? "on CPU" : "off CPU";
  out += std::string(" (") + os_state_word(thread.os.state);
  if (!thread.os.wchan.empty()) out += " in " + thread.os.wchan;
  out += ')';
  if (thread.os.last_cpu >= 0) print_to(out, ", last on CPU %d", thread.os.last_cpu);
  if (thread.is_java) out += std::string("; stack ") + stack_source_name(thread.source);
  if (thread.is_java && thread.why[0] != 0) out += std::string(": ") + thread.why;
  out += '\n';
}

std::string object_text(const Waiting& waiting) {
  char address[32];
  std::snprintf(address, sizeof address, "<0x%016" PRIx64 ">", waiting.object != 0 ? waiting.object : waiting.monitor);
  return std::string(address) + (waiting.klass.empty() ? " (a class that is not known)" : " (a " + waiting.klass + ")");
}

void add_waiting(const ThreadDump& dump, const DumpedThread& thread, std::string& out) {
  const Waiting& waiting = thread.waiting;
  if (waiting.kind == WaitKind::kNone || (waiting.object == 0 && waiting.monitor == 0)) return;
  if (waiting.kind == WaitKind::kEnter) out += "\t- waiting to lock " + object_text(waiting) + '\n';
  if (waiting.kind == WaitKind::kWait) out += "\t- waiting on " + object_text(waiting) + '\n';
  if (waiting.kind == WaitKind::kPark) out += "\t- parking to wait for  " + object_text(waiting) + '\n';
  if (thread.held_by != kNobody && waiting.kind != WaitKind::kWait)
    out += "\t- rec: held by " + quoted_name(dump.threads[thread.held_by].name) + '\n';
}

std::string place_of(const DumpFrame& frame) {
  std::string place;
  if (!frame.module.empty()) {
    place = frame.module;
    if (!frame.module_version.empty()) place += '@' + frame.module_version;
    place += '/';
  }
  if (frame.native) return place + "Native Method";
  if (frame.file.empty()) return place + "Unknown Source";
  return place + frame.file + (frame.line >= 0 ? ':' + std::to_string(frame.line) : "");
}

void add_stack(const ThreadDump& dump, const DumpedThread& thread, std::string& out) {
  for (const NativeFrame& frame : thread.native_stack) {
    out += "\t- native " + (frame.function.empty() ? std::string("?") : frame.function);
    print_to(out, "+0x%" PRIx64 " (", frame.offset);
    out += (frame.library.empty() ? std::string("?") : frame.library) + ")\n";
  }
  bool top = true;
  for (const ThreadFrame& at : thread.stack) {
    if (at.frame == kUnknownFrame) {
      out += "\tat unknown.unknown(Unknown Source)\n";
    } else {
      const DumpFrame& frame = dump.frames[at.frame];
      out += "\tat " + frame.klass + '.' + frame.name + '(' + place_of(frame) + ")\n";
    }
    if (top) add_waiting(dump, thread, out);
    top = false;
  }
}

void add_thread(const ThreadDump& dump, const DumpedThread& thread, std::string& out) {
  add_header(dump, thread, out);
  if (thread.is_java) out += std::string("   java.lang.Thread.State: ") + java_state_text(thread.java_state) + '\n';
  add_states(thread, out);
  if (thread.virtual_id != 0) print_to(out, "   Carrying virtual thread #%" PRId64 "\n", thread.virtual_id);
  add_stack(dump, thread, out);
  out += '\n';
}

void add_deadlock(const ThreadDump& dump, const Deadlock& deadlock, std::string& out) {
  out += "\nFound one Java-level deadlock:\n=============================\n";
  for (const uint32_t member : deadlock) {
    const DumpedThread& thread = dump.threads[member];
    const Waiting& waiting = thread.waiting;
    const std::string klass = waiting.klass.empty() ? "a class that is not known" : "a " + waiting.klass;
    out += quoted_name(thread.name) + ":\n";
    if (waiting.kind == WaitKind::kEnter)
      print_to(out, "  waiting to lock monitor 0x%016" PRIx64 " (object 0x%016" PRIx64 ", ", waiting.monitor,
               waiting.object);
    else
      print_to(out, "  waiting for ownable synchronizer 0x%016" PRIx64 ", (", waiting.object);
    out += klass + "),\n  which is held by " + quoted_name(dump.threads[thread.held_by].name) + "\n\n";
  }
  out += "Java stack information for the threads listed above:\n===================================================\n";
  for (const uint32_t member : deadlock) {
    out += quoted_name(dump.threads[member].name) + ":\n";
    add_stack(dump, dump.threads[member], out);
  }
}

void add_deadlocks(const ThreadDump& dump, std::string& out) {
  for (const Deadlock& deadlock : dump.deadlocks) add_deadlock(dump, deadlock, out);
  const size_t count = dump.deadlocks.size();
  if (count > 0) print_to(out, "\nFound %zu deadlock%s.\n", count, count == 1 ? "" : "s");
}

std::string head(const ThreadDump& dump) {
  char when[32];
  const time_t seconds = static_cast<time_t>(dump.unix_ns / 1'000'000'000);
  tm local{};
  localtime_r(&seconds, &local);
  strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &local);
  return std::string(when) + "\nFull thread dump " + dump.vm_name + " (" + dump.vm_version + ' ' + dump.vm_info +
         "):\n\n";
}

}  // namespace

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

std::string dump_text(const ThreadDump& dump) {
  std::string out = head(dump);
  for (const DumpedThread& thread : dump.threads) add_thread(dump, thread, out);
  add_deadlocks(dump, out);
  return out;
}

std::vector<std::string> dump_text_pieces(const ThreadDump& dump, size_t max_bytes) {
  std::vector<std::string> pieces{head(dump)};
  const auto put = [&](const std::string& text) {
    if (pieces.back().size() + text.size() > max_bytes) pieces.push_back(head(dump));
    pieces.back() += text;
  };
  for (const DumpedThread& thread : dump.threads) {
    std::string text;
    add_thread(dump, thread, text);
    put(text);
  }
  std::string deadlocks;
  add_deadlocks(dump, deadlocks);
  put(deadlocks);
  return pieces;
}

}  // namespace rec::agent
