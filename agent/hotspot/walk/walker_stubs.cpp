// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/walker.h"
#include "agent/hotspot/x86_64/adapter_shape.h"
#include "agent/hotspot/x86_64/code_path.h"
#include "agent/hotspot/x86_64/frame_shape.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint32_t kMaxFrameWords = 1 << 17;  // a stub's frame; more stands for "not known"

}  // namespace

bool Walker::pop_return() { return leave_stub(u64_at(sp_), sp_ + 8, fp_); }

bool Walker::stub() {
  const StubTable::Range range = vm_.stubs.find(pc_);
  if (range.begin == 0) return pop_return();
  return in_call_stub(range.begin, range.end) ? call_stub() : leave_stub_at(range.begin, range.end);
}

bool Walker::leave_stub_at(uint64_t begin, uint64_t end) {
  const StubShape shape = stub_shape_at(begin, end, pc_);
  if (shape.above_fp == 0) {
    const uint64_t fp =
        shape.frame.saved_fp_offset == FrameShape::kInRegister ? fp_ : u64_at(sp_ + shape.frame.saved_fp_offset);
    return leave_stub(u64_at(sp_ + shape.frame.return_offset), sp_ + shape.frame.return_offset + 8, fp);
  }
  const bool works_with_fp = shape.kept_fp != 0 && (fp_ < sp_ || fp_ >= stack_base_);
  const uint64_t fp = works_with_fp ? u64_at(sp_ + shape.kept_fp) : fp_;
  if (fp < sp_ || fp >= stack_base_) return stop(WalkEnd::kBadStack);
  return leave_stub(u64_at(fp + shape.above_fp), fp + shape.above_fp + 8, u64_at(fp));
}

// Between compiled and interpreted code.
bool Walker::adapter(const CodeBlob& blob) {
  if (!registers_known_) return stop(WalkEnd::kBadFrame);
  const AdapterReturn found = return_in_adapter(blob.code_begin, blob.code_end, pc_);
  const uint64_t sender = regs_[Registers::kSenderSp];
  const uint64_t caller_sp = found.caller_above == AdapterReturn::kInSender ? sender : sp_ + found.caller_above;
  switch (found.place) {
    case AdapterReturn::kOnStack: return leave_adapter(u64_at(sp_ + found.above), caller_sp);
    case AdapterReturn::kAtSender: return leave_adapter(u64_at(sender), sender + 8);
    case AdapterReturn::kInRax: return leave_adapter(regs_[Registers::kReturnPc], caller_sp);
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

bool Walker::runtime_stub(const CodeBlob& blob) {
  if (u64_at(thread_ + layout_.thread.vframe_array) != 0) return deoptimizing(blob);
  if (top_ && is_exception_blob(blob)) return exception_blob(blob);
  if (!registers_known_ && is_upcall_stub(blob)) return upcall_stub(blob);
  return top_ && entered_by_fault(blob) ? leave_poll_stub(blob) : leave_runtime_stub(blob);
}

// A poll inside a method faults, and the VM's handler goes on here without a call: push rbx makes room for the return
// address, push rbp; mov rbp, rsp follow. The address waits in the thread and is put there when all registers are saved
// (SharedRuntime::generate_handler_blob). A signal that came while the fault was handled stands at the first instruction.
bool Walker::entered_by_fault(const CodeBlob& blob) const {
  return layout_.thread.saved_exception_pc != kAbsent && u8_at(blob.code_begin) == 0x53 &&
         u8_at(blob.code_begin + 1) == 0x55 && named(blob, "SafepointBlob");
}

bool Walker::leave_poll_stub(const CodeBlob& blob) {
  const uint64_t done = pc_ - blob.code_begin, poll = u64_at(thread_ + layout_.thread.saved_exception_pc);
  if (done == 0) return move_to(poll, sp_, fp_);
  if (done == 1) return move_to(poll, sp_ + 8, fp_);
  if (done < 5) return move_to(poll, sp_ + 16, u64_at(sp_));
  if (fp_ < sp_ || fp_ >= stack_base_ || is_return_address(u64_at(fp_ + 8))) return leave_runtime_stub(blob);
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
  const uint64_t caller = u64_at(sp_ + shape.return_offset);
  if (vm_.code_cache.find(caller).kind != BlobKind::kCompiled || !is_return_address(caller))
    return stop(WalkEnd::kDeoptimizing);
  return leave_shape(shape);
}

// Jumped to, not called: the address that threw is in a register, is the first thing it pushes and the last that it
// takes off the stack again, for the handler. After that it still lies below sp.
bool Walker::exception_blob(const CodeBlob& blob) {
  if (pc_ == blob.code_begin) return move_to(regs_[Registers::kExceptionPc], sp_, fp_);
  if (pc_ == blob.code_begin + 1) return pop_return();
  CodePath path(pc_, blob.code_begin, blob.code_end);
  if (path.follow_past(CodePath::kCall) != CodePath::kThrough) return leave_runtime_stub(blob);
  const uint64_t sp = sp_ + static_cast<uint64_t>(path.sp_up());
  const bool fp_saved = path.sp_up() == 8ll * blob.frame_words;
  return move_to(u64_at(sp - 8), sp, fp_saved ? u64_at(sp_) : fp_);
}

bool Walker::is_exception_blob(const CodeBlob& blob) const { return named(blob, "ExceptionBlob"); }

// Does the blob's name begin so?
bool Walker::named(const CodeBlob& blob, const char* begin) const {
  const uint64_t name = u64_at(blob.address + layout_.blob.name);
  for (uint64_t i = 0; begin[i] != 0; ++i)
    if (u8_at(name + i) != static_cast<uint8_t>(begin[i])) return false;
  return true;
}

// A stub with a frame that keeps it by the frame pointer, is still building it, or already taking it down. Below a frame
// that stands, something may have been pushed (push [rsp + x]; pop [rsp] in C2's stubs): then the return address proves it.
bool Walker::tells_its_shape(const CodeBlob& blob) const {
  const StubShape shape = stub_shape_at(blob.code_begin, blob.code_end, pc_);
  const uint64_t whole = complete_shape(blob.frame_words).return_offset, told = shape.frame.return_offset;
  if (shape.above_fp != 0 || told < whole) return true;
  return told > whole && is_return_address(u64_at(sp_ + told)) && !is_return_address(u64_at(sp_ + whole));
}

}  // namespace rec::agent
