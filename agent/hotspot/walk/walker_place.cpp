// SPDX-License-Identifier: Apache-2.0
// Where compiled code stands between its described calls.
#include "agent/hotspot/processor/code_path.h"
#include "agent/hotspot/processor/frame_shape.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/code_loop.h"
#include "agent/hotspot/vm/compiler_notes.h"
#include "agent/hotspot/vm/scopes.h"
#include "agent/hotspot/walk/walker.h"

namespace rec::agent {
namespace {

constexpr uint64_t kMaxLowered = 256;          // bytes that an intrinsic takes of the stack below the frame
constexpr uint8_t kNoLevel = 0, kC2Level = 4;  // CompLevel; the first where none is known

bool goes_on(CodePath::Event event) {
  return event == CodePath::kCall || event == CodePath::kJumpBack || event == CodePath::kReturn ||
         event == CodePath::kPopSp;
}

// A place as the memo keeps it: return_offset in words, 13 bits | the caller's rbp is in its register, 1 bit (else it lies
// below the return address) | distance of the pc of the scopes, 17 bits.
constexpr unsigned kDistanceBits = 17, kRegisterBit = kDistanceBits, kOffsetShift = kRegisterBit + 1;
constexpr uint32_t kDistanceMask = (1u << kDistanceBits) - 1;
constexpr int64_t kMiddle = 1 << (kDistanceBits - 1);
constexpr uint32_t kNotPacked = ~0u;  // more than the memo takes

uint32_t packed(const FrameShape& shape, int64_t distance) {
  const bool in_register = shape.saved_fp_offset == FrameShape::kInRegister;
  const bool usual =
      (in_register || shape.saved_fp_offset + 8 == shape.return_offset) && shape.return_offset + 8 == shape.size();
  const uint64_t words = shape.return_offset / 8;
  const auto biased = static_cast<uint64_t>(distance + kMiddle);
  if (!usual || words > CodeMemo::kMaxValue >> kOffsetShift || biased > kDistanceMask) return kNotPacked;
  return static_cast<uint32_t>(words << kOffsetShift | uint64_t{in_register} << kRegisterBit | biased);
}

FrameShape unpacked_shape(uint32_t value) {
  FrameShape shape = shape_by_fp(uint64_t{value >> kOffsetShift} * 8 - 8);
  if ((value >> kRegisterBit & 1) != 0) shape.saved_fp_offset = FrameShape::kInRegister;
  return shape;
}

int64_t unpacked_distance(uint32_t value) { return int64_t{value & kDistanceMask} - kMiddle; }

}  // namespace

// Where a frame stands by what its code has still to undo: until a call that is described, a return, or an older sp that
// it takes back. Jumps back lead from slow paths to the method's code, where sp is the frame's, but also round the loops
// of intrinsics that have pushed something: they count where the path tells nothing better. If it tells nothing, what it
// has popped until then lies below the frame.
Walker::Place Walker::place_of(const CodeBlob& blob) const {
  const FrameShape whole = complete_shape(blob.frame_words);
  CodePath path(pc_, blob.code_begin, blob.code_end);
  Place jumped;
  for (CodePath::Event event = path.follow(); goes_on(event); event = path.follow()) {
    if (event == CodePath::kCall && !is_return_address(path.pc())) continue;
    if (event == CodePath::kJumpBack && jumped) continue;
    const FrameShape shape = shape_on(path, event, whole);
    const bool known = is_return_address(return_of(shape));
    if (event != CodePath::kJumpBack) {
      if (!known || shape.return_offset == jumped.shape.return_offset) break;
      return event == CodePath::kPopSp ? Place{shape, pc_} : remembered(blob, {shape, pc_});
    }
    if (!known) continue;
    jumped = {shape, is_beside(blob, path.jump_end()) ? path.pc() : pc_};
  }
  return jumped ? remembered(blob, jumped) : Place{lowered(whole, static_cast<uint64_t>(path.most_popped()))};
}

// A slow path, which has no note of its own up to its jump back: it is of the code that it comes back to. In a loop the jump
// leads round the next one.
bool Walker::is_beside(const CodeBlob& blob, uint64_t jump_end) const {
  if (Scopes::described_until(layout_, blob, pc_) <= jump_end) return false;
  const CodeLoop loop = loop_around(pc_, blob.code_begin, blob.code_end);
  return !loop || loop.end > jump_end;
}

// The shape that a path's event tells.
FrameShape Walker::shape_on(const CodePath& path, CodePath::Event event, const FrameShape& whole) const {
  if (event == CodePath::kReturn) return shape_before(path);
  // Slow paths and some intrinsics save registers below the frame.
  return lowered(whole, static_cast<uint64_t>(event == CodePath::kPopSp ? up_to_old_sp(path) : path.sp_up()));
}

// How far above sp the one is that the path pops: it lies on the stack, or is still in the register that will be pushed.
int64_t Walker::up_to_old_sp(const CodePath& path) const {
  const uint8_t pushed = path.pushed();
  if (pushed != Instruction::kNothing && !registers_known_) return 0;
  const uint64_t old = pushed == Instruction::kNothing ? u64_at(sp_ + static_cast<uint64_t>(path.sp_up()))
                                                       : regs_[Registers::by_number(pushed)];
  return old - sp_ <= kMaxLowered && (old & 7) == 0 ? static_cast<int64_t>(old - sp_) : 0;
}

bool Walker::add_place(const CodeBlob& blob, const Place& place) {
  if (!place) {
    if (!top_ && in_handlers(blob) ? !add_method(blob) : !add_scopes(blob, believed(blob, pc_))) return false;
    return leave_if_proved(place.shape);
  }
  if (before_frame(blob, place.pc - 1) ? !add_method(blob) : !add_scopes(blob, believed(blob, place.pc))) return false;
  return leave_shape(place.shape);
}

// The pc whose scopes are those of the code at this one, where a thread stands or has called a stub.
uint64_t Walker::believed(const CodeBlob& blob, uint64_t pc) const {
  const uint8_t level = level_of(blob);
  if (level != kNoLevel && level != kC2Level) return pc;
  const uint32_t compile_id = u32_at(blob.address + layout_.nmethod.compile_id);
  if (const CodeMemo::Answer known = vm_.notes.find(pc, compile_id); known.hit)
    return pc + static_cast<uint64_t>(CodeMemo::distance_of(known.value));
  const uint64_t believed = believed_pc(layout_, vm_.code_cache, blob, pc);
  vm_.notes.remember(pc, compile_id, CodeMemo::of_distance(static_cast<int64_t>(believed - pc)), false);
  return believed;
}

// What was found at this pc before; the return address is looked at anew.
Walker::Place Walker::known_place(const CodeBlob& blob) const {
  const CodeMemo::Answer known = vm_.places.find(pc_, u32_at(blob.address + layout_.nmethod.compile_id));
  if (!known.hit) return {};
  const FrameShape shape = unpacked_shape(known.value);
  if (!is_return_address(return_of(shape))) return {};
  return {shape, pc_ + static_cast<uint64_t>(unpacked_distance(known.value))};
}

Walker::Place Walker::remembered(const CodeBlob& blob, const Place& place) const {
  const uint32_t value = packed(place.shape, static_cast<int64_t>(place.pc - pc_));
  if (top_ && value != kNotPacked)
    vm_.places.remember(pc_, u32_at(blob.address + layout_.nmethod.compile_id), value, false);
  return place;
}

}  // namespace rec::agent
