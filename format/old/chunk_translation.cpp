// SPDX-License-Identifier: Apache-2.0
#include "format/old/chunk_translation.h"

#include <algorithm>
#include <string>

#include "format/header_layout.h"
#include "format/old/settings.h"
#include "format/old/translation.h"
#include "format/reader/chunk_scanner.h"

namespace jfr::old {

using base::corrupt;
using read::Cursor;
using read::Problems;

namespace {

constexpr uint64_t kMetadataField = 8;  // of the header
constexpr uint64_t kEventHead = 8;      // size and type
constexpr uint64_t kMostShort = 127;
constexpr uint32_t kMostKeys = uint32_t{1} << 31;  // then they begin anew

class Chunk {
 public:
  Chunk(std::span<const uint8_t> chunk, uint64_t metadata, uint64_t at, const Description& description,
        uint32_t& last_key, Problems& problems)
      : chunk_(chunk),
        at_(at),
        end_(metadata),
        description_(description),
        last_key_(last_key),
        problems_(problems),
        schema_(description),
        constants_(chunk, end_, description, at, problems),
        translation_(chunk, description, schema_, constants_, last_key < kMostKeys ? last_key : 0) {}

  std::optional<NewChunk> run() {
    for (uint64_t at = kBodyOffset; at < end_;) {
      Cursor in(chunk_, at, end_);
      const uint32_t size = in.be32();
      const uint32_t type = in.be32();
      if (!in.ok() || size < kEventHead || size > end_ - at) {
        problems_.add(corrupt(at_ + at, "event claims " + std::to_string(size) + " bytes"));
        at = next_checkpoint(at);
        continue;
      }
      Cursor body(chunk_, at + kEventHead, at + size);
      if (type != kMetadataType && type != kCheckpointType) event(body, type, at);
      at += size;
    }
    last_key_ = translation_.last_key();
    const uint64_t checkpoint = kHeaderSize + made_.body.size();
    translation_.write_checkpoint(made_.body, description_.start_ticks);
    const uint64_t metadata = kHeaderSize + made_.body.size();
    if (!encode_metadata(made_.body, description_.start_ticks, schema_.metadata())) return too_large();
    if (kHeaderSize + made_.body.size() > read::ChunkScanner::kMaxChunkSize) return too_large();
    write_header(checkpoint, metadata);
    return std::move(made_);
  }

 private:
  std::optional<NewChunk> too_large() {
    problems_.add({base::ErrorCode::kLimit, at_, "chunk is too large to be read"});
    return std::nullopt;
  }

  uint64_t next_checkpoint(uint64_t at) const {
    const auto next = std::ranges::upper_bound(constants_.checkpoints(), at);
    return next == constants_.checkpoints().end() ? end_ : *next;
  }

  void event(Cursor& in, uint32_t type_id, uint64_t at) {
    const uint32_t index = description_.event_of(type_id);
    if (index == kNone && type_id == kLostType) return lost_event(in, at);
    if (index == kNone || !schema_.event(index).readable)
      return note(at, "an event of type " + std::to_string(type_id) + ", which the metadata does not describe");
    const EventType& type = description_.events[index];
    body_.clear();
    const auto end_ticks = static_cast<int64_t>(in.be64());
    if (index == schema_.settings()) return settings(in, type, end_ticks, at);
    const int64_t start_ticks = type.has_start ? static_cast<int64_t>(in.be64()) : end_ticks;
    body_.leb_i64(start_ticks);
    if (type.has_start) body_.leb(static_cast<uint64_t>(end_ticks) - static_cast<uint64_t>(start_ticks));
    if (type.has_thread) body_.leb(translation_.thread(in.be32(), end_ticks));
    if (type.has_stack) body_.leb(translation_.constant(schema_.stack_pool(), in.be64(), end_ticks));
    translation_.fields(in, type.structure, end_ticks, body_, schema_.event(index).kilobytes);
    if (!in.ok()) return note(at, "fields of " + schema_.event(index).name + " do not fit into its bytes");
    commit(type_id, at);
  }

  void lost_event(Cursor& in, uint64_t at) {
    const auto ticks = static_cast<int64_t>(in.be64());
    body_.clear();
    body_.leb_i64(ticks);
    body_.leb(translation_.thread(in.be32(), ticks));
    body_.leb(in.be32());
    if (!in.ok()) return note(at, "fields of jdk.DataLoss do not fit into its bytes");
    commit(kLostType, at);
  }

