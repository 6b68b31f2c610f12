// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/native_leave.h"

#include "agent/hotspot/processor/code_path.h"
#include "agent/hotspot/processor/frame_shape.h"
#include "agent/hotspot/processor/frame_slots.h"
#include "agent/hotspot/processor/return_address.h"
#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint64_t kLargestNativeFrame = 1u << 20;  // bytes, as all here
constexpr uint64_t kFollowedCode = 4096;            // before and behind a return address
constexpr uint64_t kMaxBareFunction = 512;
constexpr uint64_t kMaxThunk = 64;
constexpr int64_t kReturnAboveFp = 8;  // push rbp; mov rbp, rsp

bool leave_to(uint64_t return_pc, uint64_t sp, uint64_t fp, Registers& registers) {
  if (!is_behind_call(return_pc)) return false;
  registers[Registers::kPc] = return_pc;
  registers[Registers::kSp] = sp;
  registers[Registers::kFp] = fp;
  return true;
}

// Of a frame that has called: its code is followed, without being run, to its return. That tells where the return address
// is; or that the function takes its frame down by the frame pointer, which it has set by then.
bool leave_by_code(Registers& registers) {
  CodePath path(registers.pc(), registers.pc() - kFollowedCode, registers.pc() + kFollowedCode);
  const CodePath::Event event = path.follow_past(CodePath::kCall, CodePath::kJumpBack);
  const uint64_t sp = registers.sp(), fp = registers.fp();
  if (event == CodePath::kReturn) {
    const FrameShape shape = shape_before(path);
    const bool saved = shape.saved_fp_offset != FrameShape::kInRegister;
    return !shape.return_in_link() && leave_to(return_at(sp + shape.return_offset), sp + shape.size(),
                                               saved ? u64_at(sp + shape.saved_fp_offset) : fp, registers);
  }
  if (event != CodePath::kLost || !drops_frame_by_fp(path.pc()) || fp < sp || (fp & 7) != 0) return false;
  return leave_to(return_at(slot(fp, kReturnSlot)), fp + 16, u64_at(fp), registers);
}

// With a frame pointer that was found by the code, the table has to lead to a caller, too.
bool leave_by_fp(const ModuleCursor& modules, uint64_t fp, bool exact, Registers& registers) {
  Registers caller = registers;
  caller[Registers::kFp] = fp;
  NativePlace place;
  if (unwind_native(modules, caller, exact, place) != Unwound::kCaller || !is_behind_call(caller.pc())) return false;
  registers = caller;
  return true;
}

// The table finds the frame by a frame pointer that is not known, as of a thread that is looked at from outside. The code
// tells where it stands by its end, where that pops all that the frame is made of. An end by the frame pointer itself
// tells nothing, nor does the function's begin: whoever keeps one may have made room of any size since (alloca).
bool leave_by_unknown_fp(const ModuleCursor& modules, bool exact, Registers& registers) {
  CodePath path(registers.pc(), registers.pc() - kFollowedCode, registers.pc() + kFollowedCode);
  const CodePath::Event event = path.follow_past(CodePath::kCall, CodePath::kJumpBack);
  const uint64_t sp = registers.sp();
  return event == CodePath::kReturn && path.fp_at() != CodePath::kInRegister &&
         path.fp_at() + kReturnAboveFp == path.return_at() &&
         leave_by_fp(modules, sp + static_cast<uint64_t>(path.fp_at()), exact, registers);
}

// A function has done nothing yet. Tables of hand-written ones begin behind the mark of their entry, as libjsvml's do.
bool leave_at_entry(Registers& registers) {
  const uint64_t sp = registers.sp();
  return marks_entry(registers.pc()) && leave_to(u64_at(sp), sp + 8, registers.fp(), registers);
}

// Where the table is silent, or has failed.
bool leave_by_other_ways(const ModuleCursor& modules, Registers& registers, bool exact, bool has_table) {
  if (leave_at_entry(registers)) return true;
  if (has_table && registers.fp() == Registers::kUnknown && leave_by_unknown_fp(modules, exact, registers)) return true;
  return exact ? leave_bare_function(registers) : leave_by_code(registers);
}

// Is pc in the function that begins at the address, or in the one that this jumps to with nothing on the stack?
bool leads_to(uint64_t function, uint64_t pc) {
  if (pc - function < kMaxBareFunction) return true;
  CodePath thunk(function, function, function + kMaxThunk);
  return thunk.follow() == CodePath::kAway && thunk.sp_up() == 0 && pc - thunk.pc() < kMaxBareFunction;
}

}  // namespace

// Whoever called it did so directly, or called what only jumps there.
bool leave_bare_function(Registers& registers) {
  CodePath path(registers.pc(), registers.pc() - kMaxBareFunction, registers.pc() + kMaxBareFunction);
  if (path.follow_past(CodePath::kJumpBack) != CodePath::kReturn || path.fp_at() != CodePath::kInRegister) return false;
  const FrameShape shape = shape_before(path);
  const uint64_t return_pc = shape.return_in_link() ? without_signature(registers[Registers::kReturnPc])
                                                    : return_at(registers.sp() + shape.return_offset);
  if (!leads_to(called_before(return_pc), registers.pc())) return false;
  registers[Registers::kPc] = return_pc;
  registers[Registers::kSp] += shape.size();
  return true;
}

bool is_native_code(const ModuleCursor& modules, uint64_t return_pc) {
  return modules.find(return_pc - 1) != nullptr || is_behind_call(return_pc);
}

NativeStep leave_native(const ModuleCursor& modules, Registers& registers, bool exact, NativePlace& place) {
  const Registers here = registers;
  const Unwound how = unwind_native(modules, registers, exact, place);
  if (how == Unwound::kOutermost) return NativeStep::kOutermost;
  if (how == Unwound::kNoTable || how == Unwound::kFailed) {
    registers = here;
    const bool has_table = how == Unwound::kFailed;
    if (!leave_by_other_ways(modules, registers, exact, has_table)) return NativeStep::kLost;
  }
  if (registers.pc() == 0) return NativeStep::kOutermost;
  const bool may_stay = exact && frameless_shape().return_in_link();
  const bool rises = (registers.sp() > here.sp() || (may_stay && registers.sp() == here.sp())) &&
                     registers.sp() - here.sp() <= kLargestNativeFrame;
  if (how == Unwound::kInterrupted) return rises ? NativeStep::kInterrupted : NativeStep::kElsewhere;
  return rises ? NativeStep::kCaller : NativeStep::kLost;
}

}  // namespace rec::agent
