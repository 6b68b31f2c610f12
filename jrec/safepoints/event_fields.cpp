// SPDX-License-Identifier: Apache-2.0
#include "jrec/safepoints/event_fields.h"

#include <algorithm>

#include "format/reader/values.h"
#include "jrec/values/field_text.h"

namespace jrec {

using jfr::read::Cursor;

namespace {

constexpr uint64_t kMaxFrames = 1024;             // of a stack that are shown
constexpr std::string_view kNativeFrame = "C++";  // the type of its frames

}  // namespace

int64_t EventFields::integer(std::string_view name, int64_t missing) {
  const FieldValue at = value(name);
  return at.null() ? missing : fields_.integer(at);
}

int64_t EventFields::span_ns(std::string_view name) {
  const int64_t ticks = integer(name, -1);
  return ticks < 0 ? -1 : fields_.chunk().clock().span_ns(ticks);
}

// -1: not known, which is the least number of all in recordings and was -1 in older ones.
int64_t EventFields::length_ns(std::string_view name) { return std::max<int64_t>(integer(name, -1), -1); }

int64_t EventFields::thread_integer(std::string_view member) {
  return fields_.integer(fields_.member(value("eventThread"), member));
}

std::string EventFields::thread_name() {
  std::string name;
  append_short_text(fields_, value("eventThread"), name);
  return name;
}

EventFields::Top EventFields::top() {
  Top top;
  const FieldValue frames = fields_.member(value("stackTrace"), "frames");
  if (frames.null() || !frames.array) return top;
  Cursor in = frames.in;
  const uint64_t count = jfr::read::read_count(in, fields_.chunk().metadata(), *frames.field);
  for (; top.native < count && top.native < kMaxFrames && in.ok(); ++top.native) {
    std::string type;
    append_short_text(fields_, fields_.member(fields_.take_element(in, *frames.field), "type"), type);
    if (type == kNativeFrame) continue;
    top.java_type = std::move(type);
    break;
  }
  return top;
}

std::vector<std::string> EventFields::frames() {
  std::vector<std::string> lines;
  const FieldValue frames = fields_.member(value("stackTrace"), "frames");
  if (frames.null() || !frames.array) return lines;
  Cursor in = frames.in;
  const uint64_t count = jfr::read::read_count(in, fields_.chunk().metadata(), *frames.field);
  for (uint64_t i = 0; i < count && i < kMaxFrames && in.ok(); ++i) {
    const FieldValue frame = fields_.take_element(in, *frames.field);
    std::string line;
    if (!append_frame_method(fields_, frame, line)) line = "unknown";
    const int64_t number = fields_.integer(fields_.member(frame, "lineNumber"));
    if (number > 0) line += ":" + std::to_string(number);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace jrec
