// SPDX-License-Identifier: Apache-2.0
// The Walker is one walk in progress: the frame it stands in, and how to get from each kind of frame to its caller.
// walk_stack() makes one in the handler's own stack frame and runs it; nobody else needs it. Signal-safe.
//
// A step adds what the frame shows and moves to the caller; false ends the walk, and end_ says why.
#pragma once

#include <cstdint>
#include <span>

#include "agent/hotspot/processor/code_path.h"
#include "agent/hotspot/processor/enter_special.h"
#include "agent/hotspot/processor/frame_shape.h"
#include "agent/hotspot/processor/return_address.h"
#include "agent/hotspot/walk/native_leave.h"
#include "agent/hotspot/walk/stack_walker.h"

namespace rec::agent {

struct StackChunk;
class ChunkFrames;
class Scopes;

inline bool holds(const CodeBlob& blob, uint64_t pc) { return pc >= blob.code_begin && pc < blob.code_end; }

class Walker {
 public:
  Walker(const VmCode& vm, const Registers& registers, uint64_t java_thread, std::span<RawFrame> frames,
         ShownFrames shown, LastWalk* last);
  Walk run();
  Walk run_native();
  Walk run_unmounted(uint64_t chunk);

 private:
  bool stop(WalkEnd end);
  bool on_stack(uint64_t sp) const { return sp >= stack_limit_ && sp < stack_base_; }
  bool add(uint64_t method, int32_t bci, FrameType type);
  bool shows_stub() const;
  bool add_stub(uint64_t name);
  bool show_stub(const CodeBlob& blob);
  bool move_to(uint64_t pc, uint64_t sp, uint64_t fp);
  bool step();

  // walker_again.cpp: with a walk before this one.
  bool step_or_follow();
  bool noted_step();
  bool follow(uint32_t known);
  uint32_t compiled_down(uint32_t index) const;
  bool still_holds(uint32_t index);
  bool interpreted_holds(const FrameMark& mark, const FrameMark& caller, uint64_t method) const;
  bool walks_the_same(uint32_t index);
  void stand_at(uint32_t index);
  bool stands_at(uint32_t index) const;
  bool keep(uint32_t known, uint32_t room);
  bool take_over(uint32_t known, uint32_t next);

  // walker_native.cpp: native code, and how Java is entered from it.
  bool native();
  bool native_from(bool top);
  bool left_for_native() const;
  bool leave_stub(uint64_t pc, uint64_t sp, uint64_t fp);
  bool leave_stub_to_java(uint64_t pc, uint64_t sp, uint64_t fp);
  bool anchor(uint64_t anchor);
  bool leaf_call(bool top);
  bool call_stub();
  bool in_call_stub(uint64_t begin, uint64_t end);

  // walker_shown.cpp: native frames that are shown, and not only crossed.
  enum class NativeEnd : uint8_t {
    kJava,       // generated code: regs_ stand there,
    kAmidJava,   // at the very instruction that a signal has interrupted, whose handler was interrupted, too
    kOutermost,  // the thread's start
    kLost,       // the next frame could not be found
    kFull,       // there is no room for more; the walk is over
  };
  bool shows_native() const { return shown_.native == NativeFrames::kShown; }
  NativeEnd show_native(bool exact, uint64_t limit);
  bool add_kernel();
  bool add_native(uint16_t library, uint64_t address);
  bool native_top(bool top);
  bool is_lost(NativeStep how, uint64_t limit);
  bool leave_java(uint64_t anchor);

  // walker_upcall.cpp
  bool upcall_stub(const CodeBlob& blob);

  // walker_continuation.cpp: from a virtual thread's frames on the stack to those in the heap, and to its carrier's.
  bool continuation_entry();
  bool frozen_at(uint64_t pc) const;
  bool left_continuation() const;
  bool yielded() const;
  bool may_yield() const;
  bool heap_frames(uint64_t entry);
  bool chunk_frames(const StackChunk& chunk);
  bool chunk_blocked(ChunkFrames& frames);
  bool chunk_interpreted(ChunkFrames& frames);
  bool chunk_compiled(ChunkFrames& frames);
  bool ends_at_entry(const CodeBlob& blob) const;
  bool moves_frames(uint64_t pc) const { return pc >= vm_.continuation_stubs_begin && pc < vm_.continuation_stubs_end; }

