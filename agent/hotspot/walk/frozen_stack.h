// SPDX-License-Identifier: Apache-2.0
// FrozenStack reads, from outside, the stack of a thread that has given way to a safepoint: from HotSpot's own note of
// its last Java frame (JavaThread::_anchor). Such a thread stands still until the safepoint is over, or runs in native
// code from which it cannot come back to Java: its Java frames do not change.
//
// Native frames between Java's and below them are shown, too, if they are to be; those above, where the kernel tells where
// the thread stands (standing_place.h) and it has not run since.
//
// Nothing is believed that may have moved meanwhile: the anchor and the caller's own proof that the safepoint goes on
// are looked at before, between walking and naming, and afterwards. Ordinary threads, one at a time; the epoch is
// pinned.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "agent/hotspot/walk/frame_anchor.h"
#include "agent/process/os_state.h"
#include "recorder/epoch/epoch.h"

namespace rec::agent {

class FrozenStack {
 public:
  FrozenStack(const VmCode& vm, uint32_t depth, NativeFrames native);

  enum class Why : uint8_t { kNone, kNoAnchor, kMoved, kNoFrames, kNoRoom };
  struct Result {
    Ref<StackFact> stack;
    Why why = Why::kNone;
  };
  // still: the thread still stands where it stood.
  Result read(Epoch& epoch, uint64_t java_thread, int32_t os_id, const std::function<bool()>& still);

 private:
  Walk walk(const FrameAnchor& anchor, uint64_t java_thread, int32_t os_id);

  const VmCode& vm_;
  const uint32_t depth_;
  const ShownFrames shown_;
  TaskDirectory tasks_;
  std::unique_ptr<RawFrame[]> raw_;
  std::unique_ptr<Frame[]> frames_;
};

const char* explain(FrozenStack::Why why);

}  // namespace rec::agent
