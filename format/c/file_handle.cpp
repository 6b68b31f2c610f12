// SPDX-License-Identifier: Apache-2.0
#include <cinttypes>
#include <cstdio>

#include "format/c/handles.h"
#include "format/old/recording_translation.h"

using jfr::read::Chunk;
using jfr::read::MappedFile;

jrec_status jrec_file::open() {
  auto file = MappedFile::open(name);
  if (!file) return failed(JREC_SYSTEM, 0, file.error().what);
  mapped_.emplace(std::move(*file));
  return open(mapped_->bytes());
}

jrec_status jrec_file::open(std::span<const uint8_t> memory) {
  if (jfr::old::is_old_recording(memory)) memory = translated(memory);
  texts.set_room(jfr::c::TextTable::kLeastRoom + 4 * memory.size());
  scanner_.emplace(memory, problems);
  bytes_ = memory;
  return JREC_OK;
}

// Of version 0.9. The file is not needed any more.
std::span<const uint8_t> jrec_file::translated(std::span<const uint8_t> old) {
  const auto keep = [&](std::span<const uint8_t> piece) {
    translated_.insert(translated_.end(), piece.begin(), piece.end());
    return base::Status(base::Done{});
  };
  const auto let_go = [&](uint64_t offset, uint64_t size) {
    if (mapped_) mapped_->let_go(offset, size);
  };
  (void)jfr::old::translate_recording(old, problems, {keep, let_go});  // keep() does not fail
  mapped_.reset();
  return translated_;
}

jrec_type& jrec_file::type_named(std::string_view type_name) {
  const auto known = types_.find(type_name);
  if (known != types_.end()) return *known->second;
  return *types_.emplace(type_name, std::make_unique<jrec_type>(*this, type_name)).first->second;
}

jrec_status jrec_file::next_chunk() {
  if (!scanner_) return fail(JREC_USAGE, "is not open");
  leave_chunk();
  if (ended_) return end();
  const auto found = scanner_->next();
  if (!found) return end();
  extent = *found;
  ++chunk_number;
  chunk.emplace(bytes_, extent, problems);
  fields.emplace(*chunk);
  stack_reader.emplace(*chunk, texts, stacks);
  events_.emplace(chunk->events());
  by_index_.assign(chunk->metadata().types().size(), nullptr);
  undeclared_noted_ = false;
  return JREC_OK;
}

void jrec_file::leave_chunk() {
  if (chunk && mapped_) mapped_->let_go(extent.offset, extent.size);
  for (auto& [unused, type] : types_) type->leaves_of = nullptr;
  at = nullptr;
  event_type = nullptr;
  events_.reset();
  stack_reader.reset();
  fields.reset();
  chunk.reset();
}

jrec_status jrec_file::next() {
  for (;;) {
    if (!chunk)
      if (const jrec_status status = next_chunk(); status != JREC_OK) return status;
    while (events_->next(event)) {
      jrec_type* const type = type_of_event();
      if (type == nullptr || !wanted(*type)) continue;
      at = type;
      return JREC_OK;
    }
    leave_chunk();
  }
}

// nullptr: it is no event for users, or of a type that is not declared.
jrec_type* jrec_file::type_of_event() {
  if (event.type_id == jfr::kMetadataType || event.type_id == jfr::kCheckpointType) return nullptr;
  const auto& metadata = chunk->metadata();
  const uint32_t index = metadata.index_of(event.type_id);
  if (index == jfr::read::kNoType) {
    if (!undeclared_noted_) {
      damaged(extent.offset + event.at, "event of type " + std::to_string(event.type_id) + ", which is not declared");
      undeclared_noted_ = true;
    }
    return nullptr;
  }
  event_type = &metadata.types()[index];
  if (by_index_[index] == nullptr) by_index_[index] = &type_named(event_type->name);
  return by_index_[index];
}

jrec_status jrec_file::end() {
  if (!ended_ && chunk_number == 0 && problems.empty()) damaged(0, "holds no chunk");
  ended_ = true;
  if (problems.empty()) return JREC_END;
  std::string what = problems.kept().front().what;
  if (problems.count() > 1) what += "; " + std::to_string(problems.count()) + " problems in all";
  return failed(JREC_DAMAGED, problems.kept().front().offset, what);
}

jrec_status jrec_file::fail(jrec_status status, std::string_view what) {
  error = name;
  error += ": ";
  error += what;
  return status;
}

jrec_status jrec_file::failed(jrec_status status, uint64_t offset, std::string_view what) {
  if (status != JREC_DAMAGED) return fail(status, what);
  char place[32];
  std::snprintf(place, sizeof place, "at 0x%" PRIx64 ": ", offset);
  return fail(status, place + std::string(what));
}

jrec_status jrec_file::damaged(uint64_t offset, std::string what) {
  failed(JREC_DAMAGED, offset, what);
  problems.add(base::corrupt(offset, std::move(what)));
  return JREC_DAMAGED;
}

jrec_status jrec_file::no_room() {
  return fail(JREC_LIMIT, "its texts would take more memory than a file of its size has use for");
}
