// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/aarch64/frame_shape.h"

#include "agent/hotspot/aarch64/code_path.h"
#include "agent/hotspot/aarch64/instruction.h"
#include "agent/hotspot/aarch64/registers.h"
#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent::aarch64 {
namespace {

constexpr uint64_t kMaxPrologue = 512, kMaxUpcallStub = 1024, kMaxFaultBegin = 512, kMaxStubBegin = 128,
                   kMaxExceptionBlob = 512;  // bytes

// What has been done to the stack so far.
struct Built {
  int64_t bytes = 0;                             // sp has moved down by so much
  int64_t link_at = kNowhere, fp_at = kNowhere;  // distance of the saved registers from the entry's sp, downwards
  bool by_fp = false;                            // x29 is the frame's
  bool lost = false;                             // sp has moved by what the code does not tell
  static constexpr int64_t kNowhere = INT64_MIN;
};

void build(const Instruction& instruction, Built& built) {
  if (instruction.stores(Instruction::kLink)) built.link_at = built.bytes - instruction.place_of(Instruction::kLink);
  if (instruction.stores(Instruction::kFp)) built.fp_at = built.bytes - instruction.place_of(Instruction::kFp);
  built.by_fp |= instruction.copy_of == Instruction::kSp && instruction.written == Instruction::kFp;
  built.lost |= instruction.sp_lost || (instruction.sp_from != Instruction::kNothing);
  built.bytes -= instruction.sp_up;
}

Built built_until(uint64_t at, uint64_t pc) {
  Built built;
  const uint64_t end = at + kMaxPrologue;
  for (; at < pc && at < end; at += kStep) build(instruction_at(at), built);
  return built;
}

FrameShape shape_of(const Built& built) {
  FrameShape shape;
  shape.caller_offset = static_cast<uint64_t>(built.bytes);
  if (built.fp_at != Built::kNowhere) shape.saved_fp_offset = static_cast<uint64_t>(built.bytes - built.fp_at);
  if (built.link_at != Built::kNowhere) shape.return_offset = static_cast<uint64_t>(built.bytes - built.link_at);
  return shape;
}

FrameShape prologue_shape(const FramedCode& code, uint64_t entry, uint64_t pc) {
  if (pc <= entry) return {};  // the unverified entry checks the receiver's class before there is a frame
  const Built built = built_until(entry, pc);
  // A large frame is made last by a register: sub sp, sp, x8.
  const bool whole = built.lost || built.bytes >= static_cast<int64_t>(code.frame_words) * 8;
  return whole && built.link_at != Built::kNowhere ? complete_shape(code.frame_words) : shape_of(built);
}

bool is_adr(uint32_t word) { return (word & 0x9f000000) == 0x10000000; }
bool stores_to_thread(uint32_t word) { return (word & 0xffc003e0) == 0xf9000380; }  // str x, [x28, #n]

// The slow path of the poll at a return: adr x8, poll; str x8, [x28, #n]; and away. The frame is gone.
bool in_poll_stub(uint64_t pc) {
  const uint32_t here = u32_at(pc), next = u32_at(pc + kStep), before = u32_at(pc - kStep);
  if (is_adr(here)) return stores_to_thread(next);
  if (stores_to_thread(here)) return is_adr(before);
  return stores_to_thread(before) && is_adr(u32_at(pc - 2 * kStep));
}

// ldr x8, the word behind; br x8: to where a bl does not reach (MacroAssembler::emit_trampoline_stub).
bool in_trampoline(uint64_t pc) {
  constexpr uint32_t kLoad = 0x58000048, kJump = 0xd61f0100;
  const uint32_t here = u32_at(pc);
  return (here == kLoad && u32_at(pc + kStep) == kJump) || (here == kJump && u32_at(pc - kStep) == kLoad);
}

// ldp x29, x30, ...; add sp, sp, #n; b: compiled code that leaves for an exception handler.
bool behind_final_pop(uint64_t pc) {
  const Instruction last = instruction_at(pc - kStep), one_before = instruction_at(pc - 2 * kStep);
  return last.loads(Instruction::kLink) || (last.sp_up > 0 && one_before.loads(Instruction::kLink));
}

// By what is still done until a return, if nothing is called before it.
bool epilogue_shape(uint64_t pc, FrameShape& shape) {
  CodePath path(pc, pc, pc + kMaxPrologue);
  const CodePath::Event event = path.follow();
  if (event != CodePath::kReturn) return false;
  shape = shape_before(path);
  return true;
}

}  // namespace

FrameShape complete_shape(uint32_t frame_words) {
  if (frame_words < 2) return {};
  const uint64_t bytes = static_cast<uint64_t>(frame_words) * 8;
  return {bytes, bytes - 8, bytes - 16};
}

FrameShape shape_before(const CodePath& path) {
  FrameShape shape;
  shape.caller_offset = static_cast<uint64_t>(path.sp_up());
  if (path.fp_at() != CodePath::kInRegister) shape.saved_fp_offset = static_cast<uint64_t>(path.fp_at());
  if (path.return_at() != CodePath::kInRegister) shape.return_offset = static_cast<uint64_t>(path.return_at());
  return shape;
}

