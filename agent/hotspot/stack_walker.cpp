// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/stack_walker.h"

#include <cstring>

#include "agent/hotspot/frame_shape.h"
#include "agent/hotspot/native_unwind.h"
#include "agent/hotspot/safe_load.h"
#include "agent/hotspot/scopes.h"

namespace rec::agent {
namespace {

constexpr int kMaxSteps = 1 << 15;       // physical frames; more than any depth we record
constexpr int kMaxNativeSteps = 128;     // from a leaf call back to Java
constexpr int kMethodSlot = -3, kSenderSpSlot = -1, kBcpSlot = -8, kLastFixedSlot = -9;  // of an interpreter frame, from rbp
constexpr int kCallWrapperSlot = -6;     // of the call stub's frame (src/hotspot/cpu/x86/frame_x86.hpp)
constexpr uint64_t kMaxFrameBytes = 1 << 20;
constexpr uint32_t kMaxFrameWords = kMaxFrameBytes / 8;
constexpr uint64_t kMaxPushedWords = 4;  // of an intrinsic inside compiled code

uint64_t slot(uint64_t fp, int index) { return fp + static_cast<uint64_t>(static_cast<int64_t>(index) * 8); }

class Walker {
 public:
  Walker(const VmCode& vm, const Registers& registers, uint64_t java_thread, std::span<RawFrame> frames)
      : vm_(vm), layout_(vm.layout), thread_(java_thread), frames_(frames), regs_(registers) {
    pc_ = registers.pc();
    sp_ = registers.sp();
    fp_ = registers.fp();
    stack_base_ = word_at(thread_ + layout_.thread_stack_base);
    stack_limit_ = stack_base_ - word_at(thread_ + layout_.thread_stack_size);
  }

  Walk run() {
    Walk walk;
    if (sp_ < stack_limit_ || sp_ >= stack_base_) end_ = WalkEnd::kBadStack;
    else for (int i = 0; i < kMaxSteps && step(); ++i) {}
    walk.count = count_;
    walk.end = end_;
    walk.gap = gap_;
    walk.pc = pc_;
    return walk;
  }

 private:
  bool stop(WalkEnd end) {
    end_ = end;
    return false;
  }

  bool add(uint64_t method, int32_t bci, FrameType type) {
    if (count_ == frames_.size()) return stop(WalkEnd::kDepth);
    frames_[count_++] = {method, bci, type};
    return true;
  }

  // Goes on in the caller. Java's callers stand in generated code, always.
  bool move_to(uint64_t pc, uint64_t sp, uint64_t fp) {
    if (sp <= sp_ && !(top_ && sp == sp_)) return stop(WalkEnd::kBadStack);
    if (sp >= stack_base_ || (sp & 7) != 0 || sp - sp_ > kMaxFrameBytes) return stop(WalkEnd::kBadStack);
    pc_ = pc;
    sp_ = sp;
    fp_ = fp;
    top_ = false;
    registers_known_ = false;
    return vm_.code_cache.contains(pc) ? true : stop(WalkEnd::kBadReturn);
  }

  bool step() {
    if (!vm_.code_cache.contains(pc_)) return native();
    if (pc_ == layout_.call_stub_return) return call_stub();
    if (pc_ >= vm_.continuation_stubs_begin && pc_ < vm_.continuation_stubs_end) return continuation_entry();
    const CodeBlob blob = vm_.code_cache.find(pc_);
    switch (blob.kind) {
      case BlobKind::kInterpreter: return interpreted();
      case BlobKind::kCompiled: return compiled(blob);
      case BlobKind::kNativeWrapper: return native_wrapper(blob);
      case BlobKind::kStubRoutines: return stub();
      case BlobKind::kVtable: return pop_return();
      case BlobKind::kAdapter: return adapter();
      case BlobKind::kOther: return runtime_stub(blob);
      case BlobKind::kNone: break;
    }
    return stop(WalkEnd::kBadReturn);
  }

  // --- native code -----------------------------------------------------------------------------------------------------------

  bool native() {
    if (!top_) return stop(WalkEnd::kBadReturn);
    return native_from(true);
  }

  bool native_from(bool top) {
    if (word_at(thread_ + layout_.thread_anchor + layout_.anchor_sp) != 0) return anchor(thread_ + layout_.thread_anchor);
    return leaf_call(top);
  }

