// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/stack_store.h"

#include <xxhash.h>

#include <algorithm>

#include "format/reader/values.h"
#include "jrec/profile/plain_field.h"
#include "jrec/values/field_text.h"

namespace jrec {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Metadata;
using jfr::read::Type;

namespace {

constexpr uint64_t kMostFrames = 65536;

// Positive, and never 0: engines know signed numbers only.
int64_t number_of(uint64_t hash) { return static_cast<int64_t>(hash >> 1) | 1; }

uint32_t stack_type(const Metadata& metadata) {
  const Type* type = metadata.find("jdk.types.StackTrace");
  return type == nullptr ? jfr::read::kNoType : metadata.index_of(type->id);
}

int constant_in(const Type& type, std::string_view name) {
  const int index = type.field(name);
  return index >= 0 && type.fields[static_cast<size_t>(index)].constant &&
                 !type.fields[static_cast<size_t>(index)].array
             ? index
             : -1;
}

// As every JVM declares it; else all of it is read by names.
FrameLayout frame_layout(const Metadata& metadata, const jfr::read::Field& frames) {
  if (frames.constant || frames.kind != jfr::read::Kind::kStruct || frames.type == jfr::read::kNoType) return {};
  const Type& type = metadata.types()[frames.type];
  const FrameLayout layout{&type, constant_in(type, "method"), constant_in(type, "type"),
                           integer_field(type, "lineNumber"), integer_field(type, "bytecodeIndex")};
  return type.simple || layout.method < 0 || layout.kind < 0 ? FrameLayout() : layout;
}

}  // namespace

uint32_t StackStore::add(const StoredFrame& frame) {
  const std::string said =
      frame.method + '\0' + frame.kind + '\0' + std::to_string(frame.line) + '\0' + std::to_string(frame.bci);
  return place_of(XXH3_64bits(said.data(), said.size()), frame);
}

uint32_t StackStore::place_of(uint64_t hash, const StoredFrame& frame) {
  const auto [place, is_new] = frame_places_.try_emplace(hash, static_cast<uint32_t>(frames_.size()));
  if (is_new) {
    frames_.push_back(frame);
    frame_hashes_.push_back(hash);
  }
  return place->second;
}

void StackStore::copy(const StackStore& from, int64_t stack) {
  if (stacks_.contains(stack)) return;
  StoredStack copied = from.stacks_.at(stack);
  for (uint32_t& frame : copied.frames) frame = place_of(from.frame_hashes_[frame], from.frames_[frame]);
  stacks_.emplace(stack, std::move(copied));
  order_.push_back(stack);
}

int64_t StackStore::add(const StoredStack& stack) {
  std::vector<uint64_t> hashes;
  hashes.reserve(stack.frames.size() + 1);
  for (const uint32_t frame : stack.frames) hashes.push_back(frame_hashes_[frame]);
  hashes.push_back(stack.truncated ? 1 : 0);
  const int64_t number = number_of(XXH3_64bits(hashes.data(), hashes.size() * sizeof hashes[0]));
  if (stacks_.try_emplace(number, stack).second) order_.push_back(number);
  return number;
}

const StoredStack* StackStore::find(int64_t stack) const {
  const auto found = stacks_.find(stack);
  return found == stacks_.end() ? nullptr : &found->second;
}

std::string StackStore::top(int64_t stack) const {
  const StoredStack* found = find(stack);
  return found == nullptr || found->frames.empty() ? "" : frames_[found->frames[0]].method;
}

ChunkStacks::ChunkStacks(Chunk& chunk, StackStore& store)
    : chunk_(chunk), store_(store), fields_(chunk), type_(stack_type(chunk.metadata())) {}

int64_t ChunkStacks::number(uint64_t key) {
  const auto found = numbers_.find_or_add(key);
  if (!found.is_new) return found.value;
  const int64_t number = read(key);
  return numbers_.find_or_add(key).value = number;
}

void ChunkStacks::add_all() {
  for (const uint64_t key : chunk_.constants().keys(type_)) number(key);
}

int64_t ChunkStacks::read(uint64_t key) {
  Cursor in = chunk_.constants().find(type_, key);
  if (!in.ok()) return 0;
  const Type& type = chunk_.metadata().types()[type_];
  StoredStack stack;
  for (const jfr::read::Field& field : type.fields) {
    const FieldValue value = fields_.take(in, field);
    if (field.name == "truncated") stack.truncated = fields_.integer(value) != 0;
    if (field.name != "frames" || !value.array) continue;
    Cursor frames = value.in;
    const FrameLayout layout = frame_layout(chunk_.metadata(), *value.field);
    uint64_t left = read_count(frames, chunk_.metadata(), *value.field);
    stack.frames.reserve(std::min(left, kMostFrames));
    for (; left > 0 && frames.ok(); --left) {
      const uint32_t frame = layout.type == nullptr ? read_frame(fields_.take_element(frames, *value.field))
                                                    : read_usual_frame(frames, layout, *value.field);
      if (stack.frames.size() < kMostFrames) stack.frames.push_back(frame);
    }
  }
  return in.ok() ? store_.add(stack) : 0;
}

uint32_t ChunkStacks::read_usual_frame(Cursor& in, const FrameLayout& layout, const jfr::read::Field& field) {
  Cursor begin = in;
  FrameKey key;
  for (int i = 0; i < static_cast<int>(layout.type->fields.size()); ++i) {
    const jfr::read::Field& part = layout.type->fields[static_cast<size_t>(i)];
    if (i == layout.method)
      key.method = in.leb();
    else if (i == layout.kind)
      key.kind = in.leb();
    else if (i == layout.line)
      key.line = read_integer(in, part.kind);
    else if (i == layout.bci)
      key.bci = read_integer(in, part.kind);
    else
      skip_field(in, chunk_.metadata(), part);
  }
  const auto known = frames_.find_or_add(key);
  if (!known.is_new) return known.value;
  const FieldValue frame = fields_.take_element(begin, field);
  return known.value = store_.add(stored_frame(fields_.member(frame, "method"), fields_.member(frame, "type"), key));
}

uint32_t ChunkStacks::read_frame(const FieldValue& frame) {
  const FieldValue method = fields_.member(frame, "method"), kind = fields_.member(frame, "type");
  const FrameKey key{method.key, kind.key, fields_.integer(fields_.member(frame, "lineNumber")),
                     fields_.integer(fields_.member(frame, "bytecodeIndex"))};
  if (!method.constant || !kind.constant) return store_.add(stored_frame(method, kind, key));
  const auto known = frames_.find_or_add(key);
  if (known.is_new) known.value = store_.add(stored_frame(method, kind, key));
  return known.value;
}

StoredFrame ChunkStacks::stored_frame(const FieldValue& method, const FieldValue& kind, const FrameKey& key) {
  const auto name = methods_.find_or_add(method.key);
  if (name.is_new && !append_method_name(fields_, method, name.value)) name.value = "[unknown]";
  return {name.value, fields_.text(kind), key.line, key.bci};
}

}  // namespace jrec
