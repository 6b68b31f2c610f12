// SPDX-License-Identifier: Apache-2.0
// ThreadDump is the result: plain data, no pointer into the VM. The dumper fills it, dump_text.h and dump_json.h write
// it, deadlocks.h looks for cycles in it.
//
// What could not be known is said by the value that stands for it: an empty text, kNobody, kUnknownFrame,
// StackSource::kNone with a word why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agent/hotspot/state/waiting.h"
#include "agent/hotspot/vm/vm_state.h"
#include "agent/hotspot/walk/held_monitor.h"
#include "agent/hotspot/walk/stack_walker.h"
#include "agent/process/os_state.h"

namespace rec::agent {

inline constexpr uint32_t kNobody = ~0u;        // no thread
inline constexpr uint32_t kUnknownFrame = ~0u;  // a method that could not be read

struct DumpFrame {
  std::string klass, name, file, module, module_version;  // "java.lang.Object"; empty: there is none
  int32_t line = -1;                                      // -1: not known
  bool native = false;
};

struct ThreadFrame {
  uint32_t frame = 0;  // index into ThreadDump::frames, or kUnknownFrame
  FrameType type = FrameType::kInterpreted;
};

// How a stack was had.
enum class StackSource : uint8_t {
  kNone,    // it was not: `why` says what was in the way
  kAnchor,  // from outside, by the frame anchor; the thread was seen unchanged behind it
  kSignal,  // the thread walked its own in a signal handler
};
const char* stack_source_name(StackSource source);

struct NativeFrame {
  uint64_t pc = 0;                // 0: frames are missing here
  std::string library, function;  // empty: not known
  std::optional<uint64_t>
      offset;  // into the function, or the library; none: the function has no table that says where it begins
};
inline constexpr char kNotUnwoundText[] = "[not unwound]";  // the function of a frame that stands for missing ones

struct DumpedThread {
  std::string name;
  bool is_java = false;  // else a thread of the VM or of a library, without Java frames
  int64_t java_id = 0;
  int32_t os_id = 0;
  int32_t priority = 0;
  bool daemon = false;
  uint64_t java_thread = 0;  // JavaThread*, HotSpot's tid=
  int64_t virtual_id = 0;    // of the virtual thread that it carries; 0: none
  std::string virtual_name;  // its name; empty: it has none, or was just being moved
  uint32_t java_state = 0;   // JVMTI's thread state bits
  VmState vm_state = VmState::kUnknown;
  bool in_transition = false;
  uint64_t last_java_sp = 0;
  StackSource source = StackSource::kNone;
  const char* why = "";  // kNone: why there is no stack; else: why it is incomplete; empty: it is whole
  bool proven = false;   // kAnchor: its CPU clock has stood still since the dump before, and so has its stack
  bool on_cpu = false;   // its CPU clock moved while we looked, it answered the signal, or the system says so
  int retries = 0;
  std::vector<ThreadFrame> stack;  // innermost first
  std::vector<NativeFrame> native_stack;
  const char* native_why = "";        // why none is there, where they were looked for
  std::vector<HeldMonitor> monitors;  // of the stack's frames, from the innermost on
  Waiting waiting;
  uint32_t held_by = kNobody;  // index of the thread that holds what this one waits for
  OsState os;                  // read a moment after the stack
};

// Each thread waits for what the next one holds, the last for the first one's. Indexes of threads.
using Deadlock = std::vector<uint32_t>;

struct DumpTimes {
  int64_t list_ns = 0;    // who is there
  int64_t walk_ns = 0;    // stacks from outside, states, what is waited for
  int64_t ask_ns = 0;     // stacks by signal
  int64_t names_ns = 0;   // names, owners, deadlocks
  int64_t os_ns = 0;      // /proc
  int64_t native_ns = 0;  // native frames
  int64_t total_ns = 0;   // all of it, without writing
};

struct ThreadDump {
  int64_t unix_ns = 0;
  uint32_t vm_major = 0;
  std::string vm_name, vm_version, vm_info;
  std::vector<DumpedThread> threads;
  std::vector<DumpFrame> frames;
  uint64_t numbering = 0;  // as long as it stays, frames of earlier dumps have their numbers still
  std::vector<Deadlock> deadlocks;
  uint32_t retries = 0;  // walks from outside that were refused because the thread moved
  uint32_t asked = 0;    // signals sent
  uint32_t unanswered = 0;
  DumpTimes times;
};

}  // namespace rec::agent
