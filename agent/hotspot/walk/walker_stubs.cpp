// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/processor/adapter_shape.h"
#include "agent/hotspot/processor/frame_shape.h"
#include "agent/hotspot/processor/frame_slots.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/walk/walker.h"

namespace rec::agent {
namespace {

constexpr uint32_t kMaxFrameWords = 1 << 17;  // a stub's frame; more stands for "not known"

}  // namespace

bool Walker::pop_return() {
  const FrameShape none = frameless_shape();
  return leave_stub(return_of(none), sp_ + none.size(), fp_);
}

bool Walker::stub() {
  const StubTable::Range range = vm_.stubs.find(pc_);
  if (range.begin == 0) return pop_return();
  return in_call_stub(range.begin, range.end) ? call_stub() : leave_stub_at(range.begin, range.end);
}

bool Walker::leave_stub_at(uint64_t begin, uint64_t end) {
  const StubShape shape = stub_shape_at(begin, end, pc_);
  if (shape.above_fp == 0) return leave_stub(return_of(shape.frame), sp_ + shape.frame.size(), fp_of(shape.frame));
  const bool works_with_fp = shape.kept_fp != 0 && (fp_ < sp_ || fp_ >= stack_base_);
  const uint64_t fp = works_with_fp ? u64_at(sp_ + shape.kept_fp) : fp_;
  if (fp < sp_ || fp >= stack_base_) return stop(WalkEnd::kBadStack);
  return leave_stub(return_at(fp + shape.above_fp), fp + shape.above_fp + 8, u64_at(fp));
}

// Between compiled and interpreted code.
bool Walker::adapter(const CodeBlob& blob) {
  if (!registers_known_) return stop(WalkEnd::kBadFrame);
  const AdapterReturn found = return_in_adapter(blob.code_begin, blob.code_end, pc_);
  const uint64_t sender = regs_[Registers::kSenderSp];
  const uint64_t caller_sp = found.caller_above == AdapterReturn::kInSender ? sender : sp_ + found.caller_above;
  switch (found.place) {
    case AdapterReturn::kOnStack: return leave_adapter(return_at(sp_ + found.above), caller_sp);
    case AdapterReturn::kByFp: return leave_adapter_by_fp();
    case AdapterReturn::kAtSender: return leave_adapter(return_at(sender), sender + 8);
    case AdapterReturn::kInRegister: return leave_adapter(without_signature(regs_[Registers::kReturnPc]), caller_sp);
    case AdapterReturn::kUnknown: break;
  }
  return stop(WalkEnd::kBadFrame);
}

// Interpreted callers are known by their frame pointer alone, and arguments may have taken the place of their sp.
bool Walker::leave_adapter(uint64_t pc, uint64_t sp) {
  if (!is_return_address(pc)) return stop(WalkEnd::kBadFrame);
  const bool lost = vm_.code_cache.in_interpreter(pc) && (sp <= sp_ || sp > fp_);
  return move_to(pc, lost ? sp_ + 8 : sp, fp_);
}

// It has a frame of its own for the moment.
bool Walker::leave_adapter_by_fp() {
  if (fp_ < sp_ || fp_ >= stack_base_) return stop(WalkEnd::kBadFrame);
  const uint64_t frame = fp_;
  fp_ = u64_at(frame);
  return leave_adapter(return_at(slot(frame, kReturnSlot)), frame + 16);
}

bool Walker::runtime_stub(const CodeBlob& blob) {
  if (u64_at(thread_ + layout_.thread.vframe_array) != 0) return deoptimizing(blob);
  if (top_ && blob.kind == BlobKind::kException) return exception_blob(blob);
  if (!registers_known_ && blob.kind == BlobKind::kUpcall) return upcall_stub(blob);
  return top_ && entered_by_fault(blob) ? leave_poll_stub(blob) : leave_runtime_stub(blob);
}

// A poll inside a method faults, and the VM's handler goes on here without a call. The address waits in the thread and is put
// into the frame when all registers are saved (SharedRuntime::generate_handler_blob). A signal that came while the fault was
// handled stands at the first instruction.
bool Walker::entered_by_fault(const CodeBlob& blob) const {
  const uint32_t saved_pc = layout_.thread.saved_exception_pc;
  return blob.kind == BlobKind::kSafepoint && saved_pc != kAbsent &&
         takes_fault(blob.code_begin, blob.code_end, saved_pc);
}

bool Walker::leave_poll_stub(const CodeBlob& blob) {
  const uint64_t poll = u64_at(thread_ + layout_.thread.saved_exception_pc);
  const FaultFrame frame = fault_frame(pc_ - blob.code_begin);
  if (!frame.by_fp) return move_to(poll, sp_ + frame.size, frame.fp_on_top ? u64_at(sp_) : fp_);
  if (fp_ < sp_ || fp_ >= stack_base_ || is_return_address(return_at(fp_ + 8))) return leave_runtime_stub(blob);
  return move_to(poll, fp_ + 16, u64_at(fp_));
}

bool Walker::leave_runtime_stub(const CodeBlob& blob) {
  const bool has_frame = blob.frame_words >= 2 && blob.frame_words < kMaxFrameWords;
  if (!registers_known_) return has_frame ? leave_shape(complete_shape(blob.frame_words)) : stop(WalkEnd::kBadFrame);
  if (has_frame && !top_) return leave_shape(complete_shape(blob.frame_words));
  if (!has_frame || tells_its_shape(blob)) return leave_stub_at(blob.code_begin, blob.code_end);
  return leave_shape(shape_here(blob, blob.code_begin));
}

// As long as the VM only looks at the frame that is to be replaced it stands as it stood, called by nobody but compiled
// code. What replaces it returns to the interpreter, and is not filled in at once.
bool Walker::deoptimizing(const CodeBlob& blob) {
  if (top_ || blob.frame_words < 2 || blob.frame_words >= kMaxFrameWords) return stop(WalkEnd::kDeoptimizing);
  const FrameShape shape = complete_shape(blob.frame_words);
  const uint64_t caller = return_of(shape);
  if (vm_.code_cache.find(caller).kind != BlobKind::kCompiled || !is_return_address(caller))
    return stop(WalkEnd::kDeoptimizing);
  return leave_shape(shape);
}

// Jumped to, not called: the address that threw is in a register.
bool Walker::exception_blob(const CodeBlob& blob) {
  if (exception_pc_in_register(blob.code_begin, pc_))
    return move_to(without_signature(regs_[Registers::kExceptionPc]), sp_, fp_);
  FrameShape shape;
  return exception_shape(blob.code_begin, blob.code_end, pc_, blob.frame_words, shape) ? leave_shape(shape)
                                                                                       : leave_runtime_stub(blob);
}

// A stub with a frame that keeps it by the frame pointer, is still building it, or already taking it down. Below a frame
// that stands, something may have been pushed (push [rsp + x]; pop [rsp] in C2's stubs): then the return address proves it.
bool Walker::tells_its_shape(const CodeBlob& blob) const {
  const StubShape shape = stub_shape_at(blob.code_begin, blob.code_end, pc_);
  const FrameShape whole = complete_shape(blob.frame_words);
  if (shape.above_fp != 0 || shape.frame.return_in_link() || shape.frame.size() < whole.size()) return true;
  return shape.frame.size() > whole.size() && is_return_address(return_of(shape.frame)) &&
         !is_return_address(return_of(whole));
}

}  // namespace rec::agent
