// SPDX-License-Identifier: Apache-2.0
// FrameNames turns the stack traces of one chunk into frames of a StackTree.
//
// Methods are named as users read them, java.lang.String.length; a frame whose method is missing is [unknown]. Each
// method and class is named once and each frame type looked up once; a stack is decoded from its bytes whenever it is asked
// for: as a whole by stack(), or of it what is new to the caller, by find() and read() (stack_placer.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "format/reader/chunk.h"
#include "format/reader/key_table.h"
#include "jrec/profile/native_frames.h"
#include "jrec/profile/plain_frames.h"
#include "jrec/profile/stack_tree.h"

namespace jrec {

// What is written behind a method: its line or its bytecode index, which tells apart what is one method else.
struct FrameStyle {
  bool lines = false;        // java.lang.Thread.run:840
  bool bci = false;          // java.lang.Thread.run@12
  bool simple = false;       // Thread.run: no packages
  bool across_runs = false;  // without what differs from run to run: run_marks.h
};

class FrameNames {
 public:
  static constexpr size_t kMaxFrames = 65536;  // of one stack; what is beyond is dropped, innermost frames stay

  FrameNames(jfr::read::Chunk& chunk, StackTree& tree, const FrameStyle& style = {});

  // The frames of a stack trace constant, root first; empty when there is none. The vector is good until the next call.
  const std::vector<StackTree::Frame>& stack(uint64_t key, bool& truncated);

  // The same in two, where frames are integers only and no more than kMaxFrames: where they stand, and what they are.
  struct StackBytes {
    std::span<const uint8_t> frames;  // innermost first
    uint64_t count = 0;               // 0: the stack has none, or is one for stack()
    bool truncated = false;
  };
  StackBytes find(uint64_t key);
  void prefetch(uint64_t key);  // some calls of find() before
  struct ReadFrame {
    StackTree::Frame frame;
    uint32_t size = 0;  // of the bytes from where it begins to the end of the stack's
  };
  // Reads the innermost `count` of them. False if these are not the first `size` bytes.
  bool read(const StackBytes& stack, uint64_t count, size_t size);
  const std::vector<ReadFrame>& read_frames() const { return read_; }  // innermost first
  // Of the frames that there were so far, where those lie that are native.
  void add_natives(NativeFrames& to);

 private:
  struct StackLayout {
    const jfr::read::Type* stack = nullptr;
    const jfr::read::Type* frame = nullptr;
    int frames = -1, truncated = -1;  // fields of the stack
    int method = -1, type = -1;       // fields of the frame
    int line = -1, bci = -1;          // and these, where the style asks for them
    bool plain = false;               // a frame is LEB128 integers only
  };

  void read_frames(jfr::read::Cursor& in);
  StackTree::Frame next_frame(jfr::read::Cursor& in);
  StackTree::Frame read_frame(jfr::read::Cursor& in);
  uint32_t located_name(uint32_t name, int32_t line, int32_t bci);
  uint32_t method_name(uint64_t key);
  FrameKind kind_of(uint64_t key);
  void append_method(uint64_t key, std::string& out);
  const std::string& class_name(uint32_t type, uint64_t key);

  jfr::read::Chunk& chunk_;
  StackTree& tree_;
  const FrameStyle style_;
  StackLayout layout_;
  jfr::read::KeyTable<uint32_t> methods_;
  jfr::read::KeyTable<FrameKind> kinds_;
  jfr::read::KeyTable<std::string> classes_;  // as they stand in front of a method
  jfr::read::KeyTable<uint32_t> located_;     // by name and line, name and index
  std::optional<PlainFrames> plain_;          // where frames are
  std::vector<StackTree::Frame> frames_;
  std::vector<ReadFrame> read_;
  uint32_t unknown_;
};

}  // namespace jrec
