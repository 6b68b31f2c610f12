// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/stack_walker.h"

#include <cassert>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/walk/vm_code.h"
#include "agent/hotspot/walk/walker.h"

namespace rec::agent {
namespace {

constexpr int kMaxSteps = 1 << 15;  // physical frames; more than any depth we record
constexpr uint64_t kMaxFrameBytes = 1 << 20;

}  // namespace

Walker::Walker(const VmCode& vm, const Registers& registers, uint64_t java_thread, std::span<RawFrame> frames,
               ShownFrames shown, LastWalk* last)
    : vm_(vm),
      layout_(vm.layout),
      modules_(vm.modules),
      thread_(java_thread),
      frames_(frames),
      last_(last),
      regs_(registers),
      shown_(shown),
      entered_(vm.continuations.entry(vm.layout)) {
  pc_ = registers.pc();
  sp_ = registers.sp();
  fp_ = registers.fp();
  registers_known_ = fp_ != Registers::kUnknown;
  if (thread_ == 0) return;
  stack_base_ = u64_at(thread_ + layout_.thread.stack_base);
  stack_limit_ = stack_base_ - u64_at(thread_ + layout_.thread.stack_size);
}

Walk Walker::run() {
  if (last_ != nullptr) last_->begin();
  off_stack_ = !on_stack(sp_);
  if (off_stack_ && !left_for_native()) {
    end_ = WalkEnd::kBadStack;
  } else if (add_kernel()) {
    if (off_stack_) sp_ = stack_limit_;  // Java's frames lie all above
    for (int i = 0; i < kMaxSteps && (last_ == nullptr ? step() : step_or_follow()); ++i) {
    }
  }
  if (count_ > first_ + 1 && !may_yield()) {  // whoever that is, it has not called doYield
    count_ = first_ + 1;
    kept_ = 0;
    end_ = WalkEnd::kBadFrame;
  }
  return {count_, kept_, end_, gap_, native_gap_, pc_};
}

bool Walker::stop(WalkEnd end) {
  end_ = end;
  return false;
}

bool Walker::add(uint64_t method, int32_t bci, FrameType type) {
  if (count_ == frames_.size()) return stop(WalkEnd::kDepth);
  assert(count_ < frames_.size() && "the buffer's size is the depth");
  shown_.pcs.set(count_, pc_);
  frames_[count_++] = {method, bci, type, false};
  return true;
}

bool Walker::shows_stub() const {
  return shown_.stubs == StubFrames::kShown || (shown_.stubs == StubFrames::kBelow && count_ > first_);
}

// In front of Java's frames it stands as native code does.
bool Walker::add_stub(uint64_t name) {
  const bool in_front = count_ == first_;
  if (!add(native_method(kStubs, name), -1, FrameType::kCpp)) return false;
  if (in_front) first_ = count_;
  return true;
}

bool Walker::show_stub(const CodeBlob& blob) { return !shows_stub() || add_stub(stub_name(vm_, blob, pc_)); }

// Goes on in the caller. Java's callers stand in generated code, always. Where a return address may be in a register, so may
// those of two that have no frame.
bool Walker::move_to(uint64_t pc, uint64_t sp, uint64_t fp) {
  const bool may_stay = top_ || (frameless_shape().return_in_link() && registers_known_);
  if (sp <= sp_ && !(may_stay && sp == sp_)) return stop(WalkEnd::kBadStack);
  if (sp >= stack_base_ || (sp & 7) != 0 || sp - sp_ > kMaxFrameBytes) return stop(WalkEnd::kBadStack);
  pc_ = pc;
  sp_ = sp;
  fp_ = fp;
  top_ = false;
  registers_known_ = false;
  return vm_.code_cache.contains(pc) ? true : stop(WalkEnd::kBadReturn);
}

bool Walker::step() {
  if (!vm_.code_cache.contains(pc_)) return native();
  if (pc_ == layout_.entry.call_stub_return) return (!shows_stub() || add_stub(vm_.call_stub_name)) && call_stub();
  if (moves_frames(pc_)) return continuation_entry();
  const CodeBlob blob = vm_.code_cache.find(pc_);
  switch (blob.kind) {
    case BlobKind::kInterpreter: return interpreted();
    case BlobKind::kCompiled: return compiled(blob);
    case BlobKind::kNativeWrapper: return native_wrapper(blob);
    case BlobKind::kStubRoutines: return show_stub(blob) && stub();
    case BlobKind::kVtable: return show_stub(blob) && pop_return();
    case BlobKind::kAdapter: return show_stub(blob) && adapter(blob);
    case BlobKind::kSafepoint:
    case BlobKind::kException:
    case BlobKind::kUpcall:
    case BlobKind::kOther: return show_stub(blob) && runtime_stub(blob);
    case BlobKind::kNone: break;
  }
  return stop(WalkEnd::kBadReturn);
}

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

Walk walk_stack(const VmCode& vm, const Registers& registers, uint64_t java_thread, std::span<RawFrame> frames,
                ShownFrames shown, LastWalk* last) {
  return Walker(vm, registers, java_thread, frames, shown, last).run();
}

Walk walk_native_thread(const VmCode& vm, const Registers& registers, std::span<RawFrame> frames, ShownFrames shown) {
  return Walker(vm, registers, 0, frames, shown, nullptr).run_native();
}

Walk walk_unmounted(const VmCode& vm, uint64_t chunk, std::span<RawFrame> frames) {
  return Walker(vm, {}, 0, frames, CarrierFrames::kHidden, nullptr).run_unmounted(chunk);
}

}  // namespace rec::agent