  // Leaves a stub. The VM and native code call stubs too, to copy memory for one.
  bool leave_stub(uint64_t pc, uint64_t sp, uint64_t fp) {
    if (!registers_known_ || vm_.code_cache.contains(pc)) {
      from_stub_ = true;
      return move_to(pc, sp, fp);
    }
    regs_[Registers::kRip] = pc;
    regs_[Registers::kRsp] = sp;
    regs_[Registers::kRbp] = fp;
    return native_from(false);
  }

  // Java left for native code or the VM here: HotSpot's own note of its last Java frame.
  bool anchor(uint64_t anchor) {
    const uint64_t sp = word_at(anchor + layout_.anchor_sp);
    if (sp < stack_limit_ || sp >= stack_base_ || (sp & 7) != 0 || sp < sp_) return stop(WalkEnd::kBadStack);
    uint64_t pc = word_at(anchor + layout_.anchor_pc);
    if (pc == 0) pc = word_at(sp - 8);  // the return address of the call that left
    pc_ = pc;
    sp_ = sp;
    fp_ = word_at(anchor + layout_.anchor_fp);
    top_ = false;
    registers_known_ = false;
    return vm_.code_cache.contains(pc) ? true : stop(WalkEnd::kBadReturn);
  }

  // top: the thread stands in the native code itself; else a stub has returned into it.
  bool leaf_call(bool top) {
    for (int i = 0; i < kMaxNativeSteps; ++i) {
      const uint64_t before = regs_.sp();
      if (!unwind_native(vm_.modules, regs_, top)) break;
      top = false;
      if (regs_.sp() <= before || regs_.sp() >= stack_base_) break;
      if (!vm_.code_cache.contains(regs_.pc())) continue;
      pc_ = regs_.pc();
      sp_ = regs_.sp();
      fp_ = regs_.fp();
      top_ = false;
      return true;  // registers_known_ stays: unwinding restored what the leaf had saved
    }
    const bool in_java = half_at(thread_ + layout_.thread_state) == layout_.state_in_java;
    return stop(in_java ? WalkEnd::kNativeUnknown : WalkEnd::kNoJavaFrame);
  }

  // --- interpreter -----------------------------------------------------------------------------------------------------------

  bool interpreted() {
    if (top_) {
      if (const InterpreterExit* exit = vm_.interpreter.exit_at(pc_)) return leaving(*exit);
      if (const InterpreterEntry* entry = vm_.interpreter.entry_at(pc_)) {
        if (entry->push == 0) return frameless_entry();
        if (pc_ < entry->push + 5) return entering(*entry);
        if (sp_ > slot(fp_, kLastFixedSlot)) return half_built(*entry);
      }
    }
    if (fp_ < sp_ || fp_ >= stack_base_ || (fp_ & 7) != 0) return stop(WalkEnd::kBadFrame);
    const uint64_t method = word_at(slot(fp_, kMethodSlot));
    if (!add_interpreted(method)) return false;
    return move_to(word_at(fp_ + 8), word_at(slot(fp_, kSenderSpSlot)), word_at(fp_));
  }

  bool add_interpreted(uint64_t method) {
    const uint64_t const_method = word_at(method + layout_.method_const_method);
    if (method == 0 || const_method == 0) return stop(WalkEnd::kBadFrame);
    const uint64_t code = const_method + layout_.const_method_header;
    const uint32_t size = short_at(const_method + layout_.const_method_code_size);
    const uint64_t in_frame = word_at(slot(fp_, kBcpSlot));
    const uint64_t in_register = registers_known_ ? regs_[Registers::kR13] : 0;
    if (in_register >= code && in_register < code + size) return add(method, static_cast<int32_t>(in_register - code), FrameType::kInterpreted);
    if (in_frame >= code && in_frame < code + size) return add(method, static_cast<int32_t>(in_frame - code), FrameType::kInterpreted);
    constexpr uint32_t kNative = 0x0100;
    const bool native = (half_at(method + layout_.method_access_flags) & kNative) != 0;
    return add(method, native ? -1 : 0, native ? FrameType::kNative : FrameType::kInterpreted);
  }

