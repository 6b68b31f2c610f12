// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/x86_64/frame_shape.h"

#include <cstring>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/x86_64/code_path.h"
#include "agent/hotspot/x86_64/instruction.h"

namespace rec::agent::x86_64 {
namespace {

constexpr uint64_t kMaxPrologue = 512, kMaxStubBegin = 64;  // bytes
constexpr uint64_t kLongestCall = 8;
constexpr uint64_t kFarCall = 13;     // mov r10, constant; call r10
constexpr uint64_t kLongestEnd = 64;  // of what is behind it: pops

// The bytes at an address, copied once; what cannot be read is zero.
struct Code {
  explicit Code(uint64_t at) {
    if (!safe_copy(bytes, reinterpret_cast<const void*>(at), sizeof bytes)) std::memset(bytes, 0, sizeof bytes);
  }
  uint8_t operator[](int i) const { return bytes[i]; }
  template <typename... Bytes>
  bool is(int from, Bytes... expected) const {
    const uint8_t pattern[] = {static_cast<uint8_t>(expected)...};
    return std::memcmp(bytes + from, pattern, sizeof pattern) == 0;
  }
  uint32_t u32(int from) const {
    uint32_t value;
    std::memcpy(&value, bytes + from, sizeof value);
    return value;
  }
  uint8_t bytes[24] = {};
};

int nop_length(const Code& c) {
  if (c[0] == 0x90) return 1;
  if (c.is(0, 0x0f, 0x1f, 0x00)) return 3;
  if (c.is(0, 0x0f, 0x1f, 0x40)) return 4;
  if (c.is(0, 0x0f, 0x1f, 0x44, 0x00)) return 5;
  if (c.is(0, 0x66, 0x0f, 0x1f, 0x44, 0x00)) return 6;
  if (c.is(0, 0x0f, 0x1f, 0x80)) return 7;
  if (c.is(0, 0x0f, 0x1f, 0x84, 0x00)) return 8;
  if (c[0] == 0x66 && c[1] == 0x90) return 2;
  if (c.is(0, 0x66, 0x66, 0x90)) return 3;
  if (c.is(0, 0x66, 0x66, 0x66, 0x90)) return 4;
  return 0;
}

// What has been done to the stack so far.
struct Built {
  uint64_t bytes = 0;  // sp has moved down by so much
  uint64_t fp_at = 0;  // distance of the saved rbp from the entry's sp, downwards; 0: not saved
};

// One instruction of a prologue; its length, or 0 when it is none that we know.
int step(const Code& c, Built& built) {
  if (const int nop = nop_length(c)) return nop;
  if (c.is(0, 0x89, 0x84, 0x24)) return 7;  // mov [rsp - bang], eax: touches the guard zone
  if (c[0] == 0x55) {
    built.bytes += 8;
    built.fp_at = built.bytes;
    return 1;
  }
  if (c.is(0, 0x48, 0x8b, 0xec) || c.is(0, 0x48, 0x89, 0xe5)) return 3;  // mov rbp, rsp
  if (c.is(0, 0x48, 0x83, 0xec)) {
    built.bytes += c[3];
    return 4;
  }
  if (c.is(0, 0x48, 0x81, 0xec)) {
    built.bytes += c.u32(3);
    return 7;
  }
  if (c.is(0, 0x48, 0x89, 0x6c, 0x24)) {
    built.fp_at = built.bytes - c[4];
    return 5;
  }  // mov [rsp + x], rbp
  if (c.is(0, 0x48, 0x89, 0xac, 0x24)) {
    built.fp_at = built.bytes - c.u32(4);
    return 8;
  }
  return 0;
}

FrameShape shape_of(const Built& built) {
  FrameShape shape;
  shape.return_offset = built.bytes;
  if (built.fp_at != 0) shape.saved_fp_offset = built.bytes - built.fp_at;
  return shape;
}

// Follows a prologue up to pc, or to what is none of its instructions.
uint64_t build_until(uint64_t at, uint64_t pc, Built& built) {
  const uint64_t end = at + kMaxPrologue;
  while (at < pc && at < end) {
    const int length = step(Code(at), built);
    if (length == 0) break;
    at += static_cast<uint64_t>(length);
  }
  return at;
}

// Where a frame's first push stands behind code that is not a prologue's (a class initialisation barrier, an identity
// hash that is found without a frame); 0: nowhere.
uint64_t push_behind(uint64_t at, uint64_t end) {
  for (; at < end; ++at) {
    const Code c(at);
    if (c.is(0, 0x55, 0x48, 0x83, 0xec) || c.is(0, 0x55, 0x48, 0x81, 0xec) || c.is(0, 0x55, 0x48, 0x8b, 0xec))
      return at;
  }
  return 0;
}

FrameShape prologue_shape(const FramedCode& code, uint64_t entry, uint64_t pc) {
  const uint64_t complete = code.begin + static_cast<uint64_t>(code.frame_complete);
  if (pc <= entry) return {};  // the unverified entry checks the receiver's class before there is a frame
  Built built;
  const uint64_t other = build_until(entry, pc, built);
  if (other >= pc) return shape_of(built);
  if (built.bytes + 8 >= static_cast<uint64_t>(code.frame_words) * 8) return complete_shape(code.frame_words);
  const uint64_t push = push_behind(other, complete);
  if (push >= pc) return {};
  built = {};
  return push != 0 && build_until(push, pc, built) >= pc ? shape_of(built) : complete_shape(code.frame_words);
}

constexpr FrameShape kPopped{};
constexpr FrameShape kFpOnTop{8, 0};

bool is_return_poll(const Code& c) {  // cmp rsp, [r15 + poll word]; ja slow path
  return (c.is(0, 0x49, 0x3b, 0x67) && c.is(4, 0x0f, 0x87)) || (c.is(0, 0x49, 0x3b, 0xa7) && c.is(7, 0x0f, 0x87));
}

bool returns(const Code& c, int at) { return c[at] == 0xc3 || c[at] == 0xc2; }

// The slow path of the poll at a return: mov r10, return's pc, or lea r10, [rip + x]; mov [r15 + saved pc], r10; jmp
// handler. The frame is gone.
bool in_poll_stub(const Code& c, const Code& before) {
  if (c.is(0, 0x49, 0xba) && c.is(10, 0x4d, 0x89, 0x97) && c[17] == 0xe9) return true;
  if (c.is(0, 0x4c, 0x8d, 0x15) && c.is(7, 0x4d, 0x89, 0x97)) return true;
  const bool set = before.is(8, 0x4c, 0x8d, 0x15) || before.is(5, 0x49, 0xba);  // 7 and 10 bytes back
  if (c.is(0, 0x4d, 0x89, 0x97) && set && c[7] == 0xe9) return true;
  return c[0] == 0xe9 && before.is(8, 0x4d, 0x89, 0x97);
}

// add rsp, frame; pop rbp; jmp: compiled code that leaves for an exception handler.
bool behind_final_pop(const Code& before) {
  if (before[14] != 0x5d) return false;
  return before.is(10, 0x48, 0x83, 0xc4) || before.is(7, 0x48, 0x81, 0xc4);
}

const FrameShape* epilogue_shape(uint64_t pc) {
  const Code c(pc);
  const Code before(pc - 15);  // before[14] is the byte in front of pc
  if (returns(c, 0)) return &kPopped;
  if (c[0] == 0x5d) return &kFpOnTop;
  if (is_return_poll(c)) return &kPopped;
  if ((c.is(0, 0x0f, 0x87) || c.is(0, 0x0f, 0x85)) && returns(c, 6)) return &kPopped;
  if (in_poll_stub(c, before)) return &kPopped;
  if (c[0] == 0xe9 && behind_final_pop(before)) return &kPopped;
  return nullptr;
}

// push rbp; mov rbp, rsp at a stub's begin, a marker word before it perhaps (method entry barriers), or the copy of an
// argument (fill stubs).
constexpr int kMaxBeforeFp = 4;  // instructions

struct SetsFp {
  uint64_t length = 0;    // bytes until rbp is the frame's; 0: never
  uint64_t above_fp = 8;  // from there to the return address
};

bool leaves_stack_alone(const Instruction& instruction) {
  return instruction.kind == Instruction::kPlain && instruction.sp_up == 0 &&
         instruction.pushed == Instruction::kNothing && instruction.popped == Instruction::kNothing;
}

// 0: it moves the stack, or goes somewhere else.
int length_if_harmless(uint64_t at) {
  const Instruction instruction = instruction_at(at);
  return leaves_stack_alone(instruction) ? instruction.length : 0;
}

SetsFp sets_fp(uint64_t begin) {
  SetsFp sets;
  uint64_t at = begin;
  for (int i = 0; i <= kMaxBeforeFp; ++i) {
    const Code c(at);
    if (c.is(0, 0x55, 0x48, 0x8b, 0xec) || c.is(0, 0x55, 0x48, 0x89, 0xe5)) {
      sets.length = at + 4 - begin;
      break;
    }
    const Instruction before = instruction_at(at);
    if (before.kind != Instruction::kPlain || before.sp_up > 0 || c[0] == 0x55) break;
    sets.above_fp += static_cast<uint64_t>(-before.sp_up);
    at += before.length;
  }
  return sets;
}

// Where a stub that works with rbp has kept the frame's, for mov [rsp + x], rbp among its first instructions: bytes
// above sp; 0: nowhere, or not yet at pc (MacroAssembler::sha512_AVX2).
constexpr int kMaxUntilKept = 12;  // instructions

uint64_t kept_fp_at(uint64_t at, uint64_t pc) {
  uint64_t kept = 0;
  for (int i = 0; i < kMaxUntilKept && at < pc; ++i) {
    const Code c(at);
    const Instruction instruction = instruction_at(at);
    if (instruction.length == 0) break;
    if (instruction.kind != Instruction::kPlain || instruction.sp_up != 0) kept = 0;
    if (c.is(0, 0x48, 0x89, 0x6c, 0x24)) kept = c[4];
    at += instruction.length;
  }
  return kept;
}

// Stubs save more registers than compiled code does, and load arguments from above the saved ones.
int stub_step(const Code& c, Built& built) {
  if (c.is(0, 0xf3, 0x0f, 0x1e, 0xfa)) return 4;
  if (c[0] == 0x6a) {
    built.bytes += 8;
    return 2;
  }
  if (c[0] == 0x68) {
    built.bytes += 8;
    return 5;
  }
  if (c[0] >= 0x50 && c[0] <= 0x57 && c[0] != 0x55) {
    built.bytes += 8;
    return 1;
  }
  if (c[0] == 0x41 && c[1] >= 0x50 && c[1] <= 0x57) {
    built.bytes += 8;
    return 2;
  }
  if (c.is(0, 0x48, 0x8b) && (c[2] & 0xc7) == 0x44 && c[3] == 0x24) return 5;  // mov r, [rsp + x]
  if (c.is(0, 0x48, 0x89, 0x2c, 0x24)) {
    built.fp_at = built.bytes;
    return 4;
  }  // mov [rsp], rbp
  return step(c, built);
}

// push rbp; mov rbp, rsp; ...; pop rbp; jmp rax: it has found whom its caller wants, and goes there with nothing left
// (SharedRuntime::generate_resolve_blob).
bool is_behind_last_pop(const SetsFp& sets, uint64_t pc) {
  const bool pops_fp_last = sets.length != 0 && sets.above_fp == 8;
  return pops_fp_last && u8_at(pc - 1) == 0x5d && instruction_at(pc).kind == Instruction::kJumpAway;
}

// By what the stub has still to undo until it returns. Jumps away count where they show that the frame is gone: some go
// to code that works on in the same frame.
bool shape_by_path(uint64_t begin, uint64_t end, uint64_t pc, bool sets_fp, FrameShape& frame) {
  CodePath path(pc, begin, end);
  const CodePath::Event event = path.follow_past(CodePath::kCall, CodePath::kJumpBack);
  const bool leaves = event == CodePath::kThrough && (!sets_fp || path.return_at() != path.sp_up());
  if (event != CodePath::kReturn && !leaves) return false;
  frame = shape_before(path);
  return true;
}

}  // namespace

FrameShape complete_shape(uint32_t frame_words) {
  if (frame_words < 2) return {};
  const uint64_t bytes = static_cast<uint64_t>(frame_words) * 8;
  return {bytes - 8, bytes - 16};
}

FrameShape shape_before(const CodePath& path) {
  FrameShape shape{static_cast<uint64_t>(path.return_at())};
  if (path.fp_at() != CodePath::kInRegister) shape.saved_fp_offset = static_cast<uint64_t>(path.fp_at());
  return shape;
}

FrameShape shape_at(const FramedCode& code, uint64_t entry, uint64_t pc) {
  const bool in_prologue = code.frame_complete >= 0 && pc < code.begin + static_cast<uint64_t>(code.frame_complete);
  if (in_prologue) return prologue_shape(code, entry, pc);
  if (const FrameShape* shape = epilogue_shape(pc)) return *shape;
  return complete_shape(code.frame_words);
}

StubShape stub_shape_at(uint64_t begin, uint64_t end, uint64_t pc) {
  const SetsFp sets = sets_fp(begin);
  if (is_behind_last_pop(sets, pc)) return {};
  FrameShape frame;
  if (shape_by_path(begin, end, pc, sets.length != 0, frame)) return {0, frame};
  if (sets.length != 0 && pc >= begin + sets.length) return {sets.above_fp, {}, kept_fp_at(begin + sets.length, pc)};
  Built built;
  for (uint64_t at = begin; at < pc && at < begin + kMaxPrologue;) {
    int length = stub_step(Code(at), built);
    if (length == 0) length = length_if_harmless(at);
    if (length == 0) break;
    at += static_cast<uint64_t>(length);
  }
  return {0, shape_of(built)};
}

// lea rdi, [rsp + x]; call: the argument of what enters and leaves Java (UpcallLinker::make_upcall_stub).
uint64_t upcall_data_at(uint64_t begin, uint64_t end) {
  for (uint64_t at = begin; at < end && at < begin + kMaxPrologue; ++at) {
    const Code c(at);
    if (c.is(0, 0x48, 0x8d, 0x7c, 0x24) && c[5] == 0xe8) return c[4];
    if (c.is(0, 0x48, 0x8d, 0xbc, 0x24) && c[8] == 0xe8) return c.u32(4);
  }
  return 0;
}

// call; or mov r10, constant; call r10, for what is too far.
uint64_t called_before(uint64_t return_pc) {
  const Code call(return_pc - 5), far(return_pc - kFarCall);
  if (far.is(0, 0x49, 0xba) && far.is(10, 0x41, 0xff, 0xd2)) return u64_at(return_pc - kFarCall + 2);
  if (call[0] != 0xe8) return 0;
  return return_pc + static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(call.u32(1))));
}

