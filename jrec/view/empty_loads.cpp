// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/empty_loads.h"

#include "jrec/values/whole.h"

namespace jrec {

using jfr::read::Chunk;
using jfr::read::Event;
using jfr::read::Type;

void EmptyLoads::begin(CellReader& cells, uint32_t jvm) {
  if (by_jvm_.contains(jvm)) return;
  if (const std::optional<First> first = first_in(cells)) by_jvm_[jvm] = *first;
}

bool EmptyLoads::is_empty(uint32_t jvm, int64_t at_ns) const {
  const std::optional<int64_t> from_ns = told_from_ns(jvm);
  return from_ns && at_ns == *from_ns;
}

std::optional<int64_t> EmptyLoads::told_from_ns(uint32_t jvm) const {
  const auto first = by_jvm_.find(jvm);
  if (first == by_jvm_.end() || !first->second.is_empty) return std::nullopt;
  return first->second.at_ns;
}

std::optional<EmptyLoads::First> EmptyLoads::first_in(CellReader& cells) {
  Chunk& chunk = cells.fields().chunk();
  const Type* type = chunk.metadata().find(kLoadType);
  if (type == nullptr || !type->decodable()) return std::nullopt;
  FieldPath start = cells.bind("startTime", *type);
  FieldPath shares[] = {cells.bind("jvmUser", *type), cells.bind("jvmSystem", *type),
                        cells.bind("machineTotal", *type)};
  std::optional<First> first;
  auto walk = chunk.events();
  for (Event event; walk.next(event);) {
    if (event.type_id != type->id) continue;
    const int64_t at_ns = held_in_long(cells.read(event, *type, start).integer);
    if (first && at_ns >= first->at_ns) continue;
    first = First{at_ns, true};
    for (FieldPath& share : shares) {
      const Cell& cell = cells.read(event, *type, share);
      first->is_empty = first->is_empty && cell.number() && cell.as_real() == 0;
    }
  }
  return first;
}

}  // namespace jrec