  // Before "mov rbp, rsp": rbp is still the caller's, r13 its sp, rbx the method.
  bool entering(const InterpreterEntry& entry) {
    if (!add(regs_[Registers::kRbx], 0, FrameType::kInterpreted)) return false;
    uint64_t return_pc, fp = fp_;
    if (pc_ > entry.pop && pc_ <= entry.push) return_pc = regs_[Registers::kRax];
    else if (pc_ == entry.push + 2) return_pc = word_at(sp_ + 8), fp = word_at(sp_);
    else return_pc = word_at(sp_);
    return move_to(return_pc, regs_[Registers::kR13], fp);
  }

  // rbp is ours, but not all nine slots are filled.
  bool half_built(const InterpreterEntry& entry) {
    if (!add(regs_[Registers::kRbx], 0, FrameType::kInterpreted)) return false;
    const uint64_t sender = pc_ >= entry.push + 7 ? word_at(slot(fp_, kSenderSpSlot)) : regs_[Registers::kR13];
    return move_to(word_at(fp_ + 8), sender, word_at(fp_));
  }

  // An entry of an intrinsic method: it computes in registers and returns.
  bool frameless_entry() { return move_to(word_at(sp_), regs_[Registers::kR13], fp_); }

  // Between "leave" and the jump back the method is gone; the thread is as good as in its caller.
  bool leaving(const InterpreterExit& exit) {
    if (pc_ < exit.after_pop) return move_to(word_at(sp_), regs_[exit.sender_register], fp_);
    const uint64_t sp = pc_ < exit.after_move ? regs_[exit.sender_register] : sp_;
    return move_to(regs_[exit.return_register], sp, fp_);
  }

  // --- compiled code ---------------------------------------------------------------------------------------------------------

  uint64_t verified_entry(const CodeBlob& blob) const {
    return layout_.nmethod_verified_entry != kAbsent ? word_at(blob.address + layout_.nmethod_verified_entry)
                                                     : blob.code_begin + short_at(blob.address + layout_.nmethod_verified_entry_offset);
  }

  // A deoptimised frame's callee returns to the method's deopt handler; where it would have returned to is kept in the frame.
  bool is_deopt_handler(const CodeBlob& blob, uint64_t pc) const {
    if (layout_.nmethod_deopt_handler_begin != kAbsent) {
      const uint32_t mh = layout_.nmethod_deopt_mh_handler_begin;
      return pc == word_at(blob.address + layout_.nmethod_deopt_handler_begin) || (mh != kAbsent && pc == word_at(blob.address + mh));
    }
    const uint32_t mh = layout_.nmethod_deopt_mh_handler;
    return pc == blob.address + half_at(blob.address + layout_.nmethod_deopt_handler) ||
           (mh != kAbsent && pc == blob.address + half_at(blob.address + mh));
  }

  uint64_t original_pc(const CodeBlob& blob) const {
    return is_deopt_handler(blob, pc_) ? word_at(sp_ + half_at(blob.address + layout_.nmethod_orig_pc)) : pc_;
  }

  bool compiled(const CodeBlob& blob) {
    if (top_ && in_static_call_stub(pc_)) return pop_return();
    const uint64_t entry = verified_entry(blob);
    const bool before_frame = top_ && blob.frame_complete >= 0 && pc_ < blob.code_begin + static_cast<uint64_t>(blob.frame_complete);
    if (before_frame) {
      if (!add(word_at(blob.address + layout_.nmethod_method), 0, FrameType::kJit)) return false;
    } else if (!add_scopes(blob, top_ ? pc_ : original_pc(blob))) {
      return false;
    }
    if (top_) return leave_shape(with_pushed_words(shape_at(blob, entry, pc_)));
    const uint64_t pushed = from_stub_ ? 8 * popped_words(pc_) : 0;
    from_stub_ = false;
    const FrameShape shape = complete_shape(blob.frame_words);
    return leave_shape({shape.return_offset + pushed, shape.saved_fp_offset + pushed});
  }

  // Some intrinsics (string compression, for one) push a register or two amid a method's code. Then the return address is so many words
  // further away: the first place that holds what can only be one.
  FrameShape with_pushed_words(FrameShape shape) const {
    if (shape.saved_fp_offset == FrameShape::kInRegister || is_return_address(word_at(sp_ + shape.return_offset))) return shape;
    for (uint64_t pushed = 1; pushed <= kMaxPushedWords; ++pushed)
      if (is_return_address(word_at(sp_ + shape.return_offset + 8 * pushed)))
        return {shape.return_offset + 8 * pushed, shape.saved_fp_offset + 8 * pushed};
    return shape;
  }

