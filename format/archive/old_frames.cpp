// SPDX-License-Identifier: Apache-2.0
#include "format/archive/old_frames.h"

#include <algorithm>
#include <utility>

#include "base/leb128.h"
#include "format/reader/cursor.h"

namespace jfr::archive {

bool OldFrames::is_stack(const old::Description& description, const old::Field& field) {
  if (field.type != old::DataType::kStructArray) return false;
  const auto& fields = description.structures[field.structure].fields;
  return (fields.size() == 3 || fields.size() == 4) && fields[0].id == "method" &&
         std::ranges::all_of(fields, old::is_integer, &old::Field::type);
}

void OldFrames::put(const std::vector<StackFrame>& frames) {
  std::swap(wire_, wire_before_);
  wire_.clear();
  for (const StackFrame& frame : frames)
    for (const uint64_t field : frame) base::append_leb(field, wire_);
  model_.encode(wire_, frames.size());
}

bool OldFrames::take(uint64_t count, std::vector<StackFrame>& frames) {
  const auto wire = model_.decode();
  if (!model_.ok() || model_.depth() != count) return false;
  read::Cursor in(wire, 0);
  frames.resize(count);
  for (StackFrame& frame : frames)
    for (uint64_t& field : frame) field = in.leb();
  return in.ok();
}

}  // namespace jfr::archive
