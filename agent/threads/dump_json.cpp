// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/dump_json.h"

#include <cinttypes>
#include <cstdio>

#include "agent/process/system_calls.h"
#include "agent/threads/thread_text.h"
#include "base/utf8.h"

namespace rec::agent {
namespace {

// Writes members and elements, and knows where a comma belongs.
class Json {
 public:
  void open(char bracket) { begin_value(), out_ += bracket, first_ = true; }
  void close(char bracket) { out_ += bracket, first_ = false; }
  void key(const char* name) {
    comma();
    out_ += std::string("\"") + name + "\":";
    first_ = true;
  }
  void text(const std::string& value) {
    begin_value();
    out_ += '"';
    for (const char c : base::utf8_of(value)) add_escaped(c);
    out_ += '"';
  }
  void number(int64_t value) { begin_value(), out_ += std::to_string(value); }
  void boolean(bool value) { begin_value(), out_ += value ? "true" : "false"; }
  void null() { begin_value(), out_ += "null"; }
  void address(uint64_t value) {
    char digits[24];
    std::snprintf(digits, sizeof digits, "0x%" PRIx64, value);
    text(digits);
  }

  void member(const char* name, const std::string& value) { key(name), text(value); }
  void member(const char* name, const char* value) { key(name), text(value); }
  void member(const char* name, int64_t value) { key(name), number(value); }
  void flag(const char* name, bool value) { key(name), boolean(value); }
  void known(const char* name, int64_t value) { key(name), value < 0 ? null() : number(value); }
  void known(const char* name, const std::string& value) { key(name), value.empty() ? null() : text(value); }

  std::string take() { return std::move(out_); }

 private:
  void comma() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  void begin_value() { comma(); }
  void add_escaped(char c) {
    char code[8];
    if (c == '"' || c == '\\')
      (out_ += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c)), out_ += code;
    else
      out_ += c;
  }