  // Exactly: a call of compiled code ends here (each has its PcDesc), or a deoptimised one, or the interpreter or the call stub goes on here.
  bool is_return_address(uint64_t pc) const {
    if (vm_.code_cache.in_interpreter(pc) || pc == layout_.call_stub_return) return true;
    const CodeBlob blob = vm_.code_cache.find(pc);
    if (blob.kind == BlobKind::kNativeWrapper) return pc == layout_.continuation_return;
    return blob.kind == BlobKind::kCompiled && (Scopes(layout_, blob, pc).exact() || is_deopt_handler(blob, pc));
  }

  bool add_scopes(const CodeBlob& blob, uint64_t pc) {
    Scopes scopes(layout_, blob, pc);
    uint64_t method = 0;
    int32_t bci = 0;
    bool any = false;
    while (scopes.next(method, bci)) {
      any = true;
      if (!add(method, bci < 0 ? 0 : bci, scopes.has_more() ? FrameType::kInlined : FrameType::kJit)) return false;
    }
    // No scope at this pc (a method's last instructions, say): the method itself is still sure.
    return any || add(word_at(blob.address + layout_.nmethod_method), 0, FrameType::kJit);
  }

  bool native_wrapper(const CodeBlob& blob) {
    if (!add(word_at(blob.address + layout_.nmethod_method), -1, FrameType::kNative)) return false;
    return leave_shape(top_ ? shape_at(blob, verified_entry(blob), pc_) : complete_shape(blob.frame_words));
  }

  bool leave_shape(const FrameShape& shape) {
    const uint64_t fp = shape.saved_fp_offset == FrameShape::kInRegister ? fp_ : word_at(sp_ + shape.saved_fp_offset);
    return move_to(word_at(sp_ + shape.return_offset), sp_ + shape.return_offset + 8, fp);
  }

  // --- stubs -----------------------------------------------------------------------------------------------------------------

  bool pop_return() { return leave_stub(word_at(sp_), sp_ + 8, fp_); }

  bool stub() {
    const StubTable::Range range = vm_.stubs.find(pc_);
    return range.begin == 0 ? pop_return() : leave_stub_at(range.begin, range.end);
  }

  bool leave_stub_at(uint64_t begin, uint64_t end) {
    const StubShape shape = stub_shape_at(begin, end, pc_);
    if (shape.above_fp == 0) {
      const uint64_t fp = shape.frame.saved_fp_offset == FrameShape::kInRegister ? fp_ : word_at(sp_ + shape.frame.saved_fp_offset);
      return leave_stub(word_at(sp_ + shape.frame.return_offset), sp_ + shape.frame.return_offset + 8, fp);
    }
    if (fp_ < sp_ || fp_ >= stack_base_) return stop(WalkEnd::kBadStack);
    return leave_stub(word_at(fp_ + shape.above_fp), fp_ + shape.above_fp + 8, word_at(fp_));
  }

  bool is_java_code(uint64_t pc) const {
    const BlobKind kind = vm_.code_cache.find(pc).kind;
    return kind == BlobKind::kCompiled || kind == BlobKind::kNativeWrapper;
  }

  // Between compiled and interpreted code. Interpreted callers are known by rbp alone; compiled ones pass their sp in r13 once the return
  // address is in rax, and before that it lies on the stack.
  bool adapter() {
    if (!registers_known_) return pop_return();
    const uint64_t rax = regs_[Registers::kRax], on_stack = word_at(sp_), r13 = regs_[Registers::kR13];
    // While it asks the VM to patch the call, r13 keeps sp, which then points to the return address.
    if (r13 >= sp_ && r13 < stack_base_ && is_return_address(word_at(r13))) return move_to(word_at(r13), r13 + 8, fp_);
    if (!top_) return pop_return();
    for (uint64_t candidate : {rax, on_stack}) {
      if (!vm_.code_cache.in_interpreter(candidate) && candidate != layout_.call_stub_return) continue;
      return move_to(candidate, r13 > sp_ ? r13 : sp_ + 8, fp_);
    }
    if (!is_java_code(rax) || (is_java_code(on_stack) && on_stack != rax)) return pop_return();
    return move_to(rax, r13 > sp_ ? r13 : sp_, fp_);
  }