  void settings(Cursor& in, const EventType& type, int64_t ticks, uint64_t at) {
    const TypeSettings told = read_settings(in, description_, type);
    if (!in.ok()) return note(at, "fields of a setting do not fit into its bytes");
    for (const auto& [name, value] : told.values) {
      body_.clear();
      body_.leb_i64(ticks);
      body_.leb_i64(told.id);
      body_.text(name);
      body_.text(value);
      commit(type.id, at);
    }
  }

  // The event whose fields are in body_.
  void commit(uint32_t type, uint64_t at) {
    const uint64_t content = base::leb_size(type) + body_.size();
    if (content + 4 > kMaxPaddedSize) return note(at, "an event is too large to be read");
    if (content < kMostShort)
      made_.body.leb(content + 1);
    else
      made_.body.leb_padded(content + 4, 4);
    made_.body.leb(type);
    made_.body.raw(body_.bytes());
  }

  void note(uint64_t at, std::string what) { problems_.add(corrupt(at_ + at, std::move(what))); }

  void write_header(uint64_t checkpoint, uint64_t metadata) {
    int64_t start_ns = 0, duration_ns = 0, duration_ms = 0;
    constexpr int64_t kMillis = 1'000'000;
    if (__builtin_mul_overflow(description_.start_ms, kMillis, &start_ns)) start_ns = 0;
    if (__builtin_sub_overflow(description_.end_ms, description_.start_ms, &duration_ms) || duration_ms < 0 ||
        __builtin_mul_overflow(duration_ms, kMillis, &duration_ns))
      duration_ns = 0;
    ByteSink& out = made_.header;
    out.raw(kChunkMagic);
    out.be16(kMajorVersion);
    out.be16(kMinorVersion);
    out.be64(kHeaderSize + made_.body.size());
    out.be64(checkpoint);
    out.be64(metadata);
    out.be64(static_cast<uint64_t>(start_ns));
    out.be64(static_cast<uint64_t>(duration_ns));
    out.be64(static_cast<uint64_t>(description_.start_ticks));
    out.be64(static_cast<uint64_t>(description_.ticks_per_second));
    out.u8(kStateFinished);
    out.u8(0);
    out.be16(kFlagCompressed);
  }

  const std::span<const uint8_t> chunk_;
  const uint64_t at_;   // in the file
  const uint64_t end_;  // of the events
  const Description& description_;
  uint32_t& last_key_;
  Problems& problems_;
  const Schema schema_;
  Constants constants_;
  Translation translation_;
  NewChunk made_;
  ByteSink body_;
};

}  // namespace

base::Result<Extent> extent_told(std::span<const uint8_t> bytes, uint64_t at) {
  Cursor header(bytes, kMetadataField);
  const uint64_t metadata = header.be64();
  if (!header.ok()) return corrupt(at, "chunk header is cut short");
  if (metadata < kBodyOffset || metadata > bytes.size() || bytes.size() - metadata < kEventHead)
    return corrupt(at, "chunk has its metadata at byte " + std::to_string(metadata) + ", and " +
                           std::to_string(bytes.size()) + " are there: without it nothing of it can be read");
  Cursor in(bytes, metadata);
  const uint32_t size = in.be32();
  const uint32_t type = in.be32();
  if (type != kMetadataType || size < kEventHead || size > bytes.size() - metadata)
    return corrupt(at + metadata, "there is no whole metadata event where the chunk says: nothing of it can be read");
  if (metadata + size > read::ChunkScanner::kMaxChunkSize)
    return base::Error{base::ErrorCode::kLimit, at, "chunk is larger than 4 GiB"};
  return Extent{metadata, metadata + size};
}

std::optional<Extent> extent_walked(std::span<const uint8_t> bytes) {
  for (uint64_t at = kBodyOffset; at < bytes.size() && at < read::ChunkScanner::kMaxChunkSize;) {
    Cursor in(bytes, at);
    const uint32_t size = in.be32();
    const uint32_t type = in.be32();
    if (!in.ok() || size < kEventHead || size > bytes.size() - at) break;
    if (type == kMetadataType) return Extent{at, at + size};
    at += size;
  }
  return std::nullopt;
}

std::optional<NewChunk> translate_chunk(std::span<const uint8_t> chunk, uint64_t metadata, uint64_t at,
                                        uint32_t& last_key, Problems& problems) {
  const base::Result<Description> description = Description::parse(chunk, metadata);
  if (description) return Chunk(chunk, metadata, at, *description, last_key, problems).run();
  base::Error error = description.error();
  error.offset += at;
  problems.add(std::move(error));
  return std::nullopt;
}

}  // namespace jfr::old
