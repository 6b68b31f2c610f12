// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/frame_facts.h"

#include "agent/hotspot/safe_load.h"
#include "agent/hotspot/scopes.h"
#include "agent/hotspot/symbols.h"
#include "agent/hotspot/tagger.h"

namespace rec::agent {
namespace {

constexpr int kMaxLineEntries = 1 << 16;
constexpr uint16_t kNativeMethod = 0x0100;

struct MethodParts {
  uint64_t const_method = 0, constants = 0, klass = 0;
};

bool read_parts(const Layout& layout, uint64_t method, MethodParts& parts) {
  parts.const_method = word_at(method + layout.method_const_method);
  if (method == 0 || parts.const_method == 0) return false;
  parts.constants = word_at(parts.const_method + layout.const_method_constants);
  if (parts.constants == 0) return false;
  parts.klass = word_at(parts.constants + layout.constant_pool_holder);
  return parts.klass != 0;
}

bool has_lines(const Layout& layout, uint64_t const_method) {
  return (half_at(const_method + layout.const_method_flags) & layout.const_method_has_lines) != 0;
}

uint64_t line_table(const Layout& layout, uint64_t const_method) {
  return const_method + layout.const_method_header + short_at(const_method + layout.const_method_code_size);
}

int32_t signed_delta(uint32_t value) { return static_cast<int32_t>(value >> 1) ^ -static_cast<int32_t>(value & 1); }

// The table is not always in order: the entry with the greatest index at or below bci counts
// (Method::line_number_from_bci).
int32_t line_at(const Layout& layout, uint64_t const_method, int32_t bci) {
  if (bci < 0 || !has_lines(layout, const_method)) return FrameFacts::kNoLine;
  uint64_t at = line_table(layout, const_method);
  int32_t entry_bci = 0, entry_line = 0, best_bci = -1, best = FrameFacts::kNoLine;
  for (int i = 0; i < kMaxLineEntries; ++i) {
    const uint8_t head = byte_at(at++);
    if (head == 0) break;
    if (head == 0xff) {
      uint32_t bci_delta = 0, line_delta = 0;
      if (!read_unsigned5(at, layout.unsigned5_excess, bci_delta)) break;
      if (!read_unsigned5(at, layout.unsigned5_excess, line_delta)) break;
      entry_bci += signed_delta(bci_delta);
      entry_line += signed_delta(line_delta);
    } else {
      entry_bci += head >> 3;
      entry_line += head & 7;
    }
    if (entry_bci == bci) return entry_line;
    if (entry_bci > bci || entry_bci < best_bci) continue;
    best_bci = entry_bci;
    best = entry_line;
  }
  return best;
}

TextView constant_symbol(const Layout& layout, uint64_t constants, uint64_t index) {
  if (index == 0) return {};
  return symbol_text(layout, word_at(constants + layout.constant_pool_header + 8 * index) & ~1ull);
}

}  // namespace

bool read_key(const Layout& layout, const RawFrame& frame, FrameKey& key) {
  MethodParts parts;
  if (!read_parts(layout, frame.method, parts)) return false;
  const uint64_t class_id = static_cast<uint64_t>(class_id_of(layout, parts.klass));
  if (class_id == 0) return false;
  key.method = frame.method;
  key.const_method = parts.const_method;
  key.id = class_id << 16 | short_at(parts.const_method + layout.const_method_orig_idnum);
  key.lines = has_lines(layout, parts.const_method) ? word_at(line_table(layout, parts.const_method)) : 0;
  key.bci = frame.bci;
  return true;
}

bool read_frame(const Layout& layout, const ThreadLayout& threads, const RawFrame& frame, FrameFacts& facts) {
  MethodParts parts;
  if (!read_key(layout, frame, facts.key) || !read_parts(layout, frame.method, parts)) return false;
  const ClassShape shape = class_shape_of(layout, parts.klass);
  facts.klass = shape.name;
  facts.module = shape.module_name;
  facts.module_version = shape.module_version;
  facts.name = constant_symbol(layout, parts.constants, short_at(parts.const_method + layout.const_method_name));
  if (threads.source_file != kAbsent)
    facts.file = constant_symbol(layout, parts.constants, short_at(parts.constants + threads.source_file));
  facts.native = (short_at(frame.method + layout.method_access_flags) & kNativeMethod) != 0;
  facts.line = facts.native ? FrameFacts::kNoLine : line_at(layout, parts.const_method, frame.bci);
  return facts.klass.address != nullptr && facts.name.address != nullptr;
}

}  // namespace rec::agent
