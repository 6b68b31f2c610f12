// SPDX-License-Identifier: Apache-2.0
// OutsideWalk reads the stack of another thread without stopping it, from the frame anchor that HotSpot keeps for a
// thread that has left Java code. The thread may return to Java at any instruction, so a walk counts only when nothing
// has moved around it:
//
//   expect()    its memory is asked for, so that it has come when it is read
//   begin()     state, anchor -> a walk                      frames() may be named now
//   confirm()   state and anchor are the same, a second walk gives the same frames, and state and anchor are still the
//               same. That walk only looks whether what the first one met still stands in its place (last_walk.h)
//
// Native frames between Java's and below them are shown, if they are to be. Those above need to know where the thread
// stands: a file of the kernel's tells that of one that sleeps (standing_place.h). That they stood so is not confirmed
// here: it is by a CPU clock that has not moved.
//
// Threads of a pool wait in the same place: the walk of one begins with what the walk before, of whichever thread, met,
// moved to where it would lie here. Nothing is believed that does not stand there.
//
// All reads are safe loads: a thread that ends meanwhile costs a refusal and no more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/walk/frame_anchor.h"
#include "agent/process/os_state.h"

namespace rec::agent {

class OutsideWalk {
 public:
  static constexpr uint32_t kDepth = 2048;  // frames; what lies deeper is said to be missing

  // Where a thread stood: equal places of a thread that did not run in between are one place.
  struct Place {
    uint32_t state = 0;
    FrameAnchor anchor;
    friend bool operator==(const Place&, const Place&) = default;
  };

  explicit OutsideWalk(const VmCode& vm, NativeFrames native = NativeFrames::kHidden);

  enum class Outcome {
    kWalked,    // frames() are there, confirm() them
    kInJava,    // it has to be asked by a signal
    kNoFrames,  // it has no Java frames, and none that are native are known; confirm() that
    kMoved,     // it moved: try again
  };
  // Before a few other things are done, as for the threads before: first the thread, then its stack.
  void expect(uint64_t java_thread) const;
  void expect_stack(uint64_t java_thread) const;
  // os_id: of that thread, if what it stands in is to be shown, too.
  Outcome begin(uint64_t java_thread, int32_t os_id = 0);
  bool confirm();

  std::span<const RawFrame> frames() const { return {first_.data(), walk_.count}; }
  uint32_t native_on_top() const { return native_on_top_; }  // of them, above Java's
  // Frames from the root up that stand as those of the walk before, which are as far from its root.
  uint32_t kept() const { return kept_; }
  const LastWalk& marks() const { return marks_; }  // of frames()
  const Walk& walk() const { return walk_; }
  const Place& place() const { return before_; }
  VmState state() const { return vm_state(vm_.layout, before_.state); }

  static Place place_of(const Layout& layout, uint64_t java_thread);

 private:
  void walk_first();
  Outcome walk_without_java();
  Walk walk_again(std::span<RawFrame> frames, LastWalk* last) const;
  bool same_again(const Walk& again) const;

  const VmCode& vm_;
  const ShownFrames shown_;
  std::optional<TaskDirectory> tasks_;  // if native frames are shown
  uint64_t java_thread_ = 0;
  Place before_;
  Registers start_;  // of the walk
  uint32_t native_on_top_ = 0;
  Walk walk_;
  std::vector<RawFrame> first_, second_;
  std::unique_ptr<std::byte[]> memory_;
  LastWalk marks_;
  bool all_marked_ = false;  // the marks have all frames but for the native ones on top, and no others
  uint32_t kept_ = 0;
  uint64_t marks_top_ = 0, marks_base_ = 0;  // of the stack that they lie in
};

}  // namespace rec::agent
