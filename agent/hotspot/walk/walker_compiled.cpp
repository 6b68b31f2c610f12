// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/processor/code_path.h"
#include "agent/hotspot/processor/frame_shape.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/scopes.h"
#include "agent/hotspot/walk/deopt_handler.h"
#include "agent/hotspot/walk/walker.h"

namespace rec::agent {
namespace {

constexpr uint64_t kMaxWrapperFrame = 8 << 10;  // bytes: 255 arguments, and all registers twice

}  // namespace

uint64_t Walker::verified_entry(const CodeBlob& blob) const {
  return layout_.nmethod.verified_entry != kAbsent
             ? u64_at(blob.address + layout_.nmethod.verified_entry)
             : blob.code_begin + u16_at(blob.address + layout_.nmethod.verified_entry_offset);
}

bool Walker::compiled(const CodeBlob& blob) {
  if (!top_) return calling(blob);
  if (const Place known = known_place(blob)) return add_place(blob, known);
  if (in_handlers(blob) && in_static_call_stub(pc_)) return pop_return();
  if (before_frame(blob, pc_)) return add_method(blob) && leave_shape(shape_here(blob, verified_entry(blob)));
  const FrameShape shape = shape_here(blob, verified_entry(blob));
  const bool stands = !shape.return_in_link() && shape.size() == complete_shape(blob.frame_words).size();
  return add_place(blob, stands ? place_of(blob) : Place{shape});
}

// A frame whose callee has been left. Calls that may stop for the VM are described, and leave the frame as it is.
bool Walker::calling(const CodeBlob& blob) {
  const FrameShape shape = complete_shape(blob.frame_words);
  if (is_deopt_handler(layout_, blob, pc_))
    return add_scopes(blob, original_pc(layout_, blob, pc_, sp_)) && leave_shape(shape);
  Scopes scopes(layout_, blob, pc_, vm_.scopes);
  if (scopes.exact()) {
    const uint64_t noted = count_ == first_ ? believed(blob, pc_) : pc_;  // it may have called a stub
    if (noted == pc_ ? !add_all(blob, scopes) : !add_scopes(blob, noted)) return false;
    proof_ = {blob.address, u32_at(blob.address + layout_.nmethod.compile_id), FrameProof::By::kCompilation};
    return leave_shape(shape);
  }
  return add_place(blob, place_of(blob));
}

bool Walker::leave_if_proved(const FrameShape& shape) {
  return is_return_address(return_of(shape)) ? leave_shape(shape) : stop(WalkEnd::kBadFrame);
}

// Where exceptions and deoptimisation are handled nothing is described.
bool Walker::in_handlers(const CodeBlob& blob) const {
  return layout_.nmethod.stubs == kAbsent || pc_ >= blob.address + u32_at(blob.address + layout_.nmethod.stubs);
}

bool Walker::before_frame(const CodeBlob& blob, uint64_t pc) {
  return blob.frame_complete >= 0 && pc < blob.code_begin + static_cast<uint64_t>(blob.frame_complete);
}

bool Walker::add_method(const CodeBlob& blob) {
  return add_compiled(u64_at(blob.address + layout_.nmethod.method), 0, FrameType::kJit, level_of(blob));
}

bool Walker::add_compiled(uint64_t method, int32_t bci, FrameType type, uint8_t level) {
  if (!add(method, bci, type)) return false;
  frames_[count_ - 1].level = level;
  return true;
}

uint8_t Walker::level_of(const CodeBlob& blob) const {
  return layout_.nmethod.level == kAbsent ? 0 : u8_at(blob.address + layout_.nmethod.level);
}

// Exactly: a call of compiled code ends here (each has its PcDesc), or a deoptimised one, or the interpreter or the
// call stub, or another stub that enters Java, goes on here.
bool Walker::is_return_address(uint64_t pc) const {
  if (vm_.code_cache.in_interpreter(pc) || pc == layout_.entry.call_stub_return || moves_frames(pc)) return true;
  const CodeBlob blob = vm_.code_cache.find(pc);
  // Continuation.enterSpecial calls what thaws, and Continuation.enter, from one or two places.
  if (blob.kind == BlobKind::kNativeWrapper) return holds(blob, entered_.return_pc) && called_before(pc) != 0;
  if (blob.kind == BlobKind::kUpcall) return true;
  return blob.kind == BlobKind::kCompiled &&
         (Scopes(layout_, blob, pc, vm_.scopes).exact() || is_deopt_handler(layout_, blob, pc));
}

bool Walker::add_scopes(const CodeBlob& blob, uint64_t pc) {
  Scopes scopes(layout_, blob, pc, vm_.scopes);
  return add_all(blob, scopes);
}

// The outermost scope is the compiled method itself: else these are no scopes of this code.
bool Walker::add_all(const CodeBlob& blob, Scopes& scopes) {
  const uint32_t count_before = count_;
  const uint8_t level = level_of(blob);
  uint64_t method = 0;
  int32_t bci = 0;
  while (scopes.next(method, bci)) {
    const FrameType type = scopes.has_more() ? FrameType::kInlined : FrameType::kJit;
    if (!add_compiled(method, bci < 0 ? 0 : bci, type, level)) return false;
  }
  // No scope at this pc (a method's last instructions, say): the method itself is still sure.
  if (count_ == count_before) return add_method(blob);
  if (method == u64_at(blob.address + layout_.nmethod.method)) return true;
  count_ = count_before;
  return stop(WalkEnd::kBadFrame);
}

bool Walker::native_wrapper(const CodeBlob& blob) {
  if (!add(u64_at(blob.address + layout_.nmethod.method), -1, FrameType::kNative)) return false;
  if (ends_at_entry(blob)) return stop(WalkEnd::kRoot);
  if (blob.frame_words < 2) return linker(blob);
  const bool yields = count_ == first_ + 1 && frames_[first_].method == layout_.continuation.yield;
  if (!leave_wrapper(blob)) return false;
  if (!yields) return true;
  if (frozen_at(pc_)) return continuation_entry();
  if (left_continuation()) count_ = first_;
  return true;
}

// The wrapper takes its frame down by "leave", so that code which returns without one has none any more.
bool Walker::leave_wrapper(const CodeBlob& blob) {
  const FrameShape whole = complete_shape(blob.frame_words);
  if (!registers_known_) return leave_shape(whole);
  if (before_frame(blob, pc_)) return leave_shape(shape_here(blob, verified_entry(blob)));
  CodePath path(pc_, blob.code_begin, blob.code_end);
  const CodePath::Event event = path.follow_past(CodePath::kCall, CodePath::kJumpBack);
  if (event == CodePath::kReturn || event == CodePath::kAway) return leave_if_proved(shape_before(path));
  if (is_return_address(return_of(whole))) return leave_shape(whole);
  // It may have saved registers to resolve a handle; its frame pointer is set.
  const uint64_t above = fp_ - sp_;
  return above < kMaxWrapperFrame ? leave_if_proved(shape_by_fp(above)) : stop(WalkEnd::kBadFrame);
}

// What links method handles (invokeBasic, linkToStatic, ...) has no frame, and jumps on to the method that it finds.
bool Walker::linker(const CodeBlob& blob) {
  CodePath path(pc_, blob.code_begin, blob.code_end);
  const CodePath::Event event = path.follow_past(CodePath::kCall);
  const bool found = event == CodePath::kAway || event == CodePath::kThrough;
  const uint64_t up = found ? static_cast<uint64_t>(path.sp_up()) : 0;
  return leave_shape(frameless_shape(up));
}

FrameShape Walker::shape_here(const CodeBlob& blob, uint64_t entry) const {
  return shape_at({blob.code_begin, blob.frame_words, blob.frame_complete}, entry, pc_);
}

// 0: it is in the link register, which is not known here.
uint64_t Walker::return_of(const FrameShape& shape) const {
  if (!shape.return_in_link()) return return_at(sp_ + shape.return_offset);
  return registers_known_ ? without_signature(regs_[Registers::kReturnPc]) : 0;
}

uint64_t Walker::fp_of(const FrameShape& shape) const {
  return shape.saved_fp_offset == FrameShape::kInRegister ? fp_ : u64_at(sp_ + shape.saved_fp_offset);
}

bool Walker::leave_shape(const FrameShape& shape) {
  return move_to(return_of(shape), sp_ + shape.size(), fp_of(shape));
}

}  // namespace rec::agent
