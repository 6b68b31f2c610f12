// SPDX-License-Identifier: Apache-2.0
// FrameLines has the line of each frame of thread dumps, which is made once for as long as frames keep their numbers, and
// is in an epoch of a recording once, whatever number of threads and dumps have it. Needs no JVM; one thread.
//
// MarkedText is text without such lines, with marks where they belong: of a dump of a thousand threads a fifth.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "agent/threads/thread_dump.h"
#include "recorder/epoch/epoch.h"

namespace rec::agent {

class FrameLines {
 public:
  struct Line {
    std::string text;  // "\tat a.B.c(B.java:1)\n", UTF-8; empty: not made yet
    TextTag tag;       // where it is in the epochs
  };

  void begin(const ThreadDump& dump);  // which stays until the next one
  Line& of(uint32_t frame) {           // kUnknownFrame, too
    if (frame == kUnknownFrame) return unknown_;
    Line& line = lines_[frame];
    return line.text.empty() ? make(frame, line) : line;
  }

 private:
  Line& make(uint32_t frame, Line& line) const;

  const ThreadDump* dump_ = nullptr;
  uint64_t numbering_ = 0;
  std::deque<Line> lines_;
  Line unknown_{"\tat unknown.unknown(Unknown Source)\n", {}};
};

struct MarkedText {
  struct Mark {
    size_t at;  // in `text`
    uint32_t frame;
  };
  std::string text;
  std::vector<Mark> marks;  // in their order
  size_t line_bytes = 0;    // of the lines that are left out

  size_t size() const { return text.size() + line_bytes; }
  void mark(uint32_t frame, const FrameLines::Line& line) {
    marks.push_back({text.size(), frame});
    line_bytes += line.text.size();
  }
  void clear() { text.clear(), marks.clear(), line_bytes = 0; }
  std::string whole(FrameLines& lines) const;
};

}  // namespace rec::agent
