// SPDX-License-Identifier: Apache-2.0
// OutsideWalk reads the stack of another thread without stopping it, from the frame anchor that HotSpot keeps for a
// thread that has left Java code. The thread may return to Java at any instruction, so a walk counts only when nothing
// has moved around it:
//
//   begin()     CPU clock, state, anchor -> a walk           frames() may be named now
//   confirm()   state and anchor are the same; and the CPU clock is, or a second walk gives the same frames
//
// A CPU clock that stands still proves that the thread did not run in between. One that moves is no refusal (native
// code runs while the Java frames below it are frozen); the comparisons have to do then. All reads are safe loads: a
// thread that ends meanwhile costs a refusal and no more.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/walk/frame_anchor.h"

namespace rec::agent {

class OutsideWalk {
 public:
  static constexpr uint32_t kDepth = 2048;  // frames; what lies deeper is said to be missing

  explicit OutsideWalk(const VmCode& vm) : vm_(vm), first_(kDepth), second_(kDepth) {}

  enum class Outcome {
    kWalked,    // frames() are there, confirm() them
    kInJava,    // it has to be asked by a signal
    kNoFrames,  // it has no Java frames; confirm() that
    kMoved,     // it moved: try again
  };
  Outcome begin(uint64_t java_thread, int32_t os_id);
  bool confirm();

  std::span<const RawFrame> frames() const { return {first_.data(), walk_.count}; }
  const Walk& walk() const { return walk_; }
  VmState state() const { return vm_state(vm_.layout, before_.state); }
  bool in_transition() const { return agent::in_transition(vm_.layout, before_.state); }
  uint64_t last_java_sp() const { return before_.anchor.sp; }
  int64_t cpu_ns() const { return cpu_ns_; }         // at begin(); -1: not known
  bool stood_still() const { return stood_still_; }  // after confirm()

 private:
  struct Place {
    uint32_t state = 0;
    FrameAnchor anchor;
    friend bool operator==(const Place&, const Place&) = default;
  };
  Place place() const;

  const VmCode& vm_;
  uint64_t java_thread_ = 0;
  int32_t os_id_ = 0;
  Place before_;
  Walk walk_;
  int64_t cpu_ns_ = -1;
  bool stood_still_ = false;
  std::vector<RawFrame> first_, second_;
};

}  // namespace rec::agent