bool is_behind_call(uint64_t pc) {
  for (uint64_t length = 2; length <= kLongestCall; ++length) {
    const Instruction call = instruction_at(pc - length);
    if (call.kind == Instruction::kCall && call.length == length) return true;
  }
  return false;
}

bool marks_entry(uint64_t pc) { return u32_at(pc) == 0xfa1e0ff3; }

// mov, with or without a prefix. The byte behind says that rsp is the base, with no index, unless the prefix makes it r12.
bool is_move(uint64_t pc) {
  constexpr uint8_t kStore = 0x89, kLoad = 0x8b, kBySp = 0x24, kHighBaseOrIndex = 3;
  const uint8_t first = u8_at(pc), prefix = (first & 0xf0) == 0x40 ? first : 0;
  const uint64_t at = prefix != 0 ? pc + 1 : pc;
  if (u8_at(at) != kStore && u8_at(at) != kLoad) return false;
  const uint8_t modes = u8_at(at + 1);
  return modes >> 6 == 3 || ((modes & 7) == 4 && (u8_at(at + 2) & 0x3f) == kBySp && (prefix & kHighBaseOrIndex) == 0);
}

bool is_poll(uint64_t pc) {
  constexpr uint8_t kTest = 0x85, kRexOfBase = 0x41;
  const uint64_t at = u8_at(pc) == kRexOfBase ? pc + 1 : pc;
  const uint8_t modes = u8_at(at + 1), base = modes & 7;
  return u8_at(at) == kTest && modes >> 3 == 0 && base != 4 && base != 5;  // eax, and a base alone
}

