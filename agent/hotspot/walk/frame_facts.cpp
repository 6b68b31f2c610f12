// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/frame_facts.h"

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/line_reader.h"
#include "agent/hotspot/vm/method_parts.h"
#include "agent/hotspot/walk/tagger.h"

namespace rec::agent {
namespace {

// The table is not always in order: the entry with the greatest index at or below bci counts
// (Method::line_number_from_bci).
int32_t line_at(const Layout& layout, uint64_t const_method, int32_t bci) {
  int32_t best_bci = -1, best = FrameFacts::kNoLine;
  LineReader lines(layout, const_method);
  for (LineReader::Entry entry; bci >= 0 && lines.next(entry);) {
    if (entry.bci == bci) return entry.line;
    if (entry.bci > bci || entry.bci < best_bci) continue;
    best_bci = entry.bci;
    best = entry.line;
  }
  return best;
}

// Index 0 of a constant pool is no constant.
TextView text_if_any(const Layout& layout, uint64_t constants, uint64_t index) {
  return index == 0 ? TextView{} : pool_text(layout, constants, index);
}

}  // namespace

bool read_key(const Layout& layout, const RawFrame& frame, FrameKey& key) {
  MethodParts parts;
  if (!read_parts(layout, frame.method, parts)) return false;
  const uint64_t class_id = static_cast<uint64_t>(class_id_of(layout, parts.klass));
  if (class_id == 0) return false;
  key.method = frame.method;
  key.const_method = parts.const_method;
  key.id = class_id << 16 | u16_at(parts.const_method + layout.const_method.orig_idnum);
  const uint64_t lines = line_table_of(layout, parts.const_method);
  key.lines = lines == 0 ? 0 : u64_at(lines);
  key.bci = frame.bci;
  return true;
}

bool read_frame(const Layout& layout, const RawFrame& frame, FrameFacts& facts) {
  MethodParts parts;
  if (!read_key(layout, frame, facts.key) || !read_parts(layout, frame.method, parts)) return false;
  const ClassShape shape = class_shape_of(layout, parts.klass);
  facts.klass = shape.name;
  facts.module = shape.module_name;
  facts.module_version = shape.module_version;
  facts.name = text_if_any(layout, parts.constants, u16_at(parts.const_method + layout.const_method.name));
  if (layout.constant_pool.source_file != kAbsent)
    facts.file = text_if_any(layout, parts.constants, u16_at(parts.constants + layout.constant_pool.source_file));
  facts.native = is_native(layout, frame.method);
  facts.line = facts.native ? FrameFacts::kNoLine : line_at(layout, parts.const_method, frame.bci);
  return facts.klass.address != nullptr && facts.name.address != nullptr;
}

}  // namespace rec::agent