FrameShape shape_at(const FramedCode& code, uint64_t entry, uint64_t pc) {
  const bool in_prologue = code.frame_complete >= 0 && pc < code.begin + static_cast<uint64_t>(code.frame_complete);
  if (in_prologue) return prologue_shape(code, entry, pc);
  FrameShape shape;
  if (epilogue_shape(pc, shape)) return shape;
  if (in_poll_stub(pc) || behind_final_pop(pc)) return {};
  return complete_shape(code.frame_words);
}

StubShape stub_shape_at(uint64_t begin, uint64_t end, uint64_t pc) {
  CodePath path(pc, begin, end);
  const CodePath::Event event = path.follow_past(CodePath::kCall, CodePath::kJumpBack);
  const bool loads = path.return_at() != CodePath::kInRegister;
  const bool leaves = event == CodePath::kReturn || (event == CodePath::kThrough && loads);
  if (event == CodePath::kByRegister && path.base() == Instruction::kFp && loads) return {8, {}, 0};
  if (leaves && path.has_return()) return {0, shape_before(path), 0};
  const Built built = built_until(begin, pc);
  if (built.by_fp && built.link_at != Built::kNowhere) return {8, {}, 0};
  return {0, built.lost ? FrameShape{} : shape_of(built), 0};
}

// add x0, sp, #n; ...; blr: the argument of what enters and leaves Java (UpcallLinker::make_upcall_stub).
uint64_t upcall_data_at(uint64_t begin, uint64_t end) {
  constexpr uint32_t kMask = 0xffc003ff, kAddX0Sp = 0x910003e0;
  for (uint64_t at = begin; at < end && at < begin + kMaxUpcallStub; at += kStep)
    if (const uint32_t word = u32_at(at); (word & kMask) == kAddX0Sp && (word >> 10 & 0xfff) != 0)
      return word >> 10 & 0xfff;
  return 0;
}

// stp x0, x1, [x29, #-64]
uint64_t wrapper_stored(uint64_t begin, uint64_t end) {
  constexpr uint32_t kStore = 0xa93c07a0;
  for (uint64_t at = begin; at < begin + kMaxStubBegin && at < end; at += kStep)
    if (u32_at(at) == kStore) return at + kStep;
  return 0;
}

bool is_return(uint64_t pc) { return instruction_at(pc).kind == Instruction::kReturn; }

uint64_t called_before(uint64_t return_pc) {
  const Instruction call = instruction_at(return_pc - kStep);
  return call.kind == Instruction::kCall ? call.target : 0;
}

bool is_behind_call(uint64_t pc) {
  return (pc & (kStep - 1)) == 0 && instruction_at(pc - kStep).kind == Instruction::kCall;
}

bool marks_entry(uint64_t) { return false; }

bool is_move(uint64_t pc) {
  const Instruction instruction = instruction_at(pc);
  return instruction.copy_of != Instruction::kNothing || instruction.by_sp != Instruction::kNone;
}

bool is_poll(uint64_t pc) { return (u32_at(pc) & 0xfffffc1f) == 0xb940001f; }

bool drops_frame_by_fp(uint64_t) { return false; }

// isb or nop; then movz, movk, movk x12; movz, movk, movk x8; br x8 (CompiledDirectCall::emit_to_interp_stub).
bool in_static_call_stub(uint64_t pc) {
  constexpr int kMostLeft = 9;
  if (in_trampoline(pc)) return true;
  bool method = false;
  for (int i = 0; i < kMostLeft; ++i, pc += kStep) {
    const uint32_t word = u32_at(pc);
    const bool moves = (word & 0x7f800000) == 0x52800000 || (word & 0x7f800000) == 0x72800000;  // movz, movk
    method |= moves && (word & 31) == Registers::kMethod;
    if (word == 0xd61f0100 && method) return true;                                                     // br x8
    const bool waits = word == 0xd5033fdf || word == 0xd503201f || (word & 0x9f000000) == 0x90000000;  // isb, nop, adrp
    if (!moves && !waits) return false;
  }
  return false;
}

// ldp x29, x3, [sp], #16
bool exception_pc_in_register(uint64_t begin, uint64_t pc) {
  constexpr uint32_t kPop = 0xa8c10ffd;
  if (pc == begin) return true;
  for (uint64_t at = begin; at < pc && at < begin + kMaxExceptionBlob; at += kStep)
    if (u32_at(at) == kPop) return true;
  return false;
}

bool exception_shape(uint64_t, uint64_t, uint64_t, uint32_t, FrameShape&) { return false; }

bool takes_fault(uint64_t begin, uint64_t end, uint32_t saved_pc_in_thread) {
  const uint32_t load = 0xf9400380u | (saved_pc_in_thread / 8) << 10;  // ldr x, [x28, #n]
  for (uint64_t at = begin; at < end && at < begin + kMaxFaultBegin; at += kStep)
    if ((u32_at(at) & ~31u) == load) return true;
  return false;
}

// stp x29, x30, [sp, #-16]!; mov x29, sp
FaultFrame fault_frame(uint64_t done) {
  if (done == 0) return {};
  if (done <= kStep) return {false, 16, true};
  return {true, 0, false};
}

}  // namespace rec::agent::aarch64
