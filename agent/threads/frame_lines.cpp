// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/frame_lines.h"

#include "base/utf8.h"

namespace rec::agent {
namespace {

std::string place_of(const DumpFrame& frame) {
  std::string place;
  if (!frame.module.empty()) {
    place = frame.module;
    if (!frame.module_version.empty()) place += '@' + frame.module_version;
    place += '/';
  }
  if (frame.native) return place + "Native Method";
  if (frame.file.empty()) return place + "Unknown Source";
  return place + frame.file + (frame.line >= 0 ? ':' + std::to_string(frame.line) : "");
}

}  // namespace

void FrameLines::begin(const ThreadDump& dump) {
  if (dump.numbering != numbering_) lines_.clear();
  numbering_ = dump.numbering;
  dump_ = &dump;
  if (dump.frames.size() > lines_.size()) lines_.resize(dump.frames.size());
}

FrameLines::Line& FrameLines::make(uint32_t index, Line& line) const {
  const DumpFrame& frame = dump_->frames[index];
  line.text = base::utf8_of("\tat " + frame.klass + '.' + frame.name + '(' + place_of(frame) + ")\n");
  return line;
}

std::string MarkedText::whole(FrameLines& lines) const {
  std::string all;
  all.reserve(size());
  size_t from = 0;
  for (const Mark& each : marks) {
    all.append(text, from, each.at - from).append(lines.of(each.frame).text);
    from = each.at;
  }
  return all.append(text, from);
}

}  // namespace rec::agent
