// SPDX-License-Identifier: Apache-2.0
// StackWalker walks the stack of the thread it runs on, from the registers of an interrupted instruction to the
// thread's first Java frame, by HotSpot's own tables. It calls nothing in the VM, takes no lock, and uses no jmethodID.
// Signal-safe.
//
//   native code with an anchor      the anchor (where Java left for native code or the VM)
//   native code without one         unwind tables, frame by frame, until generated code (a leaf call)
//   ... that is to be shown         likewise, until the anchor, or until the thread's start (walker_shown.cpp)
//   interpreter                     rbp, but for the codelets that build and drop frames (interpreter_map.h)
//   compiled code                   frame size, prologue and epilogue (frame_shape.h), inlined methods (scopes.h)
//   stubs, adapters                 by their shape
//   call stub                       the anchor saved in its JavaCallWrapper; none: this was the first Java frame
//   return barrier                  the frames of a virtual thread that lie in the heap (stack_chunk.h), then its carrier's
//
// On a stack, only the walked thread's own is read, and only upwards: every step must raise sp and stay below the
// stack's base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "agent/hotspot/processor/interpreter_map.h"
#include "agent/hotspot/processor/registers.h"
#include "agent/hotspot/vm/code_cache.h"
#include "agent/hotspot/vm/code_memo.h"
#include "agent/hotspot/vm/continuation_code.h"
#include "agent/hotspot/vm/layout.h"
#include "agent/hotspot/vm/method_proof.h"
#include "agent/hotspot/vm/stub_table.h"
#include "agent/hotspot/walk/last_walk.h"
#include "agent/hotspot/walk/native_modules.h"
#include "agent/hotspot/walk/raw_frame.h"

namespace rec::agent {

enum class WalkEnd : uint8_t {
  kRoot,           // the thread's first Java frame was reached
  kDepth,          // the buffer is full
  kNoJavaFrame,    // there is no Java frame: start-up, exit, a thread of the VM
  kNativeUnknown,  // a leaf call could not be unwound
  kBadStack,       // sp left the stack or did not rise
  kBadReturn,      // a return address points to no code
  kDeoptimizing,   // frames are being replaced right now
  kBadFrame,       // a frame whose method or size cannot be proved
  kCount,
};
const char* walk_end_name(WalkEnd end);

struct Walk {
  uint32_t count = 0;  // frames written, innermost first
  uint32_t kept = 0;   // frames of the LastWalk that follow them: the topmost of those that it keeps
  WalkEnd end = WalkEnd::kNoJavaFrame;
  bool gap = false;         // frames of a continuation that lie in the heap are missing, or could not be proved
  bool native_gap = false;  // native frames that were to be shown are missing at the outer end
  uint64_t pc = 0;          // where it ended, for diagnosis
  bool complete() const { return end == WalkEnd::kRoot; }
  bool whole() const { return complete() && !gap && !native_gap; }  // all frames are there
  // As events say it: frames that there are, are missing. A thread without a frame of Java has no more than its native ones.
  bool truncated() const { return native_gap || (!whole() && end != WalkEnd::kNoJavaFrame); }
};

// The generated code of one VM, as walking needs it. Filled at start, constant afterwards (but the stub table
// grows, and the scope cache changes).
struct VmCode {
  Layout layout{};
  CodeCache code_cache;
  InterpreterMap interpreter;
  StubTable stubs;
  uint64_t call_stub_name = 0;  // where it stands; likewise for all others by stub_name() (vm_code.h)
  NativeModules modules;
  mutable MethodProof methods;
  mutable CodeMemo scopes, places;    // filled by walks: of return addresses, and of where threads stood
  mutable CodeMemo notes;             // likewise: how far behind the note is that holds there (compiler_notes.h)
  mutable CodeMemo without_monitors;  // filled by find_monitors(): return addresses at which no frame has any
  ContinuationCode continuations;
  bool reads_chunks = false;                                          // of continuations
  uint64_t continuation_stubs_begin = 0, continuation_stubs_end = 0;  // the stubs that move frames from and to the heap
};

// Of a thread that carries a virtual one: does the walk go on behind the virtual thread's frames? Without them it ends,
// at its root, with the frame that entered the virtual thread (Continuation.enterSpecial), as JFR's do.
enum class CarrierFrames : uint8_t { kHidden, kShown };
// Frames of native code: where the thread stands, between Java's, and below them. Hidden, they are crossed.
enum class NativeFrames : uint8_t { kHidden, kShown };
// Frames of generated code that is no method's: routines, adapters, the stubs by which Java is entered and left. kBelow:
// not those above Java's innermost frame.
enum class StubFrames : uint8_t { kHidden, kBelow, kShown };

// Where the pc of each frame goes, beside the frames: into the first word of a record each, which somebody else made.
struct PcColumn {
  std::byte* first = nullptr;  // nullptr: nobody wants them
  size_t record = 0;           // bytes
  void set(uint32_t frame, uint64_t pc) const {
    if (first != nullptr) std::memcpy(first + frame * record, &pc, sizeof pc);
  }
};

struct ShownFrames {
  CarrierFrames carrier = CarrierFrames::kHidden;
  NativeFrames native = NativeFrames::kHidden;
  // On top, innermost first: where the thread is in the kernel; each a native_method() (raw_frame.h). Of one walk.
  std::span<const uint64_t> kernel;
  StubFrames stubs = StubFrames::kHidden;
  PcColumn pcs;  // of walks without a LastWalk
  ShownFrames(CarrierFrames carriers, NativeFrames natives = NativeFrames::kHidden)
      : carrier(carriers), native(natives) {}
};

// As samples show them: who wants native frames sees stubs, too.
inline ShownFrames shown_with(CarrierFrames carriers, NativeFrames natives) {
  ShownFrames shown(carriers, natives);
  if (natives == NativeFrames::kShown) shown.stubs = StubFrames::kShown;
  return shown;
}

// java_thread: JavaThread* of the calling thread. last: the thread's last walk, whose frames are not written again where
// they still stand; null: there is none.
Walk walk_stack(const VmCode& vm, const Registers& registers, uint64_t java_thread, std::span<RawFrame> frames,
                ShownFrames shown, LastWalk* last = nullptr);

// The calling thread is none of Java's: its native frames, and those of the kernel in front. Root: all of them are there.
Walk walk_native_thread(const VmCode& vm, const Registers& registers, std::span<RawFrame> frames,
                        ShownFrames shown = {CarrierFrames::kHidden, NativeFrames::kShown});

// The stack of a virtual thread that no carrier runs: all of it lies in the heap. chunk: its newest (stack_chunk.h). All
// or nothing, or the innermost frames that there was room for.
Walk walk_unmounted(const VmCode& vm, uint64_t chunk, std::span<RawFrame> frames);

}  // namespace rec::agent
