// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/chunk_rewrite.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "format/reader/values.h"
#include "jrec/files/references.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using jfr::kCheckpointType;
using jfr::kMetadataType;
using jfr::read::CheckpointWalk;
using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Type;

constexpr uint8_t kHoldsHeader = 2;  // flag of a checkpoint

}  // namespace

void ReachedConstants::mark(uint32_t type, uint64_t key) {
  if (type < keys_.size() && keys_[type].insert(key).second) to_follow_.push_back({type, key});
}

void ReachedConstants::follow(ConstantRule* rule) {
  WireBytes edited;
  const auto visit = [this](const Reference& reference) { mark(reference.type, reference.key); };
  while (!to_follow_.empty()) {
    const Constant next = to_follow_.back();
    to_follow_.pop_back();
    Cursor value = chunk_.constants().find(next.type, next.key);
    edited.clear();
    if (rule != nullptr && value.ok() && rule->edits(next.type) && rule->edits(next.type, next.key, value, edited))
      value = Cursor(edited.bytes(), 0);
    if (value.ok()) visit_value(value, chunk_.metadata(), chunk_.metadata().types()[next.type], visit);
  }
}

ChunkRewrite::ChunkRewrite(Chunk& chunk, EventRule& rule, bool prune)
    : chunk_(chunk),
      rule_(rule),
      prune_(prune),
      header_type_(chunk.metadata().index_of("jdk.types.ChunkHeader")),
      metadata_at_(find_metadata()),
      reached_(chunk) {}

void ChunkRewrite::renumber(const TypeIds::Map& ids, std::vector<uint8_t> metadata) {
  ids_ = &ids;
  metadata_ = std::move(metadata);
}

void ChunkRewrite::retime(const CommonClock& to, const jfr::read::Clock& from) {
  clock_ = &to;
  ticks_.emplace(to, from, chunk_.metadata());
}

// An event of an undeclared type must not become one of a declared type: it gets a number that none has.
uint64_t ChunkRewrite::id_of(uint64_t type_id) const {
  constexpr uint64_t kNobody = 0xffffffff;
  if (ids_ == nullptr) return type_id;
  const auto found = ids_->find(type_id);
  return found == ids_->end() ? kNobody : found->second;
}

bool ChunkRewrite::plan() {
  if (metadata_at_ == 0) return false;
  rule_.begin(chunk_);
  jfr::read::EventWalk events = chunk_.events();
  for (Event event; events.next(event);)
    if (consider(event)) plan_.push_back(static_cast<uint32_t>(event.at));
  if (prune_) reached_.follow(constants_);
  return true;
}

// The one that the chunk was read by: where the header says, or the last that can be read.
uint64_t ChunkRewrite::find_metadata() const {
  if (chunk_.metadata().types().empty()) return 0;
  const auto is_it = [this](uint64_t at) {
    Cursor in(chunk_.bytes(), at);
    in.leb();
    if (in.leb() != kMetadataType) return false;
    in.skip_lebs(2);
    return in.leb() == chunk_.metadata().id() && in.ok();
  };
  if (chunk_.header().metadata >= jfr::kHeaderSize && is_it(chunk_.header().metadata)) return chunk_.header().metadata;
  uint64_t last = 0;
  jfr::read::EventWalk walk(chunk_.bytes(), jfr::kHeaderSize, {});
  for (Event event; walk.next(event);)
    if (event.type_id == kMetadataType && is_it(event.at)) last = event.at;
  return last;
}

bool ChunkRewrite::consider(const Event& event) {
  if (event.type_id == kMetadataType) return event.at == metadata_at_;
  if (event.type_id == kCheckpointType) return true;
  const Type* type = chunk_.type_of(event);
  const bool stays = rule_.keeps(chunk_, event, type) && is_sound(event, type);
  ++(stays ? kept_ : left_out_);
  return stays;
}

bool ChunkRewrite::is_sound(const Event& event, const Type* type) {
  if (prune_) return type != nullptr && trace(event, *type);
  return type == nullptr || jfr::read::value_fits(chunk_.body(event), chunk_.metadata(), *type) ||
         leaves_out(event, *type);
}

