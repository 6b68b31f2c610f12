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
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "format/archive/call_memory.h"
#include "format/archive/stream.h"
#include "format/reader/key_table.h"

namespace jfr::archive {

using StackFrame = std::array<uint64_t, 4>;  // the integers of a jdk.types.StackFrame as they stand on the wire

class StackModel {
 public:
  static constexpr uint32_t kFields = std::tuple_size_v<StackFrame>;
  static constexpr uint64_t kMostFrames = 1u << 16;  // of one stack; deeper ones are not taken apart

  explicit StackModel(Streams& streams);

  // frames: innermost first, as on the wire. Both directions.
  void encode(std::vector<StackFrame>& frames);
  void decode(std::vector<StackFrame>& frames);

  // Frames that may come, numbered from 1, and what is known of their calls. Before the first stack.
  void expect(const std::vector<StackFrame>& frames, CallMemory calls);

  // What was learned: of the stacks that were decoded.
  const std::vector<StackFrame>& frames() const { return frames_; }
  const CallMemory& calls() const { return calls_; }
  uint32_t methods() const { return fields_; }                           // stream of the methods of new frames
  uint64_t left() const { return streams_.numbers(leaves_).in.left(); }  // stacks to decode
  bool ok() const { return streams_.ok(); }

 private:
  struct Node {
    uint32_t parent = 0, frame = 0, depth = 0;
  };
  struct Edge {
    uint64_t node_and_frame;
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  struct EdgeHash {
    size_t operator()(const Edge& edge) const { return by_key(edge.node_and_frame); }
    read::KeyHash by_key;
  };
  struct FrameHash {
    size_t operator()(const StackFrame& frame) const {
      return by_key(frame[0] * 0x9E3779B97F4A7C15u + frame[1] * 31 + frame[2] * 0xC2B2AE3D27D4EB4Fu + frame[3]);
    }
    read::KeyHash by_key;
  };

  uint32_t frame_id(const StackFrame& frame, bool& is_new);
  uint32_t add_node(uint32_t parent, uint32_t frame);
  void put_leaving(uint32_t node);
  bool take_leaving(uint32_t& node);
  void go_to(uint32_t node);  // makes it the end of path_
  void extend_path(uint32_t node);
  Caller caller_of(uint32_t node) const { return {nodes_[nodes_[node].parent].frame, nodes_[node].frame}; }
  void put_frame(const Caller& caller, uint32_t frame, bool is_new);
  bool take_frame(const Caller& caller, uint32_t& frame);

  Streams& streams_;
  uint32_t leaves_, fresh_, runs_, back_, fields_;
  read::KeyTable<uint32_t, StackFrame, FrameHash> frame_ids_;  // frames are numbered from 1; 0 stands above all roots
  std::vector<StackFrame> frames_{1};
  CallMemory calls_;
  read::KeyTable<uint32_t, Edge, EdgeHash> edges_;
  std::vector<Node> nodes_{1};
  std::vector<uint32_t> path_{0};           // of the stack before, from the root
  std::vector<StackFrame> path_frames_{1};  // of these
};

}  // namespace jfr::archive