// mov [rbp - 48], rdi
uint64_t wrapper_stored(uint64_t begin, uint64_t end) {
  constexpr uint32_t kStore = 0xd07d8948;
  for (uint64_t at = begin; at < begin + kMaxStubBegin && at < end; ++at)
    if (u32_at(at) == kStore) return at + 4;
  return 0;
}

bool is_return(uint64_t pc) { return u8_at(pc) == 0xc3; }

bool drops_frame_by_fp(uint64_t pc) {
  const Code here(pc);
  int64_t above_fp = 0;  // where sp is then
  if (here[0] == 0xc9)
    above_fp = 8;
  else if (here.is(0, 0x48, 0x8d, 0x65))
    above_fp = static_cast<int8_t>(here[3]);
  else if (here.is(0, 0x48, 0x8d, 0xa5))
    above_fp = static_cast<int32_t>(here.u32(3));
  else if (!here.is(0, 0x48, 0x89, 0xec))
    return false;
  const uint64_t next = pc + instruction_at(pc).length;
  CodePath rest(next, next, next + kLongestEnd);
  return rest.follow() == CodePath::kReturn && above_fp + rest.return_at() == 8;
}

bool in_static_call_stub(uint64_t pc) {
  const Code here(pc);
  if (here.is(0, 0x48, 0xbb) && here[10] == 0xe9) return true;
  return here[0] == 0xe9 && Code(pc - 10).is(0, 0x48, 0xbb);
}

bool exception_pc_in_register(uint64_t begin, uint64_t pc) { return pc == begin; }

// The address is the first thing that it pushes and the last that it takes off the stack again, for the handler. After that
// it still lies below sp.
bool exception_shape(uint64_t begin, uint64_t end, uint64_t pc, uint32_t frame_words, FrameShape& shape) {
  shape = {};
  if (pc == begin + 1) return true;
  CodePath path(pc, begin, end);
  if (path.follow_past(CodePath::kCall) != CodePath::kThrough) return false;
  const bool fp_saved = path.sp_up() == 8ll * frame_words;
  shape = {static_cast<uint64_t>(path.sp_up()) - 8, fp_saved ? 0 : FrameShape::kInRegister};
  return true;
}

bool takes_fault(uint64_t begin, uint64_t, uint32_t) { return u8_at(begin) == 0x53 && u8_at(begin + 1) == 0x55; }

FaultFrame fault_frame(uint64_t done) {
  if (done == 0) return {};
  if (done < 5) return {false, done == 1 ? uint64_t{8} : uint64_t{16}, done != 1};
  return {true, 0, false};
}

}  // namespace rec::agent::x86_64
