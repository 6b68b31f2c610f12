// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/memory_notes.h"

#include <algorithm>

namespace jrec {
namespace {

using jfr::read::Event;
using jfr::read::Type;

int64_t number(CellReader& cells, const Event& event, const Type& type, const char* name) {
  FieldPath path = cells.bind(name, type);
  const Cell& cell = cells.read(event, type, path);
  if (cell.kind != Cell::Kind::kInteger || cell.integer < 0 || cell.integer > INT64_MAX) return kUnknownBytes;
  return static_cast<int64_t>(cell.integer);
}

}  // namespace

bool MemoryNotes::wants(const Type& type) {
  return type.name == "rec.MemoryUse" || type.name == "rec.MemoryKinds" || type.name == "jdk.Shutdown";
}

void MemoryNotes::take(CellReader& cells, const Event& event, const Type& type) {
  utc_offset_s = cells.utc_offset_s();
  const auto of = [&](const char* name) { return number(cells, event, type, name); };
  if (type.name == "rec.MemoryUse") {
    uses.push_back({of("startTime"), of("resident"), of("heapUsed"), of("metaspaceUsed"), of("groupUsage"),
                    of("groupInactive"), of("groupLimit"), of("groupFailures"), of("groupKills")});
  } else if (type.name == "rec.MemoryKinds") {
    kinds.push_back({of("startTime"),
                     {of("javaHeap"), of("codeCache"), of("threadStacks"), of("native"), of("files"), of("shared")}});
  } else {
    shut_down = true;
  }
}

void MemoryNotes::in_order() {
  std::ranges::stable_sort(uses, {}, &MemoryUse::at_ns);
  std::ranges::stable_sort(kinds, {}, &MemoryKinds::at_ns);
}

}  // namespace jrec
