// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "format/archive/old_chunk_codec.h"
#include "format/archive/old_record_code.h"
#include "format/old/chunk_translation.h"
#include "format/old/value_walk.h"
#include "format/reader/metadata.h"

namespace jfr::archive {
namespace {

using Bytes = std::span<const uint8_t>;
using old::Description;
using read::Cursor;
using Model = OldChunkModel;

// Reads a record that fits (see below) into columns.
class OldTaker {
 public:
  OldTaker(Cursor in, Model& model) : in_(in), streams_(model.streams), frames_(model.frames) {}

  uint64_t number(uint32_t stream, uint32_t width) {
    const uint64_t value = in_.big_endian(width);
    streams_.numbers(stream).put(value);
    return value;
  }
  uint64_t difference(uint32_t stream, uint32_t width, uint64_t before) {
    const uint64_t value = in_.big_endian(width);
    streams_.numbers(stream).put(zigzag(value - before));
    return value;
  }
  void text(const OldColumn& column) {
    const uint64_t length = number(column.numbers, column.width);
    streams_.bytes(column.bytes).put(in_.bytes(length * column.unit));
  }
  // One that is too deep fails all.
  void stack(const OldColumn& column) {
    const uint64_t count = number(column.numbers, column.width);
    if (count > StackModel::kMostFrames) in_.fail();
    std::vector<StackFrame> frames(in_.ok() ? count : 0);
    for (StackFrame& frame : frames) {
      for (size_t i = 0; i < column.inner.size(); ++i) frame[i] = in_.big_endian(column.inner[i].width);
      if (column.inner.size() < frame.size()) std::swap(frame[2], frame[3]);
    }
    if (!frames.empty()) frames_.put(frames);
  }
  bool more(uint32_t stream) {
    const bool more = in_.remaining() > 0;
    streams_.numbers(stream).put(more);
    return more;
  }
  uint32_t pool(uint32_t stream, const Description& description) {
    const uint32_t index = description.pool_of(in_.be32());
    streams_.numbers(stream).put(index);
    return index;
  }
  bool ok() const { return in_.ok(); }

 private:
  Cursor in_;
  Streams& streams_;
  OldFrames& frames_;
};

// Whether a record's bytes are those of its fields, all of them.
bool fits(Cursor in, const Description& description, const old::EventType& type) {
  if (!description.structures[type.structure].usable) return false;
  in.skip(8 + (type.has_start ? 8 : 0) + (type.has_thread ? 4 : 0) + (type.has_stack ? 8 : 0));
  old::skip_fields(in, description, type.structure);
  return in.ok() && in.remaining() == 0;
}

bool fits_checkpoint(Cursor in, const Description& description) {
  in.skip(16);
  while (in.ok() && in.remaining() > 0) {
    const uint32_t pool = description.pool_of(in.be32());
    if (pool == old::kNone || !description.can_hold_constants(pool)) return false;
    for (uint64_t left = in.be32(); left > 0 && in.ok(); --left) {
      in.skip(old::width_of(description.pools[pool].key));
      old::skip_fields(in, description, description.pools[pool].structure);
    }
  }
  return in.ok();
}

class OldEncoder {
 public:
  // False: these bytes do not begin with a chunk, or have too many columns, or too deep stacks.
  bool run(Bytes bytes) {
    bool whole = true, any = false;
    for (; whole && next_chunk(bytes); any = true) {
      model_.streams.numbers(model_.more).put(1);
      whole = chunk();
      bytes = bytes.subspan(chunk_.size());
    }
    model_.streams.numbers(model_.more).put(0);
    put_raw(bytes);
    return whole && any;
  }
  CodedOldChunks coded(NewCodings news) && { return {model_.streams.to_blocks(news), std::move(metadata_)}; }

 private:
  bool next_chunk(Bytes bytes) {
    if (!old::starts_old_chunk(bytes)) return false;
    const auto extent = old::extent_told(bytes, 0);
    if (!extent) return false;
    chunk_ = bytes.first(extent->size);
    events_end_ = extent->metadata;
    if (chunk_.size() - events_end_ > read::kMaxMetadataSize) return false;
    auto description = Description::parse(chunk_, events_end_);
    if (description) model_.describe(std::move(*description));
    return description.ok();
  }

  bool chunk() {
    model_.streams.bytes(model_.heads).put(chunk_.first(Model::kHeadBytes));
    metadata_.push_back(chunk_.subspan(events_end_));
    for (uint64_t at = Model::kHeadBytes; at < events_end_;) {
      Cursor head(chunk_, at, events_end_);
      uint64_t size = head.be32();
      const uint32_t type = head.be32();
      const bool is_record = head.ok() && size >= Model::kRecordHead && size <= events_end_ - at;
      if (!is_record) size = events_end_ - at;
      if (!is_record || !record(at, size, type)) put_kind(Model::kRaw), put_raw(chunk_.subspan(at, size));
      if (failed_) return false;
      at += size;
    }
    put_kind(Model::kMetadata);
    return true;
  }

  // False: it is to stay as it is.
  bool record(uint64_t at, uint64_t size, uint32_t type) {
    const Cursor body(chunk_, at + Model::kRecordHead, at + size);
    const Description& description = model_.description();
    if (type == old::kCheckpointType) return checkpoint(body, at);
    const uint32_t index = description.event_of(type);
    if (type == old::kMetadataType || index == old::kNone || !fits(body, description, description.events[index]))
      return false;
    const OldEventColumns* const columns = model_.event(index);
    if (columns == nullptr) return false;
    put_kind(Model::kFirstEvent + index);
    OldTaker taker(body, model_);
    code_event(taker, *columns, description.events[index], model_);
    failed_ = !taker.ok();
    return true;
  }

  bool checkpoint(const Cursor& body, uint64_t at) {
    if (!fits_checkpoint(body, model_.description())) return false;
    put_kind(Model::kCheckpoint);
    OldTaker taker(body, model_);
    failed_ = !code_checkpoint(taker, model_);
    model_.last_checkpoint = at;
    return true;
  }

  void put_kind(uint64_t kind) { model_.streams.numbers(model_.kinds).put(kind); }
  void put_raw(Bytes bytes) {
    model_.streams.numbers(model_.raw_sizes).put(bytes.size());
    model_.streams.bytes(model_.raw).put(bytes);
  }

  Model model_;
  std::vector<Bytes> metadata_;
  Bytes chunk_;
  uint64_t events_end_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<CodedOldChunks> encode_old_chunks(Bytes bytes, NewCodings news) {
  if (bytes.size() > kMostOldBytes) return std::nullopt;
  OldEncoder encoder;
  if (!encoder.run(bytes)) return std::nullopt;
  CodedOldChunks coded = std::move(encoder).coded(news);
  const auto back = decode_old_chunks(coded.blocks, coded.metadata, bytes.size());
  if (!back || !std::ranges::equal(*back, bytes)) return std::nullopt;
  return coded;
}

}  // namespace jfr::archive