bool ChunkRewrite::leaves_out(const Event& event, const Type& type) {
  chunk_.problems().add(Error{ErrorCode::kCorrupt, chunk_.offset_in_file() + event.at,
                              fmt::format("event {} cannot be decoded and is left out", type.name)});
  return false;
}

// Marks the constants of an event.
bool ChunkRewrite::trace(const Event& event, const Type& type) {
  const auto visit = [this](const Reference& reference) { reached_.mark(reference.type, reference.key); };
  edited_.clear();
  const bool edited = rule_.edits(chunk_, event, type, edited_);
  Cursor in = edited ? Cursor(edited_.bytes(), 0) : chunk_.body(event);
  visit_value(in, chunk_.metadata(), type, visit);
  return in.ok() || leaves_out(event, type);
}

HeaderBytes ChunkRewrite::header() const {
  HeaderBytes old{};
  std::ranges::copy(chunk_.bytes().first(old.size()), old.begin());
  if (clock_ != nullptr) return clock_->header(old, chunk_.header().start_ns);
  return clipped_header(old, chunk_.header(), time_);
}

void ChunkRewrite::write(RecordingOutput& out) {
  places_ = {};
  out.begin_chunk(header());
  for (const uint32_t at : plan_) {
    const Event event = event_at(at);
    if (event.type_id == kMetadataType) {
      write_metadata(event.at, out);
    } else if (event.type_id == kCheckpointType) {
      write_checkpoint(event, out);
    } else {
      write_event(event, out);
    }
  }
  if (constants_ != nullptr) write_more_constants(out);
  // It was not met on the way when damage in front of it was passed over.
  if (places_.metadata == 0) write_metadata(metadata_at_, out);
  // The JDK's reader wants one, and be it empty.
  if (places_.checkpoint == 0) put_checkpoint(static_cast<uint64_t>(chunk_.header().start_ticks), 0, 0, 0, {}, out);
  out.end_chunk(places_);
}

void ChunkRewrite::write_metadata(uint64_t at, RecordingOutput& out) {
  places_.metadata = out.chunk_size();
  out.add(ids_ != nullptr ? std::span<const uint8_t>(metadata_) : chunk_.bytes().subspan(at, event_at(at).size));
}

void ChunkRewrite::write_event(const Event& event, RecordingOutput& out) {
  const Type* type = chunk_.type_of(event);
  edited_.clear();
  const bool edited = type != nullptr && rule_.edits(chunk_, event, *type, edited_);
  uint64_t end = event.at + event.size;
  if (!edited && prune_) {
    Cursor behind = chunk_.body(event);
    skip_value(behind, chunk_.metadata(), *type);
    end = behind.at();
  }
  const bool as_it_is = !edited && ids_ == nullptr && !ticks_ && end == event.at + event.size;
  if (as_it_is) return out.add(chunk_.bytes().subspan(event.at, event.size));
  auto fields = edited ? edited_.bytes() : chunk_.bytes().subspan(event.body, end - event.body);
  retimed_.clear();
  if (ticks_ && type != nullptr && ticks_->copy_event(Cursor(fields, 0), *type, retimed_)) fields = retimed_.bytes();
  scratch_.clear();
  scratch_.leb(id_of(event.type_id));
  scratch_.add(fields);
  WireBytes size;
  put_event_size(scratch_.size(), size);
  out.add(size.bytes());
  out.add(scratch_.bytes());
}

void ChunkRewrite::write_checkpoint(const Event& event, RecordingOutput& out) {
  const CheckpointWalk walk(chunk_.bytes(), chunk_.metadata(), event.at);
  if (!walk.why().empty()) return;  // whoever asked for its constants has noted that
  Cursor in(chunk_.bytes(), walk.start_at(), walk.end());
  const uint64_t start = in.leb(), duration = in.leb();
  const bool as_they_are =
      !prune_ && ids_ == nullptr && !ticks_ && (walk.flags() & kHoldsHeader) == 0 && !touches(event);
  if (as_they_are) {
    in = Cursor(chunk_.bytes(), walk.flags_at() + 1, walk.end());
    const uint64_t count = in.leb();
    return put_checkpoint(start, duration, walk.flags(), count,
                          chunk_.bytes().subspan(walk.pools_at(), walk.end() - walk.pools_at()), out);
  }
  WireBytes pools;
  uint64_t count = 0;
  copy_pools(event, pools, count);
  if (count > 0)
    put_checkpoint(start, duration, walk.flags() & static_cast<uint8_t>(~kHoldsHeader), count, pools.bytes(), out);
}

