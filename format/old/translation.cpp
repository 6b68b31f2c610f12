// SPDX-License-Identifier: Apache-2.0
#include "format/old/translation.h"

#include <algorithm>

#include "format/header_layout.h"
#include "format/old/value_walk.h"

namespace jfr::old {

using read::Cursor;

namespace {

constexpr uint32_t kOpen = 0xffffffff;  // a constant that is being translated

std::string_view view(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Of two bytes each, as JFR's array of characters.
void utf16(Cursor& in, ByteSink& out) {
  const uint32_t count = in.be32();
  if (count > in.remaining() / 2) return void(in.fail());
  if (count == 0) return out.u8(1);
  out.u8(4);
  out.leb(count);
  for (uint32_t i = 0; i < count; ++i) out.leb(in.be16());
}

void plain(Cursor& in, DataType type, ByteSink& out) {
  switch (type) {
    case DataType::kBoolean: return out.boolean(in.u8() != 0);
    case DataType::kByte:
    case DataType::kU1: return out.u8(in.u8());
    case DataType::kShort:
    case DataType::kU2: return out.leb(in.be16());
    case DataType::kInt:
    case DataType::kU4: return out.leb(in.be32());
    case DataType::kLong:
    case DataType::kU8: return out.leb(in.be64());
    case DataType::kFloat: return out.be32(in.be32());
    case DataType::kDouble: return out.be64(in.be64());
    case DataType::kString: return utf16(in, out);
    default: return out.text(view(in.bytes(in.be16())));
  }
}

}  // namespace

Translation::Translation(std::span<const uint8_t> chunk, const Description& description, const Schema& schema,
                         Constants& constants, uint32_t last_key)
    : chunk_(chunk),
      description_(description),
      schema_(schema),
      constants_(constants),
      keys_before_(last_key),
      pools_(description.pools.size()) {
  list_java_threads();
}

void Translation::fields(Cursor& in, uint32_t structure, int64_t at, ByteSink& out, uint32_t kilobytes) {
  const StructurePlan& plan = schema_.structure(structure);
  for (uint32_t i = 0; i < plan.fields.size() && in.ok(); ++i) {
    if (i == kilobytes && width_of(plan.fields[i].field->type) == 8)
      out.leb(in.be64() * 1024);
    else
      field(in, plan.fields[i], at, out);
  }
}

void Translation::field(Cursor& in, const FieldPlan& plan, int64_t at, ByteSink& out) {
  const Field& field = *plan.field;
  if (field.type < DataType::kArray) return reference(in, plan, field.type, at, out);
  if (field.type == DataType::kStruct) return nested(in, field.structure, at, out);
  const uint32_t count = read_count(in, description_, field);
  out.leb(count);
  for (uint32_t i = 0; i < count && in.ok(); ++i) {
    if (field.type == DataType::kArray)
      reference(in, plan, field.element, at, out);
    else
      nested(in, field.structure, at, out);
  }
}

// With what the old type lacks.
void Translation::nested(Cursor& in, uint32_t structure, int64_t at, ByteSink& out) {
  fields(in, structure, at, out);
  for (const Extra& extra : schema_.structure(structure).extras) {
    if (extra.type == DataType::kBoolean)
      out.boolean(extra.value != 0);
    else
      out.leb_i32(extra.value);
  }
}

void Translation::reference(Cursor& in, const FieldPlan& plan, DataType type, int64_t at, ByteSink& out) {
  if (plan.pool == kNone) return plain(in, type, out);
  const uint64_t key = constant(plan.pool, read_key(in, type), at);
  out.leb(plan.is_loader ? loader(key) : key);
}

// --- Constants ---

uint64_t Translation::constant(uint32_t pool, uint64_t key, int64_t at) {
  if (pool == kNone) return 0;
  if (pool == schema_.thread_pool()) return thread(key, at);
  Constant* const found = constants_.find(pool, key, at);
  if (found == nullptr) return 0;
  const PoolPlan& plan = schema_.pool(pool);
  if (plan.role == PoolRole::kPlain) return translated(pool, *found);
  Cursor in = at_field(pool, *found, plan.thread);
  const Structure& structure = description_.structures[description_.pools[pool].structure];
  return thread(read_key(in, structure.fields[plan.thread].type), found->at);
}

uint64_t Translation::translated(uint32_t pool, Constant& constant) {
  if (constant.made == kOpen || references_ == kMostReferences) return 0;
  if (constant.made != 0) return constant.made;
  constant.made = kOpen;
  ++references_;
  ByteSink content;
  content.leb(constant.key);  // so that two that look the same stay two; it is no part of the constant
  const size_t head = content.size();
  Cursor in(chunk_, constant.offset);
  nested(in, description_.pools[pool].structure, constant.at, content);
  --references_;
  NewPool& kept = pools_[pool];
  const auto [known, is_new] = kept.known.try_emplace(std::string(view(content.bytes())), next_key(kept));
  constant.made = known->second;
  if (!is_new) return constant.made;
  kept.entries.leb(constant.made);
  kept.entries.raw(content.bytes().subspan(head));
  return constant.made;
}

uint64_t Translation::loader(uint64_t class_key) {
  if (class_key == 0 || !has_loader_.try_emplace(class_key, true).second) return class_key;
  loaders_.leb(class_key);
  loaders_.leb(class_key);  // the class that it is of
  loaders_.null_text();
  return class_key;
}

Cursor Translation::at_field(uint32_t pool, const Constant& constant, uint32_t field) const {
  Cursor in(chunk_, constant.offset);
  const Structure& structure = description_.structures[description_.pools[pool].structure];
  for (uint32_t i = 0; i < field; ++i) skip_field(in, description_, structure.fields[i]);
  return in;
}

// --- Threads ---

void Translation::list_java_threads() {
  const uint32_t pool = schema_.java_thread_pool();
  if (pool == kNone) return;
  const uint32_t field = schema_.pool(pool).thread;
  const DataType type = description_.structures[description_.pools[pool].structure].fields[field].type;
  for (const Constant& constant : constants_.all(pool)) {
    Cursor in = at_field(pool, constant, field);
    java_threads_[read_key(in, type)].push_back(&constant);
  }
  for (auto& [id, list] : java_threads_)
    std::ranges::stable_sort(list, {}, [](const Constant* one) { return one->at; });
}

const Constant* Translation::java_thread(uint64_t id, int64_t at) const {
  const auto found = java_threads_.find(id);
  if (found == java_threads_.end()) return nullptr;
  const auto& list = found->second;
  const auto first = std::ranges::lower_bound(list, at, {}, [](const Constant* one) { return one->at; });
  return first == list.end() ? nullptr : *first;
}

uint64_t Translation::thread(uint64_t id, int64_t at) {
  if (id == 0) return 0;
  const uint32_t pool = schema_.thread_pool();
  ByteSink name, content;
  name.null_text();
  if (const Constant* const found = constants_.find(pool, id, at); found != nullptr) {
    const uint32_t field = schema_.pool(pool).name;
    const Structure& structure = description_.structures[description_.pools[pool].structure];
    if (field != kNone && width_of(structure.fields[field].type) == 0 &&
        structure.fields[field].type < DataType::kArray) {
      name.clear();
      Cursor in = at_field(pool, *found, field);
      plain(in, structure.fields[field].type, name);
    }
  }
  const Constant* const java = java_thread(id, at);
  content.raw(name.bytes());
  content.leb(id);
  if (java == nullptr) {
    content.null_text();
    content.leb(0);
  } else {
    content.raw(name.bytes());
    content.leb(java->key);
  }
  add_group(java, content);
  const auto [known, is_new] = threads_.known.try_emplace(std::string(view(content.bytes())), next_key(threads_));
  if (!is_new) return known->second;
  threads_.entries.leb(known->second);
  threads_.entries.raw(content.bytes());
  return known->second;
}

void Translation::add_group(const Constant* java, ByteSink& out) {
  if (schema_.group_pool() == kNone) return;
  if (java == nullptr) return out.leb(0);
  const uint32_t pool = schema_.java_thread_pool();
  const uint32_t field = schema_.pool(pool).group;
  const DataType type = description_.structures[description_.pools[pool].structure].fields[field].type;
  Cursor in = at_field(pool, *java, field);
  out.leb(constant(schema_.group_pool(), read_key(in, type), java->at));
}

// --- The checkpoint ---

uint32_t Translation::last_key() const {
  size_t most = threads_.known.size();
  for (const NewPool& pool : pools_) most = std::max(most, pool.known.size());
  return keys_before_ + static_cast<uint32_t>(most);
}

void Translation::write_checkpoint(ByteSink& out, int64_t ticks) const {
  ByteSink content;
  content.leb(kCheckpointType);
  content.leb_i64(ticks);
  content.leb(0);  // duration
  content.leb(0);  // no other checkpoint
  content.u8(0);   // flags
  const auto is_filled = [](const NewPool& pool) { return !pool.known.empty(); };
  content.leb(static_cast<uint64_t>(std::ranges::count_if(pools_, is_filled)) + (is_filled(threads_) ? 1 : 0) +
              (has_loader_.empty() ? 0 : 1));
  const auto write = [&](uint64_t type, size_t count, const ByteSink& entries) {
    if (count == 0) return;
    content.leb(type);
    content.leb(count);
    content.raw(entries.bytes());
  };
  for (uint32_t i = 0; i < pools_.size(); ++i)
    write(schema_.pool(i).type_id, pools_[i].known.size(), pools_[i].entries);
  write(schema_.thread_type(), threads_.known.size(), threads_.entries);
  write(schema_.loader_type(), has_loader_.size(), loaders_);
  constexpr size_t kSizeBytes = 8;
  out.leb_padded(content.size() + kSizeBytes, kSizeBytes);
  out.raw(content.bytes());
}

}  // namespace jfr::old
