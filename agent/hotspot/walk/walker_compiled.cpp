// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/scopes.h"
#include "agent/hotspot/walk/walker.h"
#include "agent/hotspot/x86_64/frame_shape.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint64_t kMaxPushedWords = 4;  // of an intrinsic inside compiled code

}  // namespace

uint64_t Walker::verified_entry(const CodeBlob& blob) const {
  return layout_.nmethod.verified_entry != kAbsent
             ? u64_at(blob.address + layout_.nmethod.verified_entry)
             : blob.code_begin + u16_at(blob.address + layout_.nmethod.verified_entry_offset);
}

// A deoptimised frame's callee returns to the method's deopt handler; where it would have returned to is kept in the
// frame.
bool Walker::is_deopt_handler(const CodeBlob& blob, uint64_t pc) const {
  if (layout_.nmethod.deopt_handler_begin != kAbsent) {
    const uint32_t mh = layout_.nmethod.deopt_mh_handler_begin;
    return pc == u64_at(blob.address + layout_.nmethod.deopt_handler_begin) ||
           (mh != kAbsent && pc == u64_at(blob.address + mh));
  }
  const uint32_t mh = layout_.nmethod.deopt_mh_handler;
  return pc == blob.address + u32_at(blob.address + layout_.nmethod.deopt_handler) ||
         (mh != kAbsent && pc == blob.address + u32_at(blob.address + mh));
}

uint64_t Walker::original_pc(const CodeBlob& blob) const {
  return is_deopt_handler(blob, pc_) ? u64_at(sp_ + u32_at(blob.address + layout_.nmethod.orig_pc)) : pc_;
}

bool Walker::compiled(const CodeBlob& blob) {
  if (top_ && in_static_call_stub(pc_)) return pop_return();
  const bool before_frame =
      top_ && blob.frame_complete >= 0 && pc_ < blob.code_begin + static_cast<uint64_t>(blob.frame_complete);
  if (before_frame) {
    if (!add(u64_at(blob.address + layout_.nmethod.method), 0, FrameType::kJit)) return false;
  } else if (!add_scopes(blob, top_ ? pc_ : original_pc(blob))) {
    return false;
  }
  if (top_) return leave_shape(with_pushed_words(shape_here(blob, verified_entry(blob))));
  const uint64_t pushed = from_stub_ ? 8 * popped_words(pc_) : 0;
  from_stub_ = false;
  const FrameShape shape = complete_shape(blob.frame_words);
  return leave_shape({shape.return_offset + pushed, shape.saved_fp_offset + pushed});
}

// Some intrinsics (string compression, for one) push a register or two amid a method's code. Then the return address
// is so many words further away: the first place that holds what can only be one.
FrameShape Walker::with_pushed_words(FrameShape shape) const {
  if (shape.saved_fp_offset == FrameShape::kInRegister || is_return_address(u64_at(sp_ + shape.return_offset)))
    return shape;
  for (uint64_t pushed = 1; pushed <= kMaxPushedWords; ++pushed)
    if (is_return_address(u64_at(sp_ + shape.return_offset + 8 * pushed)))
      return {shape.return_offset + 8 * pushed, shape.saved_fp_offset + 8 * pushed};
  return shape;
}

// Exactly: a call of compiled code ends here (each has its PcDesc), or a deoptimised one, or the interpreter or the
// call stub goes on here.
bool Walker::is_return_address(uint64_t pc) const {
  if (vm_.code_cache.in_interpreter(pc) || pc == layout_.entry.call_stub_return) return true;
  const CodeBlob blob = vm_.code_cache.find(pc);
  if (blob.kind == BlobKind::kNativeWrapper) return pc == layout_.entry.continuation_return;
  return blob.kind == BlobKind::kCompiled &&
         (Scopes(layout_, blob, pc, vm_.scopes).exact() || is_deopt_handler(blob, pc));
}

bool Walker::add_scopes(const CodeBlob& blob, uint64_t pc) {
  Scopes scopes(layout_, blob, pc, vm_.scopes);
  uint64_t method = 0;
  int32_t bci = 0;
  bool any = false;
  while (scopes.next(method, bci)) {
    any = true;
    if (!add(method, bci < 0 ? 0 : bci, scopes.has_more() ? FrameType::kInlined : FrameType::kJit)) return false;
  }
  // No scope at this pc (a method's last instructions, say): the method itself is still sure.
  return any || add(u64_at(blob.address + layout_.nmethod.method), 0, FrameType::kJit);
}

bool Walker::native_wrapper(const CodeBlob& blob) {
  if (!add(u64_at(blob.address + layout_.nmethod.method), -1, FrameType::kNative)) return false;
  return leave_shape(top_ ? shape_here(blob, verified_entry(blob)) : complete_shape(blob.frame_words));
}

FrameShape Walker::shape_here(const CodeBlob& blob, uint64_t entry) const {
  const bool native_wrapper = blob.kind == BlobKind::kNativeWrapper;
  return shape_at({blob.code_begin, blob.frame_words, blob.frame_complete, native_wrapper}, entry, pc_);
}

bool Walker::leave_shape(const FrameShape& shape) {
  const uint64_t fp = shape.saved_fp_offset == FrameShape::kInRegister ? fp_ : u64_at(sp_ + shape.saved_fp_offset);
  return move_to(u64_at(sp_ + shape.return_offset), sp_ + shape.return_offset + 8, fp);
}

}  // namespace rec::agent
