// SPDX-License-Identifier: Apache-2.0
// The Walker is one walk in progress: the frame it stands in, and how to get from each kind of frame to its caller.
// walk_stack() makes one in the handler's own stack frame and runs it; nobody else needs it. Signal-safe.
//
// A step adds what the frame shows and moves to the caller; false ends the walk, and end_ says why.
#pragma once

#include <cstdint>
#include <span>

#include "agent/hotspot/walk/stack_walker.h"
#include "agent/hotspot/x86_64/frame_shape.h"

namespace rec::agent {

class Walker {
 public:
  Walker(const VmCode& vm, const Registers& registers, uint64_t java_thread, std::span<RawFrame> frames);
  Walk run();

 private:
  bool stop(WalkEnd end);
  bool add(uint64_t method, int32_t bci, FrameType type);
  bool move_to(uint64_t pc, uint64_t sp, uint64_t fp);
  bool step();

  // walker_native.cpp: native code, and how Java is entered from it.
  bool native();
  bool native_from(bool top);
  bool leave_stub(uint64_t pc, uint64_t sp, uint64_t fp);
  bool anchor(uint64_t anchor);
  bool leaf_call(bool top);
  bool call_stub();
  bool continuation_entry();

  // walker_interpreted.cpp
  bool interpreted();
  bool add_interpreted(uint64_t method);
  bool entering(const InterpreterEntry& entry);
  bool half_built(const InterpreterEntry& entry);
  bool frameless_entry();
  bool leaving(const InterpreterExit& exit);

  // walker_compiled.cpp
  uint64_t verified_entry(const CodeBlob& blob) const;
  bool is_deopt_handler(const CodeBlob& blob, uint64_t pc) const;
  uint64_t original_pc(const CodeBlob& blob) const;
  bool compiled(const CodeBlob& blob);
  FrameShape with_pushed_words(FrameShape shape) const;
  bool is_return_address(uint64_t pc) const;
  bool add_scopes(const CodeBlob& blob, uint64_t pc);
  bool native_wrapper(const CodeBlob& blob);
  FrameShape shape_here(const CodeBlob& blob, uint64_t entry) const;
  bool leave_shape(const FrameShape& shape);

  // walker_stubs.cpp: what is neither a method nor native.
  bool pop_return();
  bool stub();
  bool leave_stub_at(uint64_t begin, uint64_t end);
  bool is_java_code(uint64_t pc) const;
  bool adapter();
  bool runtime_stub(const CodeBlob& blob);
  bool is_exception_blob(const CodeBlob& blob) const;
  bool tells_its_shape(const CodeBlob& blob) const;

  const VmCode& vm_;
  const Layout& layout_;
  const uint64_t thread_;
  std::span<RawFrame> frames_;
  Registers regs_;
  uint64_t pc_ = 0, sp_ = 0, fp_ = 0;
  uint64_t stack_base_ = 0, stack_limit_ = 0;
  uint32_t count_ = 0;
  WalkEnd end_ = WalkEnd::kBadReturn;
  bool top_ = true;              // pc is where the thread stands, not a return address
  bool registers_known_ = true;  // regs_ are those of this frame
  bool from_stub_ = false;       // the frame called the stub that the walk came through
  bool gap_ = false;
};

}  // namespace rec::agent
