// SPDX-License-Identifier: Apache-2.0
// FrameShape decides, from the instructions around pc, how much of a frame stands on the stack when a signal hits
// generated code. A call puts the return address into the link register and nothing on the stack; a frame saves it there.
// Decided exactly, by the few instruction forms that HotSpot's assembler emits there; nothing is scanned for
// (MacroAssembler::build_frame, remove_frame: src/hotspot/cpu/aarch64/macroAssembler_aarch64.cpp). Signal-safe.
//
//   not yet built      link register        = return address, sp is the caller's, or lower already
//   complete           [sp + frame - 8]     = return address, [sp + frame - 16] = the caller's x29
//   taken down again   link register        = return address, sp is perhaps still to rise
#pragma once

#include <cstdint>

namespace rec::agent::aarch64 {

class CodePath;
struct Registers;

// Generated code whose frames are all of one size.
struct FramedCode {
  uint64_t begin = 0;
  uint32_t frame_words = 0;     // of a complete frame, return address included
  int32_t frame_complete = -1;  // bytes from begin until a frame stands; -1: never
};

struct FrameShape {
  static constexpr uint64_t kInRegister = ~0ull;
  uint64_t caller_offset = 0;              // bytes from sp to the caller's
  uint64_t return_offset = kInRegister;    // bytes from sp to the return address, or that is in the link register
  uint64_t saved_fp_offset = kInRegister;  // bytes from sp to the caller's x29, or that is in its register
  bool return_in_link() const { return return_offset == kInRegister; }
  uint64_t size() const { return caller_offset; }
};

// Without a frame, but so many bytes of the stack taken; with none where a function begins.
inline FrameShape frameless_shape(uint64_t taken = 0) { return {taken}; }

// Of a frame whose pointer lies so many bytes above sp.
inline FrameShape shape_by_fp(uint64_t above) { return {above + 16, above + 8, above}; }

// The same frame with so many more bytes of the stack taken below it.
inline FrameShape lowered(const FrameShape& shape, uint64_t bytes) {
  return {shape.caller_offset + bytes, shape.return_offset + bytes, shape.saved_fp_offset + bytes};
}

// The shape of a complete frame of so many words.
FrameShape complete_shape(uint32_t frame_words);

// The shape at pc inside the code, whose frames are built by what starts at entry (for compiled methods the verified
// entry point).
FrameShape shape_at(const FramedCode& code, uint64_t entry, uint64_t pc);

// The shape where a path began that has come to an event with a return_at().
FrameShape shape_before(const CodePath& path);

// Stubs: by x29 (they start with stp x29, x30, [sp, #-16]!; mov x29, sp), or by what they have still to undo.
struct StubShape {
  uint64_t above_fp = 0;  // not 0: the return address lies so many bytes above x29; else
  FrameShape frame;       // by sp
  uint64_t kept_fp = 0;   // always 0: no stub works with x29
};
StubShape stub_shape_at(uint64_t begin, uint64_t end, uint64_t pc);

// Where an upcall stub keeps its frame's data, in bytes above sp; 0: its code does not tell.
uint64_t upcall_data_at(uint64_t begin, uint64_t end);

// Behind the call stub's store of its JavaCallWrapper; 0: not found. And at this instruction it has taken its frame down.
uint64_t wrapper_stored(uint64_t begin, uint64_t end);
bool is_return(uint64_t pc);

// What a direct call that returns to this address has called; 0: no such call stands before it.
uint64_t called_before(uint64_t return_pc);
bool is_behind_call(uint64_t pc);
// Of a function that returns by the stack alone: never.
bool marks_entry(uint64_t pc);
// It only copies a register to another one, or between a register and the stack.
bool is_move(uint64_t pc);
// A compiled method's poll of a safepoint (ldr wzr, [register]).
bool is_poll(uint64_t pc);

// At this instruction a function takes its frame down by its frame pointer, and what follows returns by the address above
// that. Never: x29 may point to anywhere in a native frame.
bool drops_frame_by_fp(uint64_t pc);

// The stub through which a compiled method's call to an interpreted one goes (x12 becomes the method; br), or one to code that
// is far away. The call has been made, and nothing else has happened yet.
bool in_static_call_stub(uint64_t pc);

// In an exception blob, which is jumped to: with the address that threw in a register, as if it had called. It is there again
// when the frame has been taken down. exception_shape() is false: like in any stub.
bool exception_pc_in_register(uint64_t begin, uint64_t pc);
bool exception_shape(uint64_t begin, uint64_t end, uint64_t pc, uint32_t frame_words, FrameShape& shape);

// A blob that a fault enters, without a call, where the address that it has come from waits in the thread: its first
// instructions take it from there. What stands of its frame so many bytes behind its begin.
struct FaultFrame {
  bool by_fp = false;  // the caller's registers lie at x29; else
  uint64_t size = 0;   // sp is so far below the caller's
  bool fp_on_top = false;
};
bool takes_fault(uint64_t begin, uint64_t end, uint32_t saved_pc_in_thread);
FaultFrame fault_frame(uint64_t done);

}  // namespace rec::agent::aarch64
