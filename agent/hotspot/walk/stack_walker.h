// SPDX-License-Identifier: Apache-2.0
// StackWalker walks the stack of the thread it runs on, from the registers of an interrupted instruction to the
// thread's first Java frame, by HotSpot's own tables. It calls nothing in the VM, takes no lock, and uses no jmethodID.
// Signal-safe.
//
//   native code with an anchor      the anchor (where Java left for native code or the VM)
//   native code without one         unwind tables, frame by frame, until generated code (a leaf call)
//   interpreter                     rbp, but for the codelets that build and drop frames (interpreter_map.h)
//   compiled code                   frame size, prologue and epilogue (frame_shape.h), inlined methods (scopes.h)
//   stubs, adapters                 by their shape
//   call stub                       the anchor saved in its JavaCallWrapper; none: this was the first Java frame
//
// Only the walked thread's own stack is read, and only upwards: every step must raise sp and stay below the stack's
// base.
#pragma once

#include <cstdint>
#include <span>

#include "agent/hotspot/vm/code_cache.h"
#include "agent/hotspot/vm/layout.h"
#include "agent/hotspot/vm/scope_cache.h"
#include "agent/hotspot/vm/stub_table.h"
#include "agent/hotspot/walk/native_modules.h"
#include "agent/hotspot/x86_64/interpreter_map.h"
#include "agent/hotspot/x86_64/registers.h"
#include "recorder/spool/facts.h"

namespace rec::agent {

struct RawFrame {
  uint64_t method = 0;  // Method*, alive while its frame is on the stack
  int32_t bci = 0;      // -1: none (native methods)
  FrameType type = FrameType::kInterpreted;
};

enum class WalkEnd : uint8_t {
  kRoot,           // the thread's first Java frame was reached
  kDepth,          // the buffer is full
  kNoJavaFrame,    // there is no Java frame: start-up, exit, a thread of the VM
  kNativeUnknown,  // a leaf call could not be unwound
  kBadStack,       // sp left the stack or did not rise
  kBadReturn,      // a return address points to no code
  kDeoptimizing,   // frames are being replaced right now
  kBadFrame,       // an interpreter frame without a method
  kCount,
};
const char* walk_end_name(WalkEnd end);

struct Walk {
  uint32_t count = 0;  // frames written, innermost first
  WalkEnd end = WalkEnd::kNoJavaFrame;
  bool gap = false;  // frames of a continuation that lie in the heap are missing
  uint64_t pc = 0;   // where it ended, for diagnosis
  bool complete() const { return end == WalkEnd::kRoot; }
};

// The generated code of one VM, as walking needs it. Filled at start, constant afterwards (but the stub table
// grows, and the scope cache changes).
struct VmCode {
  Layout layout{};
  CodeCache code_cache;
  InterpreterMap interpreter;
  StubTable stubs;
  NativeModules modules;
  mutable ScopeCache scopes;                                          // filled by walks
  uint64_t continuation_stubs_begin = 0, continuation_stubs_end = 0;  // the stubs that move frames from and to the heap
};

// java_thread: JavaThread* of the calling thread.
Walk walk_stack(const VmCode& vm, const Registers& registers, uint64_t java_thread, std::span<RawFrame> frames);

}  // namespace rec::agent
