// SPDX-License-Identifier: Apache-2.0
#include "format/old/description.h"

#include <algorithm>
#include <string>

#include "format/header_layout.h"

namespace jfr::old {

using base::corrupt;
using base::Result;
using base::Status;
using read::Cursor;

namespace {

std::string_view text(Cursor& in) {
  const auto bytes = in.bytes(in.be16());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A count of what takes at least `size` bytes each: a larger one fails the cursor.
uint32_t count(Cursor& in, uint32_t size) {
  const uint32_t claimed = in.be32();
  if (claimed <= in.remaining() / size && claimed <= kMostTypes) return claimed;
  in.fail();
  return 0;
}

DataType data_type(Cursor& in) {
  const uint8_t code = in.u8();
  if (code > static_cast<uint8_t>(DataType::kStructArray)) in.fail();
  return static_cast<DataType>(code);
}

// What a description takes besides its texts.
constexpr uint64_t kFieldWords = 64, kTypeWords = 128;

uint32_t sum(uint32_t a, uint32_t b) { return a > ~b ? ~uint32_t{0} : a + b; }

}  // namespace

uint32_t width_of(DataType type) {
  constexpr uint8_t kWidths[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0, 0, 0, 0, 0};
  return kWidths[static_cast<size_t>(type)];
}

uint32_t least_size(DataType type) {
  constexpr uint8_t kSizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 2, 4, 4, 0, 4};
  return kSizes[static_cast<size_t>(type)];
}

bool starts_old_chunk(std::span<const uint8_t> bytes) {
  Cursor in(bytes, 0);
  const auto magic = in.bytes(kChunkMagic.size());
  const uint16_t major = in.be16();
  in.be16();
  return in.ok() && std::ranges::equal(magic, kChunkMagic) && major == 0;
}

Result<Description> Description::parse(std::span<const uint8_t> chunk, uint64_t at) {
  Cursor head(chunk, at);
  const uint32_t size = head.be32();
  if (!head.ok() || size < 8 || size > chunk.size() - at)
    return corrupt(at, "the metadata does not fit into its chunk");
  if (head.be32() != kMetadataType) return corrupt(at, "there is no metadata where the chunk says");
  Description description;
  Cursor in(chunk, at + 8, at + size);
  if (const Status read = description.read(in); !read) return read.error();
  return description;
}

Status Description::read(Cursor& in) {
  constexpr uint32_t kProducer = 26;
  const uint64_t at = in.at();
  for (uint32_t left = count(in, kProducer); left > 0 && in.ok(); --left)
    if (const Status producer = read_producer(in); !producer) return producer;
  start_ms = static_cast<int64_t>(in.be64());
  end_ms = static_cast<int64_t>(in.be64());
  start_ticks = static_cast<int64_t>(in.be64());
  ticks_per_second = static_cast<int64_t>(in.be64());
  newest_checkpoint = in.be64();
  if (!in.ok()) return corrupt(at, "the metadata ends too early, or counts more than it holds");
  locale = text(in);
  utc_offset_ms = static_cast<int32_t>(in.be32());
  if (!in.ok()) utc_offset_ms = 0;  // nothing hangs on it
  const auto known = [this](const auto& owner) { return owner.structure < structures.size(); };
  if (!std::ranges::all_of(events, known) || !std::ranges::all_of(pools, known))
    return corrupt(at, "a type in the metadata is of a structure that is not there");
  std::vector<uint8_t> state(structures.size(), 0);
  for (uint32_t i = 0; i < structures.size(); ++i) measure(i, 0, state);
  uint64_t words = kTypeWords * (events.size() + pools.size());
  for (const EventType& event : events) words += structures[event.structure].words;  // which many may share
  for (const Pool& pool : pools) words += structures[pool.structure].words;
  if (words > kMostWords) return base::Error{base::ErrorCode::kLimit, at, "the metadata describes too many fields"};
  return base::Done{};
}

Status Description::read_producer(Cursor& in) {
  const uint64_t at = in.at();
  in.be32();  // its id
  text(in), text(in);
  const std::string_view uri = text(in);
  for (uint32_t left = count(in, 2); left > 0 && in.ok(); --left) text(in);
  first_structure_ = static_cast<uint32_t>(structures.size());
  read_structures(in);
  read_events(in, uri);
  read_pools(in, uri);
  if (std::max({structures.size(), events.size(), pools.size()}) > kMostTypes)
    return base::Error{base::ErrorCode::kLimit, at, "the metadata describes too many types"};
  if (!in.ok()) return corrupt(at, "a producer in the metadata ends too early, or counts more than it holds");
  return base::Done{};
}

void Description::read_structures(Cursor& in) {
  constexpr uint32_t kStructureSize = 4, kFieldSize = 20;
  const uint32_t structure_count = count(in, kStructureSize);
  for (uint32_t i = 0; i < structure_count && in.ok(); ++i) {
    Structure structure;
    for (uint32_t left = count(in, kFieldSize); left > 0 && in.ok(); --left) {
      Field field;
      field.id = text(in);
      field.label = text(in);
      field.text = text(in);
      in.u8();  // whether it is where something comes from or goes to
      field.type = data_type(in);
      field.content = in.be32();
      const uint32_t index = in.be32();
      in.be32();
      if (field.type == DataType::kArray)
        field.element = static_cast<DataType>(std::min<uint32_t>(index, static_cast<uint32_t>(DataType::kArray)));
      else if (field.type > DataType::kArray)
        field.structure = index < structure_count ? first_structure_ + index : kNone;
      structure.words += kFieldWords + field.id.size() + field.label.size() + field.text.size();
      structure.fields.push_back(field);
    }
    structures.push_back(std::move(structure));
  }
}

void Description::read_events(Cursor& in, std::string_view uri) {
  constexpr uint32_t kSize = 22;
  for (uint32_t left = count(in, kSize); left > 0 && in.ok(); --left) {
    EventType event;
    event.uri = uri;
    event.id = in.be32();
    event.label = text(in);
    event.text = text(in);
    event.path = text(in);
    event.has_start = in.u8() != 0;
    event.has_thread = in.u8() != 0;
    event.has_stack = in.u8() != 0;
    in.u8();  // whether it is made on request
    event.structure = first_structure_ + std::min(in.be32(), kNone - first_structure_);
    in.be32();
    event_ids_[event.id] = static_cast<uint32_t>(events.size());
    events.push_back(event);
  }
}

void Description::read_pools(Cursor& in, std::string_view uri) {
  constexpr uint32_t kSize = 13;
  for (uint32_t left = count(in, kSize); left > 0 && in.ok(); --left) {
    Pool pool;
    pool.uri = uri;
    pool.id = in.be32();
    pool.name = text(in);
    pool.text = text(in);
    pool.key = data_type(in);
    pool.structure = first_structure_ + std::min(in.be32(), kNone - first_structure_);
    pool_ids_[pool.id] = static_cast<uint32_t>(pools.size());
    pools.push_back(pool);
  }
}

// Visits each structure once: in one that holds itself, or is too deep, nothing can be read.
void Description::measure(uint32_t index, uint32_t depth, std::vector<uint8_t>& state) {
  enum : uint8_t { kNew, kOpen, kDone };
  if (state[index] == kDone) return;
  if (state[index] == kOpen || depth > kMostDepth) return;  // its owner sees that it is not usable
  state[index] = kOpen;
  Structure& structure = structures[index];
  bool usable = true;
  for (const Field& field : structure.fields) {
    structure.work = sum(structure.work, 1);
    structure.least_size = sum(structure.least_size, least_size(field.type));
    if (field.type == DataType::kArray) usable = usable && field.element < DataType::kArray;
    if (field.type <= DataType::kArray) continue;
    if (field.structure == kNone) {
      usable = false;
      continue;
    }
    measure(field.structure, depth + 1, state);
    const Structure& inner = structures[field.structure];
    usable = usable && inner.usable && (field.type == DataType::kStruct || inner.least_size > 0);
    if (field.type == DataType::kStruct) structure.least_size = sum(structure.least_size, inner.least_size);
    structure.work = sum(structure.work, inner.work);
    structure.depth = std::max(structure.depth, inner.depth + 1);
  }
  structure.usable = usable && structure.work <= kMostWork && structure.depth <= kMostDepth;
  state[index] = kDone;
}

uint32_t Description::pool_of(uint32_t id) const {
  const auto found = pool_ids_.find(id);
  return found == pool_ids_.end() ? kNone : found->second;
}

uint32_t Description::pool_of(const Field& field) const {
  const DataType type = field.type == DataType::kArray ? field.element : field.type;
  const bool number = field.content <= kAddress || field.content == kPercentage;
  if (number || !is_integer(type)) return kNone;
  const uint32_t pool = pool_of(field.content);
  return pool != kNone && can_hold_constants(pool) ? pool : kNone;
}

uint32_t Description::event_of(uint32_t id) const {
  const auto found = event_ids_.find(id);
  return found == event_ids_.end() ? kNone : found->second;
}

}  // namespace jfr::old