// The pools of a checkpoint without what goes. What can be read in front of damage is taken.
void ChunkRewrite::copy_pools(const Event& event, WireBytes& pools, uint64_t& count) {
  CheckpointWalk walk(chunk_.bytes(), chunk_.metadata(), event.at);
  while (walk.next_pool()) {
    const uint32_t type = walk.pool().type;
    if (type == header_type_) continue;
    scratch_.clear();
    uint64_t constants = 0;
    while (walk.next_constant()) {
      const CheckpointWalk::Constant& constant = walk.constant();
      const bool stays = !prune_ || (reached_.has(type, constant.key) &&
                                     chunk_.constants().find(type, constant.key).at() == constant.value);
      if (!stays) continue;
      copy_constant(type, constant);
      ++constants;
    }
    if (constants == 0) continue;
    pools.leb(id_of(chunk_.metadata().types()[type].id));
    pools.leb(constants);
    pools.add(scratch_.bytes());
    ++count;
  }
  // With prune it has been noted when the constants were read.
  if (!walk.why().empty() && !prune_)
    chunk_.problems().add(Error{ErrorCode::kCorrupt, chunk_.offset_in_file() + walk.why_at(), walk.why()});
}

void ChunkRewrite::copy_constant(uint32_t type, const CheckpointWalk::Constant& constant) {
  const auto bytes = chunk_.bytes();
  scratch_.add(bytes.subspan(constant.at, constant.value - constant.at));
  const Cursor value(bytes, constant.value, constant.end);
  edited_.clear();
  if (constants_ != nullptr && constants_->edits(type) && constants_->edits(type, constant.key, value, edited_))
    return scratch_.add(edited_.bytes());
  retimed_.clear();
  const bool retimed = ticks_ && ticks_->copy_value(value, chunk_.metadata().types()[type], retimed_);
  scratch_.add(retimed ? retimed_.bytes() : bytes.subspan(constant.value, constant.end - constant.value));
}

// Whether a checkpoint has constants that may be edited.
bool ChunkRewrite::touches(const Event& event) const {
  if (constants_ == nullptr) return false;
  CheckpointWalk walk(chunk_.bytes(), chunk_.metadata(), event.at);
  while (walk.next_pool())
    if (constants_->edits(walk.pool().type)) return true;
  return false;
}

void ChunkRewrite::write_more_constants(RecordingOutput& out) {
  WireBytes pools;
  const uint64_t count = constants_->add_pools(pools);
  if (count > 0) put_checkpoint(static_cast<uint64_t>(chunk_.header().start_ticks), 0, 0, count, pools.bytes(), out);
}

// start and duration by the chunk's clock.
void ChunkRewrite::put_checkpoint(uint64_t start, uint64_t duration, uint8_t flags, uint64_t count,
                                  std::span<const uint8_t> pools, RecordingOutput& out) {
  const uint64_t at = out.chunk_size();
  WireBytes head;
  head.leb(kCheckpointType);
  head.leb(ticks_ ? static_cast<uint64_t>(ticks_->moment(static_cast<int64_t>(start))) : start);
  head.leb(ticks_ ? static_cast<uint64_t>(ticks_->span(static_cast<int64_t>(duration))) : duration);
  head.leb(places_.checkpoint == 0 ? 0 : places_.checkpoint - at);
  head.u8(flags);
  head.leb(count);
  WireBytes size;
  put_event_size(head.size() + pools.size(), size);
  out.add(size.bytes());
  out.add(head.bytes());
  out.add(pools);
  places_.checkpoint = at;
}

Event ChunkRewrite::event_at(uint64_t at) const {
  Cursor in(chunk_.bytes(), at);
  Event event;
  event.at = at;
  event.size = in.leb();
  event.type_id = in.leb();
  event.body = in.at();
  return event;
}

}  // namespace jrec
