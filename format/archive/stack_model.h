// SPDX-License-Identifier: Apache-2.0
// StackModel keeps the stacks of a chunk as a tree, root first, and says of each stack only where it leaves the tree
// and which frames are new there.
//
//   main run work       main 1 - run 2 - work 3
//   main run wait                  \ wait 4          leaves at 2, one new frame
//
//   leaves    steps up from where the stack before ended x 2, if it leaves there; else how far back its node is x 2 + 1
//   fresh     number of new frames
//   runs      new frames that came as expected, until one that did not: for each of these
//   frames    its rank among what came behind the frame below it, 1 the last; kRanks + how far back it was first seen;
//             0: never, and its four fields follow in streams of their own
//
// What is expected behind a frame is what came last behind it and the one below it, else behind it alone: calls repeat
// in many contexts. Encoder and decoder learn the same (call_memory.h).
//
// Frames go in and out as they stand on the wire, innermost first. Stacks share their outermost frames, so what two of
// them have in common is their last bytes: those are compared, and copied, and not looked into (stack_path.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "format/archive/call_memory.h"
#include "format/archive/stack_order.h"
#include "format/archive/stack_path.h"
#include "format/archive/stack_tree.h"
#include "format/archive/stream.h"
#include "format/archive/unread_frames.h"
#include "format/archive/wire_frames.h"

namespace jfr::archive {

// What stacks have taught.
struct LearnedStacks {
  WireFrames frames;
  CallMemory calls;
};

class StackModel {
 public:
  static constexpr uint32_t kFields = std::tuple_size_v<StackFrame>;
  static constexpr uint64_t kMostFrames = 1u << 16;  // of one stack; deeper ones are not taken apart

  explicit StackModel(Streams& streams);

  // wire: `count` frames, of integers as short as they can be; they outlive the next stack.
  void encode(std::span<const uint8_t> wire, uint64_t count);
  // The next stack, good until the one behind it. ok() is false if there is none.
  std::span<const uint8_t> decode();
  // Instead of decode(), for all stacks: what can be learned of the next one.
  void learn();
  uint64_t depth() const { return wanted_ ? path_.depth() : tree_.depth(end_); }  // frames of the last one

  // Their depth stands nowhere else.
  void tell_depth(bool tells) { tells_depth_ = tells; }
  bool tells_depth() const { return tells_depth_; }

  // Makes room for all that will be decoded at once, as far as the streams are believed: 64 MB.
  void make_room();

  // Who decodes may have the hash of the last stack (stack_order.h), if it says so before the first one.
  void want_hashes() { hashes_wanted_ = true; }
  uint64_t hash() const { return hash_.hash(); }

  // Frames that may come, numbered from 1, and what is known of their calls. Before the first stack.
  void expect(const std::vector<StackFrame>& frames, CallMemory calls);

  // Of the stacks that were decoded, once there are no more.
  LearnedStacks take_learned() { return {std::move(frames_), std::move(calls_)}; }
  const WireFrames& frames() const { return frames_; }
  uint32_t methods() const { return fields_; }                           // stream of the methods of new frames
  uint64_t left() const { return streams_.numbers(leaves_).in.left(); }  // stacks to decode
  bool ok() const { return streams_.ok(); }

 private:
  static constexpr uint64_t kBelieved = 4u << 20;  // frames

  // Encoder.
  size_t shared_depth(std::span<const uint8_t> wire) const;
  void put_leaving(size_t shared, uint64_t count);
  void put_fresh(uint64_t left);
  void put_frame(const Caller& caller, const CallMemory::Guess& guess, WireFrames::Found found);
  // Decoder.
  bool take_leaving(uint32_t& node);
  bool take_fresh(uint32_t node, uint64_t fresh);
  bool take_frame(const Caller& caller, const CallMemory::Guess& guess, uint32_t& frame);
  void go_to(uint32_t node);  // makes it the end of the path
  void extend(uint32_t node, uint32_t frame);
  void push_hash(uint32_t frame);

  Streams& streams_;
  uint32_t leaves_, fresh_, runs_, back_, fields_;
  WireFrames frames_;
  CallMemory calls_;
  StackTree tree_;
  StackPath path_;  // of the stack before

  bool tells_depth_ = false;

  // Encoder.
  std::span<const uint8_t> before_;        // the stack before, as it stands in the chunk
  bool plain_ = true;                      // are_plain_frames() of it
  UnreadFrames unread_;                    // of the stack that is encoded
  std::optional<WireFrames::Found> next_;  // of these the next, if it has been looked up

  // Decoder.
  bool wanted_ = true;           // path_ and wire_ are
  uint32_t end_ = 0;             // where the stack before ends
  FrontBytes wire_;              // ends with the stack before
  std::vector<uint32_t> turns_;  // nodes that the path has to get
  bool hashes_wanted_ = false;
  std::vector<uint64_t> hashes_of_frames_;
  StackHash hash_;  // of the stack before
};

}  // namespace jfr::archive
