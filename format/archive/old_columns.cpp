// SPDX-License-Identifier: Apache-2.0
#include "format/archive/old_columns.h"

#include "format/archive/old_frames.h"

namespace jfr::archive {
namespace {

using old::DataType;
using old::Description;
using OldKind = OldColumn::Kind;

// All that makes values of a structure the same bytes.
void append_shape(const Description& description, uint32_t structure, std::vector<uint8_t>& to) {
  const std::vector<old::Field>& fields = description.structures[structure].fields;
  append_varint(fields.size(), to);
  for (const old::Field& field : fields) {
    to.push_back(static_cast<uint8_t>(field.type));
    if (field.type == DataType::kArray) to.push_back(static_cast<uint8_t>(field.element));
    to.push_back(OldFrames::is_stack(description, field));
    if (field.type > DataType::kArray) append_shape(description, field.structure, to);
  }
}

}  // namespace

OldEventColumns* OldColumns::event(const Description& description, uint32_t index) {
  const old::EventType& type = description.events[index];
  const old::Structure& structure = description.structures[type.structure];
  if (!structure.usable) return nullptr;
  std::vector<uint8_t> shape;
  append_varint(type.id, shape);
  append_varint(uint64_t{type.has_start} | uint64_t{type.has_thread} << 1 | uint64_t{type.has_stack} << 2, shape);
  append_shape(description, type.structure, shape);
  const std::string key(shape.begin(), shape.end());
  if (const auto known = events_.find(key); known != events_.end()) return &known->second;
  if (!has_room(structure)) return nullptr;
  OldEventColumns columns{numbers(), numbers(), numbers(), numbers(), fields(description, type.structure)};
  return &events_.emplace(key, std::move(columns)).first->second;
}

OldPoolColumns* OldColumns::pool(const Description& description, uint32_t index) {
  const old::Pool& pool = description.pools[index];
  if (!description.can_hold_constants(index)) return nullptr;
  std::vector<uint8_t> shape;
  append_varint(pool.id, shape);
  shape.push_back(static_cast<uint8_t>(pool.key));
  append_shape(description, pool.structure, shape);
  const std::string key(shape.begin(), shape.end());
  if (const auto known = pools_.find(key); known != pools_.end()) return &known->second;
  if (!has_room(description.structures[pool.structure])) return nullptr;
  OldPoolColumns columns{numbers(), 0, fields(description, pool.structure)};
  return &pools_.emplace(key, std::move(columns)).first->second;
}

// Two for each field are the most that it takes.
bool OldColumns::has_room(const old::Structure& structure) const {
  return made_ + 2 * (uint64_t{structure.work} + 2) <= kMost;
}

OldColumn OldColumns::plain(DataType type) {
  if (const uint32_t width = old::width_of(type); width != 0)
    return {OldKind::kNumber, static_cast<uint8_t>(width), 0, numbers(), 0, {}};
  const bool is_utf8 = type == DataType::kUtf8;
  const uint32_t lengths = numbers();
  return {OldKind::kText,
          static_cast<uint8_t>(is_utf8 ? 2 : 4),
          static_cast<uint8_t>(is_utf8 ? 1 : 2),
          lengths,
          streams_.add_bytes(),
          {}};
}

OldColumn OldColumns::column(const Description& description, const old::Field& field) {
  if (field.type < DataType::kArray) return plain(field.type);
  if (field.type == DataType::kStruct) return {OldKind::kStruct, 0, 0, 0, 0, fields(description, field.structure)};
  if (OldFrames::is_stack(description, field)) return stack(description, field);
  OldColumn array{OldKind::kArray, 4, 0, numbers(), 0, {}};
  if (field.type == DataType::kArray)
    array.inner.push_back(plain(field.element));
  else
    array.inner = fields(description, field.structure);
  return array;
}

OldColumn OldColumns::stack(const Description& description, const old::Field& field) {
  OldColumn stack{OldKind::kStack, 4, 0, numbers(), 0, {}};
  for (const old::Field& part : description.structures[field.structure].fields)
    stack.inner.push_back({OldKind::kNumber, static_cast<uint8_t>(old::width_of(part.type)), 0, 0, 0, {}});
  return stack;
}

std::vector<OldColumn> OldColumns::fields(const Description& description, uint32_t structure) {
  std::vector<OldColumn> columns;
  for (const old::Field& field : description.structures[structure].fields)
    columns.push_back(column(description, field));
  return columns;
}

}  // namespace jfr::archive
