// SPDX-License-Identifier: Apache-2.0
// LastWalk is what a thread's last walk met on its stack. Most of a deep stack stands still between two samples: the next
// walk decodes frames until it meets one that it knows, and for those below only looks whether they are still there.
//
//   a frame of compiled code    its caller's return address and frame pointer in their places, and the code of the same
//                               compilation (HotSpot gives no compile id twice): then its methods are the same, too
//   an interpreted one          the same, the method, and the bytecode it is at
//   any other                   is walked again, and has to come out the same
//
// So nothing is believed because it was true before. Marks and frames lie from the root upwards: what a thread pushes
// and pops is at the end.
//
// Beside each frame lies its tag, and the hash of all tags from the root up to it: a stack whose lower part stands still
// is hashed in its new frames only (Tagger::stack()).
//
//   raw       root | ... | top | free           tags, the same in memory that ends with the root, so that they lie as in a
//   tags      free | top | ... | root           stack that is stored: innermost first
//
//   begin(), find(), note(), keep()     of the walk (walker_again.cpp)
//   tag(), hash_on(), adopt()           when the frames get their tags: the new top replaces the old one
//
// Lives in memory given at start, so that a handler can use it; one thread at a time. Signal-safe.
#pragma once

#include <cstdint>
#include <span>

#include "agent/hotspot/walk/raw_frame.h"
#include "recorder/spool/facts.h"
#include "recorder/spool/stack_hash.h"

namespace rec::agent {

// What shows that a frame is the one that it was.
struct FrameProof {
  enum class By : uint8_t { kWalk, kCompilation, kBytecode };
  uint64_t code = 0;  // kCompilation: the nmethod; kBytecode: the bytecode's address as the frame has it
  uint32_t id = 0;    // kCompilation: its compile id; kBytecode: the lower half of the ConstMethod's address
  By by = By::kWalk;
};

// A frame on the stack, and how the walk stood in it.
struct FrameMark {
  uint64_t pc = 0, sp = 0, fp = 0;
  FrameProof proof;
  uint32_t frames = 0;  // Java frames that it shows; once adopted: those from the root up to and with it

  // Compiled code gives its caller's frame pointer back, and has no use for it itself.
  bool needs_fp() const { return proof.by != FrameProof::By::kCompilation; }
};

class LastWalk {
 public:
  static constexpr uint32_t kNone = ~0u;

  // The memory that a walk of so many frames needs, and an empty one in it.
  static size_t bytes_for(uint32_t depth);
  LastWalk(std::byte* memory, uint32_t depth);

  void forget() { marks_count_ = raw_count_ = 0; }
  // What was met from `top` to `base` is looked for so many bytes higher from now on (modulo 2^64): in another thread's
  // stack, which may look the same. Frame pointers are moved along where they point into that stack.
  void move(uint64_t up, uint64_t top, uint64_t base);

  // A new walk. Marks are looked for upwards in the stack only.
  void begin();
  // The mark that stands exactly here; kNone: there is none.
  uint32_t find(uint64_t pc, uint64_t sp, uint64_t fp);
  const FrameMark& mark(uint32_t index) const { return marks_[index]; }
  uint32_t marks() const { return marks_count_; }
  // The frames of one mark, outermost first.
  std::span<const RawFrame> frames_of(uint32_t index) const;

  // The walk came through a frame that is not among the first `raw_before` frames; start_over(): nothing that it came
  // through counts.
  void start_over(uint32_t raw_before) { fresh_count_ = 0, fresh_begin_ = raw_before, fresh_lost_ = false; }
  void note(const FrameMark& mark);
  // The marks up to this one stay. None by default.
  void keep(uint32_t index) { kept_marks_ = index + 1; }

  // Frames of the marks that stay, from the root upwards, and their tags as of the epoch with this serial. There is room
  // for the tags of one more walk behind them.
  uint32_t kept_frames() const { return kept_marks_ == 0 ? 0 : marks_[kept_marks_ - 1].frames; }
  const RawFrame& raw(uint32_t index) const { return raw_[index]; }
  Frame& tag(uint32_t index) { return *(root_tag_ - index); }
  uint32_t tags_serial() const { return tags_serial_; }
  // The topmost of the first `count` frames whose tag has to be made again each time, as a number from 1; 0: none has.
  uint32_t unsettled_in(uint32_t count) const { return count == 0 ? 0 : unsettled_[count - 1]; }

  // The hash of the first `count` tags, of which those from `begin` on have changed. What changed of frames that stay is
  // settled anew.
  uint64_t hash_on(uint32_t begin, uint32_t count);

  // What stays, and on top of it what the walk noted: its `count` frames, innermost first, whose tags lie behind those of
  // the frames that stay already.
  void adopt(const RawFrame* raw, uint32_t count, uint32_t serial);

 private:
  void settle(uint32_t begin, uint32_t end);

  const uint32_t depth_;
  FrameMark* const marks_;  // from the root upwards
  FrameMark* const fresh_;  // from the top downwards, of the walk in progress
  RawFrame* const raw_;     // from the root upwards, and so are the hashes
  uint64_t* const hashes_;
  Frame* const root_tag_;      // from the root downwards
  uint32_t* const unsettled_;  // for each frame that stays: as unsettled_in() has it
  uint32_t marks_count_ = 0, raw_count_ = 0, cursor_ = 0, kept_marks_ = 0;
  uint32_t fresh_count_ = 0, fresh_begin_ = 0;
  bool fresh_lost_ = false;
  uint32_t tags_serial_ = 0;
};

}  // namespace rec::agent