  std::string out_;
  bool first_ = true;
};

const char* type_name(FrameType type) {
  switch (type) {
    case FrameType::kInterpreted: return "Interpreted";
    case FrameType::kJit: return "JIT compiled";
    case FrameType::kC1: return "C1 compiled";
    case FrameType::kInlined: return "Inlined";
    case FrameType::kNative: return "Native";
    case FrameType::kCpp:
    case FrameType::kKernel: break;  // they are told apart from Java's
  }
  return "";
}

void add_frame(const ThreadDump& dump, const ThreadFrame& at, Json& out) {
  out.open('{');
  out.member("type", type_name(at.type));
  if (at.frame == kUnknownFrame) return out.key("method"), out.null(), out.close('}');
  const DumpFrame& frame = dump.frames[at.frame];
  out.member("class", frame.klass);
  out.member("method", frame.name);
  out.known("file", frame.file);
  out.known("line", frame.line);
  if (!frame.module.empty()) out.member("module", frame.module);
  if (!frame.module_version.empty()) out.member("moduleVersion", frame.module_version);
  out.close('}');
}

void add_native_frame(const NativeFrame& frame, Json& out) {
  out.open('{');
  out.key("pc"), out.address(frame.pc);
  out.known("library", frame.library);
  out.known("function", frame.function);
  out.known("offset", frame.offset ? static_cast<int64_t>(*frame.offset) : -1);
  out.close('}');
}

const char* wait_name(WaitKind kind) {
  switch (kind) {
    case WaitKind::kEnter: return "enter";
    case WaitKind::kWait: return "wait";
    case WaitKind::kPark: return "park";
    case WaitKind::kClassInit: return "classInitialization";
    case WaitKind::kNone: break;
  }
  return "";
}

void add_waiting(const ThreadDump& dump, const DumpedThread& thread, Json& out) {
  const Waiting& waiting = thread.waiting;
  out.key("waitingFor");
  if (waiting.kind == WaitKind::kNone) return out.null();
  out.open('{');
  out.member("kind", wait_name(waiting.kind));
  if (waiting.monitor != 0) out.key("monitor"), out.address(waiting.monitor);
  if (waiting.object != 0) out.key("object"), out.address(waiting.object);
  out.known("class", waiting.klass);
  if (!waiting.mirror_of.empty()) out.member("ofClass", waiting.mirror_of);
  out.key("owner");
  thread.held_by == kNobody ? out.null() : out.text(dump.threads[thread.held_by].name);
  if (thread.held_by != kNobody) out.member("ownerThreadId", dump.threads[thread.held_by].java_id);
  out.close('}');
}

void add_monitor(const HeldMonitor& held, Json& out) {
  out.open('{');
  out.member("frame", int64_t{held.frame});
  if (held.object != 0) out.key("object"), out.address(held.object);
  out.known("class", held.klass);
  if (!held.mirror_of.empty()) out.member("ofClass", held.mirror_of);
  out.flag("eliminated", held.eliminated);
  out.close('}');
}

void add_os(const OsState& os, Json& out) {
  out.key("os");
  out.open('{');
  out.known("state", os.state == 0 ? std::string() : std::string(1, os.state));
  const char* call = system_call_name(os.system_call);
  out.known("systemCall", os.system_call);  // null, too: it runs, or waits for a page
  if (call != nullptr) out.member("systemCallName", call);
  out.known("wchan", os.wchan);
  out.known("lastCpu", os.last_cpu);
  out.key("nice"), os.nice ? out.number(*os.nice) : out.null();
  out.known("cpuNs", os.cpu_ns);
  out.known("elapsedNs", os.elapsed_ns);
  out.close('}');
}

void add_java(const ThreadDump& dump, const DumpedThread& thread, Json& out) {
  out.member("javaThreadId", thread.java_id);
  out.key("tid"), out.address(thread.java_thread);
  out.flag("daemon", thread.daemon);
  out.member("priority", int64_t{thread.priority});
  out.member("threadState", java_state_text(thread.java_state));
  out.member("vmState", vm_state_name(thread.vm_state));
  out.flag("inTransition", thread.in_transition);
  out.key("virtualThreadId"), thread.virtual_id == 0 ? out.null() : out.number(thread.virtual_id);
  out.known("virtualThreadName", thread.virtual_name);
  out.member("stackSource", stack_source_name(thread.source));
  out.flag("stoodStill", thread.proven);
  out.member("retries", int64_t{thread.retries});
  add_waiting(dump, thread, out);
  out.key("stack");
  out.open('[');
  for (const ThreadFrame& frame : thread.stack) add_frame(dump, frame, out);
  out.close(']');
  out.key("monitors");
  out.open('[');
  for (const HeldMonitor& held : thread.monitors) add_monitor(held, out);
  out.close(']');
}

void add_thread(const ThreadDump& dump, const DumpedThread& thread, Json& out) {
  out.open('{');
  out.member("name", thread.name);
  out.member("osThreadId", int64_t{thread.os_id});
  out.flag("java", thread.is_java);
  out.flag("onCpu", thread.on_cpu);
  out.known("remark", thread.why);
  add_os(thread.os, out);
  if (thread.is_java) add_java(dump, thread, out);
  out.known("nativeRemark", thread.native_why);
  out.key("nativeStack");
  out.open('[');
  for (const NativeFrame& frame : thread.native_stack) add_native_frame(frame, out);
  out.close(']');
  out.close('}');
}

}  // namespace

std::string dump_json(const ThreadDump& dump) {
  Json out;
  out.open('{');
  out.member("time", dump.unix_ns / 1'000'000);
  out.member("vm", dump.vm_name + " (" + dump.vm_version + ' ' + dump.vm_info + ')');
  for (const auto& [name, ns] : {std::pair{"listNs", dump.times.list_ns},
                                 {"walkNs", dump.times.walk_ns},
                                 {"askNs", dump.times.ask_ns},
                                 {"namesNs", dump.times.names_ns},
                                 {"osNs", dump.times.os_ns},
                                 {"nativeNs", dump.times.native_ns},
                                 {"totalNs", dump.times.total_ns}})
    out.member(name, ns);
  out.member("retries", int64_t{dump.retries});
  out.member("asked", int64_t{dump.asked});
  out.member("unanswered", int64_t{dump.unanswered});
  out.key("deadlocks");
  out.open('[');
  for (const Deadlock& deadlock : dump.deadlocks) {
    out.open('[');
    for (const uint32_t member : deadlock) out.text(dump.threads[member].name);
    out.close(']');
  }
  out.close(']');
  out.key("threads");
  out.open('[');
  for (const DumpedThread& thread : dump.threads) add_thread(dump, thread, out);
  out.close(']');
  out.close('}');
  return out.take() + "\n";
}

}  // namespace rec::agent
