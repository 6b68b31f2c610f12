// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/x86_64/adapter_shape.h"

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/x86_64/instruction.h"

namespace rec::agent::x86_64 {
namespace {

constexpr int kMaxInstructions = 512;  // an adapter may save and restore all registers, twice

// The bytes of instructions as a number; `length` of them count.
bool is(uint64_t code, uint64_t instruction, int length) {
  return (code << (64 - 8 * length)) == (instruction << (64 - 8 * length));
}
bool loads_top(uint64_t code) { return is(code, 0x24048b48, 4); }                           // mov rax, [rsp]
bool stores_top(uint64_t code) { return is(code, 0x24048948, 4) || is(code, 0x50, 1); }     // mov [rsp], rax; push rax
bool notes_sp(uint64_t code) { return is(code, 0xec8b4c, 3) || is(code, 0xe58949, 3); }     // mov r13, rsp
bool makes_frame(uint64_t code) { return is(code, 0xec8b48, 3) || is(code, 0xe58948, 3); }  // mov rbp, rsp
bool leaves_frame(uint64_t code) { return is(code, 0xc9, 1); }
bool notes_above_sp(uint64_t code) { return is(code, 0x08246c8d4c, 5); }  // lea r13, [rsp + 8]

class AdapterPath {
 public:
  AdapterPath(uint64_t begin, uint64_t end, uint64_t pc) : begin_(begin), end_(end), pc_(pc) {}

  AdapterReturn follow() {
    for (int i = 0; i < kMaxInstructions; ++i) {
      // To a stub that asks for another method: the address is on top there.
      if (pc_ < begin_ || pc_ >= end_) return on_stack();
      if (!step()) break;
    }
    return ended_ ? found_ : AdapterReturn{};
  }

 private:
  bool step() {
    const uint64_t code = u64_at(pc_);
    const Instruction instruction = instruction_at(pc_);
    ended_ = instruction.kind == Instruction::kJumpAway;
    if (instruction.length == 0 || instruction.kind > Instruction::kCall) return false;
    if (leaves_frame(code)) return leave(instruction.length);
    if (instruction.kind == Instruction::kUnknown) set_sp(instruction.sp_from == Instruction::kR13);
    note(code, instruction);
    up_ += instruction.sp_up;
    pc_ = instruction.kind == Instruction::kJump ? instruction.target : pc_ + instruction.length;
    return true;
  }

  // Of the frame around a call of the VM, as Shenandoah's barriers have from 28 on. Where the path began in it, the frame pointer tells all.
  bool leave(uint8_t length) {
    if (!framed_) {
      found_ = {AdapterReturn::kByFp};
      ended_ = true;
      return false;
    }
    base_ = frame_base_;
    up_ = frame_up_ + 8;
    pc_ += length;
    return true;
  }

  // What it does with the address, if this is the last time that it does so.
  void note(uint64_t code, const Instruction& instruction) {
    if (loads_top(code) || instruction.popped == Instruction::kRax) loaded_ = on_stack();
    if (stores_top(code)) found_ = loaded_;
    if (makes_frame(code)) framed_ = true, frame_base_ = base_, frame_up_ = up_;
    if (base_ != Base::kSp) return;
    if (notes_sp(code)) note_sender(0);
    if (notes_above_sp(code)) note_sender(8);
  }

  void note_sender(int64_t more) {
    noted_ = true;
    noted_up_ = up_ + more;
    if (loaded_.place == AdapterReturn::kInRegister) loaded_.caller_above = static_cast<uint64_t>(noted_up_);
  }

  void set_sp(bool from_sender) {
    base_ = !from_sender ? Base::kNone : noted_ ? Base::kSp : Base::kSender;
    up_ = from_sender && noted_ ? noted_up_ : 0;
  }

  AdapterReturn on_stack() const {
    const auto above = static_cast<uint64_t>(up_);
    if (base_ == Base::kSp) return {AdapterReturn::kOnStack, above, above + 8};
    if (base_ == Base::kSender && up_ == 0) return {AdapterReturn::kAtSender};
    return {};
  }

  enum class Base : uint8_t { kSp, kSender, kNone };
  const uint64_t begin_, end_;
  uint64_t pc_;
  Base base_ = Base::kSp;  // up_ is counted from sp where the path began, from r13, or is not known
  int64_t up_ = 0;
  bool framed_ = false;  // the path has put sp into rbp, where it was
  Base frame_base_ = Base::kNone;
  int64_t frame_up_ = 0;
  bool noted_ = false;  // the path has put sp into r13, so much above where it began
  int64_t noted_up_ = 0;
  bool ended_ = false;
  AdapterReturn loaded_{AdapterReturn::kInRegister};  // what is in rax at the end of the path so far
  AdapterReturn found_{AdapterReturn::kOnStack};      // what is on top of the stack then
};

}  // namespace

AdapterReturn return_in_adapter(uint64_t begin, uint64_t end, uint64_t pc) {
  return AdapterPath(begin, end, pc).follow();
}

}  // namespace rec::agent::x86_64