  bool runtime_stub(const CodeBlob& blob) {
    if (word_at(thread_ + layout_.thread_vframe_array) != 0) return stop(WalkEnd::kDeoptimizing);
    if (top_ && pc_ == blob.code_begin && is_exception_blob(blob)) return move_to(regs_[Registers::kRdx], sp_, fp_);
    const bool has_frame = blob.frame_words >= 2 && blob.frame_words < kMaxFrameWords;
    if (!registers_known_) return has_frame ? leave_shape(complete_shape(blob.frame_words)) : stop(WalkEnd::kBadFrame);
    if (has_frame && !top_) return leave_shape(complete_shape(blob.frame_words));
    if (!has_frame || tells_its_shape(blob)) return leave_stub_at(blob.code_begin, blob.code_end);
    return leave_shape(with_pushed_words(shape_at(blob, blob.code_begin, pc_)));
  }

  // Jumped to, not called: the address that threw is in rdx, and is the first thing it pushes.
  bool is_exception_blob(const CodeBlob& blob) const {
    char name[14] = {};
    return safe_copy(name, reinterpret_cast<const void*>(word_at(blob.address + layout_.blob_name)), 13) &&
           std::memcmp(name, "ExceptionBlob", 13) == 0;
  }

  // A stub with a frame that keeps it by rbp, is still building it, or already taking it down.
  bool tells_its_shape(const CodeBlob& blob) const {
    const StubShape shape = stub_shape_at(blob.code_begin, blob.code_end, pc_);
    return shape.above_fp != 0 || shape.frame.return_offset + 8 < static_cast<uint64_t>(blob.frame_words) * 8;
  }

  bool call_stub() {
    const uint64_t wrapper = word_at(slot(fp_, kCallWrapperSlot));
    if (fp_ < sp_ || fp_ >= stack_base_ || wrapper < sp_ || wrapper >= stack_base_) return stop(WalkEnd::kBadFrame);
    const uint64_t saved = wrapper + layout_.call_wrapper_anchor;
    if (word_at(saved + layout_.anchor_sp) == 0) return stop(WalkEnd::kRoot);
    return anchor(saved);
  }

  // The return barrier, or a stub that moves frames: the rest of the continuation is in the heap, and its carrier goes on where the
  // continuation was entered (JEP 444; src/hotspot/share/runtime/continuationEntry.hpp).
  bool continuation_entry() {
    const uint64_t entry = layout_.thread_continuation == kAbsent ? 0 : word_at(thread_ + layout_.thread_continuation);
    if (layout_.continuation_return == 0 || entry < sp_ || entry >= stack_base_ || gap_) return stop(WalkEnd::kBadReturn);
    gap_ = true;
    top_ = false;
    registers_known_ = false;
    pc_ = layout_.continuation_return;
    sp_ = entry;
    return true;
  }

  const VmCode& vm_;
  const Layout& layout_;
  const uint64_t thread_;
  std::span<RawFrame> frames_;
  Registers regs_;
  uint64_t pc_ = 0, sp_ = 0, fp_ = 0;
  uint64_t stack_base_ = 0, stack_limit_ = 0;
  uint32_t count_ = 0;
  WalkEnd end_ = WalkEnd::kBadReturn;
  bool top_ = true;               // pc is where the thread stands, not a return address
  bool registers_known_ = true;   // regs_ are those of this frame
  bool from_stub_ = false;        // the frame called the stub that the walk came through
  bool gap_ = false;
};

}  // namespace

const char* walk_end_name(WalkEnd end) {
  switch (end) {
    case WalkEnd::kRoot: return "root";
    case WalkEnd::kDepth: return "depth";
    case WalkEnd::kNoJavaFrame: return "noJavaFrame";
    case WalkEnd::kNativeUnknown: return "nativeUnknown";
    case WalkEnd::kBadStack: return "badStack";
    case WalkEnd::kBadReturn: return "badReturn";
    case WalkEnd::kDeoptimizing: return "deoptimizing";
    case WalkEnd::kBadFrame: return "badFrame";
    case WalkEnd::kCount: break;
  }
  return "?";
}

Walk walk_stack(const VmCode& vm, const Registers& registers, uint64_t java_thread, std::span<RawFrame> frames) {
  return Walker(vm, registers, java_thread, frames).run();
}

}  // namespace rec::agent