  // walker_interpreted.cpp
  bool interpreted();
  bool add_interpreted(uint64_t method);
  bool add_entered();
  bool entering(const InterpreterEntry& entry);
  bool half_built(const InterpreterEntry& entry);
  bool frameless_entry(const InterpreterEntry& entry);
  bool leaving(const InterpreterExit& exit);

  // walker_compiled.cpp
  uint64_t verified_entry(const CodeBlob& blob) const;
  struct Place {  // where compiled code stands between its calls
    FrameShape shape;
    uint64_t pc = 0;  // which its scopes are those of; 0: the code does not tell, and the shape is still to be proved
    explicit operator bool() const { return pc != 0; }
  };
  bool compiled(const CodeBlob& blob);
  bool calling(const CodeBlob& blob);
  bool leave_if_proved(const FrameShape& shape);
  bool in_handlers(const CodeBlob& blob) const;
  static bool before_frame(const CodeBlob& blob, uint64_t pc);
  bool is_return_address(uint64_t pc) const;
  bool add_method(const CodeBlob& blob);
  bool add_compiled(uint64_t method, int32_t bci, FrameType type, uint8_t level);
  uint8_t level_of(const CodeBlob& blob) const;
  uint64_t believed(const CodeBlob& blob, uint64_t pc) const;
  bool add_scopes(const CodeBlob& blob, uint64_t pc);
  bool add_all(const CodeBlob& blob, Scopes& scopes);
  bool native_wrapper(const CodeBlob& blob);
  bool leave_wrapper(const CodeBlob& blob);
  bool linker(const CodeBlob& blob);
  FrameShape shape_here(const CodeBlob& blob, uint64_t entry) const;
  uint64_t return_of(const FrameShape& shape) const;
  uint64_t fp_of(const FrameShape& shape) const;
  bool leave_shape(const FrameShape& shape);

  // walker_place.cpp
  Place place_of(const CodeBlob& blob) const;
  bool is_beside(const CodeBlob& blob, uint64_t jump_end) const;
  FrameShape shape_on(const CodePath& path, CodePath::Event event, const FrameShape& whole) const;
  int64_t up_to_old_sp(const CodePath& path) const;
  Place known_place(const CodeBlob& blob) const;
  Place remembered(const CodeBlob& blob, const Place& place) const;
  bool add_place(const CodeBlob& blob, const Place& place);

  // walker_stubs.cpp: what is neither a method nor native.
  bool pop_return();
  bool stub();
  bool leave_stub_at(uint64_t begin, uint64_t end);
  bool adapter(const CodeBlob& blob);
  bool leave_adapter(uint64_t pc, uint64_t sp);
  bool leave_adapter_by_fp();
  bool runtime_stub(const CodeBlob& blob);
  bool leave_runtime_stub(const CodeBlob& blob);
  bool deoptimizing(const CodeBlob& blob);
  bool exception_blob(const CodeBlob& blob);
  bool entered_by_fault(const CodeBlob& blob) const;
  bool leave_poll_stub(const CodeBlob& blob);
  bool tells_its_shape(const CodeBlob& blob) const;

  const VmCode& vm_;
  const Layout& layout_;
  const ModuleCursor modules_;
  const uint64_t thread_;
  std::span<RawFrame> frames_;
  LastWalk* const last_;
  Registers regs_;
  uint64_t pc_ = 0, sp_ = 0, fp_ = 0;
  uint64_t stack_base_ = 0, stack_limit_ = 0;
  uint32_t count_ = 0, kept_ = 0;
  uint32_t followed_ = 0;  // frames that stand where the last walk met them, from the first such one on
  FrameProof proof_;       // of the frame last walked, if nothing but itself decided how
  WalkEnd end_ = WalkEnd::kBadReturn;
  bool top_ = true;              // pc is where the thread stands, not a return address
  bool registers_known_ = true;  // regs_ are those of this frame
  bool off_stack_ = false;       // the thread stands on another stack than its own, and native frames are those of that
  bool gap_ = false, native_gap_ = false;
  uint32_t first_ = 0;  // of the frames: Java's innermost one, behind the native ones that it has called
  const ShownFrames shown_;
  const EnterSpecial entered_;  // all 0: no continuation has been entered, or it is not known how
};

}  // namespace rec::agent
