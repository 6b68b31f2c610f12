// SPDX-License-Identifier: Apache-2.0
// FrozenStack reads, from outside, the stack of a thread that has given way to a safepoint: from HotSpot's own note of
// its last Java frame (JavaThread::_anchor). Such a thread stands still until the safepoint is over, or runs in native
// code from which it cannot come back to Java: its Java frames do not change.
//
// Nothing is believed that may have moved meanwhile: the anchor and the caller's own proof that the safepoint goes on
// are looked at before, between walking and naming, and afterwards. Ordinary threads, one at a time; the epoch is
// pinned.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "agent/hotspot/walk/stack_walker.h"
#include "recorder/epoch/epoch.h"

namespace rec::agent {

class FrozenStack {
 public:
  FrozenStack(const VmCode& vm, uint32_t depth);

  enum class Why : uint8_t { kNone, kNoAnchor, kMoved, kNoFrames, kNoRoom };
  struct Result {
    Ref<StackFact> stack;
    Why why = Why::kNone;
  };
  // still: the thread still stands where it stood.
  Result read(Epoch& epoch, uint64_t java_thread, const std::function<bool()>& still);

 private:
  const VmCode& vm_;
  const uint32_t depth_;
  std::unique_ptr<RawFrame[]> raw_;
  std::unique_ptr<Frame[]> frames_;
};

const char* explain(FrozenStack::Why why);

}  // namespace rec::agent
