// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/chunk_source.h"

#include <xxhash.h>

#include <algorithm>

#include "base/redact.h"
#include "format/archive/chunk_model.h"
#include "format/archive/metadata_piece.h"
#include "format/reader/chunk_flaws.h"
#include "format/reader/chunk_scanner.h"
#include "jrec/base/local_path.h"
#include "jrec/input/archive_input.h"

namespace jrec {

using base::Error;
using base::ErrorCode;
using jfr::read::ChunkExtent;

namespace {

int64_t end_of(int64_t start_ns, uint64_t duration_ns) {
  int64_t end = 0;
  return __builtin_add_overflow(start_ns, static_cast<int64_t>(duration_ns), &end) ? INT64_MAX : end;
}

// One that was not finished does not tell how far it reaches into time.
SqlChunk chunk_of(uint32_t recording, int64_t start_ns, uint64_t duration_ns) {
  const int64_t end = duration_ns == 0 ? INT64_MAX : end_of(start_ns, duration_ns);
  return {recording, start_ns, end, INT64_MIN, end, {}};
}

void widen(SqlRecording& recording, int64_t start_ns, uint64_t duration_ns) {
  const int64_t end = end_of(start_ns, duration_ns);
  recording.start_ns = recording.chunks == 0 ? start_ns : std::min(recording.start_ns, start_ns);
  recording.end_ns = recording.chunks == 0 ? end : std::max(recording.end_ns, end);
  ++recording.chunks;
}

}  // namespace

std::string SqlRecording::label(std::string_view key) const {
  for (const std::string& label : labels)
    if (label.size() > key.size() && label.starts_with(key) && label[key.size()] == '=')
      return label.substr(key.size() + 1);
  return {};
}

OpenChunk::OpenChunk(Stretch stretch, const ChunkExtent& extent)
    : stretch_(std::move(stretch)), chunk_(stretch_.bytes, extent, problems_, stretch_.offset) {}

bool ChunkSource::add(const std::string& path) {
  paths_.push_back(path);
  if (!archive_place(path) && path != "-" && holds_archive(path)) return add_archive(path);
  Recording& file = files_.emplace_back(path);
  if (file.open()) {
    add_recording(file);
    return true;
  }
  worst_ = std::max(worst_, file.finish());
  files_.pop_back();
  return false;
}

void ChunkSource::add_recording(Recording& file) {
  const auto index = static_cast<uint32_t>(recordings_.size());
  SqlRecording recording{base::redact_userinfo(file.path()), last_name(file.path()), {}, 0, 0, file.size(), 0};
  Origin origin{&file, {}, nullptr};
  for (const Recording::Piece& piece : file.pieces()) {
    if (origin.stretches.empty() || origin.stretches.back().stretch != piece.stretch) origin.stretches.push_back(piece);
    if (!piece.outline.is_chunk) continue;
    widen(recording, piece.outline.start_ns, piece.outline.duration_ns);
    chunks_.push_back(chunk_of(index, piece.outline.start_ns, piece.outline.duration_ns));
    places_.push_back({&file, piece, nullptr, nullptr});
  }
  origins_.push_back(std::move(origin));
  recordings_.push_back(std::move(recording));
}

bool ChunkSource::add_archive(const std::string& path) {
  ArchiveFile& archive = archives_.emplace_back(path);
  if (!archive.open()) return false;
  for (const jfr::archive::Member& member : archive.catalogue().members) {
    const auto index = static_cast<uint32_t>(recordings_.size());
    SqlRecording recording{
        base::redact_userinfo(path) + ":" + member.name, member.name, member.labels, 0, 0, member.size, 0};
    for (const jfr::archive::Part& part : member.parts) {
      if (!part.is_chunk()) continue;
      widen(recording, part.start_ns, part.duration_ns);
      chunks_.push_back({index, part.start_ns, part.end_ns(), part.first_event_ns(), part.last_event_ns(), part.far});
      places_.push_back({nullptr, {}, &archive, &part});
    }
    origins_.push_back({nullptr, {}, &member});
    recordings_.push_back(std::move(recording));
  }
  return true;
}

base::Result<Stretch> ChunkSource::read(const Place& place) {
  if (place.file != nullptr) return place.file->read(place.piece);
  auto bytes = place.archive->parts().read(*place.part);
  if (const auto failure = place.archive->failure(); failure && !bytes) return *failure;
  if (!bytes) return bytes.error();
  const auto owner = std::make_shared<const std::vector<uint8_t>>(std::move(*bytes));
  return Stretch{0, *owner, owner};
}

std::unique_ptr<OpenChunk> ChunkSource::open(size_t chunk) {
  auto stretch = read(places_[chunk]);
  if (!stretch) {
    note(chunk, stretch.error());
    return nullptr;
  }
  if (places_[chunk].piece.extent)
    return meet(std::make_unique<OpenChunk>(std::move(*stretch), *places_[chunk].piece.extent));
  jfr::read::Problems problems;
  jfr::read::ChunkScanner scanner(problems);
  scanner.go_on(stretch->bytes, stretch->offset, false);
  const auto extent = scanner.next();
  if (!extent) return nullptr;
  return meet(std::make_unique<OpenChunk>(std::move(*stretch), *extent));
}

std::unique_ptr<OpenChunk> ChunkSource::meet(std::unique_ptr<OpenChunk> open) {
  jfr::read::Chunk& chunk = open->chunk();
  const std::optional<WriterProcess> writer = writer_of(chunk);
  const std::lock_guard lock(mutex_);
  recorded_twice_.meet(writer, chunk.header());
  return open;
}

void ChunkSource::close(size_t chunk, OpenChunk& open) {
  const auto is_new = [&] {
    const std::lock_guard lock(mutex_);
    return searched_.insert(chunk).second;
  };
  if (is_new() && open.problems().empty()) note_flaws(open.chunk());
  for (const Error& problem : open.problems().kept()) note(chunk, problem);
}

// The chunk's first trouble; it may be read again.
void ChunkSource::note(size_t chunk, const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!told_.insert(chunk).second) return;
  complain(recordings_[chunks_[chunk].recording].file, error);
  worst_ = std::max(worst_, kDamaged);
}

jfr::archive::ContentHash ChunkSource::hash(uint32_t recording) {
  const Origin& origin = origins_[recording];
  if (origin.member != nullptr) return origin.member->hash;
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  XXH3_128bits_reset(state.get());
  for (const Recording::Piece& piece : origin.stretches)
    if (const auto stretch = origin.file->read(piece))
      XXH3_128bits_update(state.get(), stretch->bytes.data(), stretch->bytes.size());
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return {hash.low64, hash.high64};
}

bool ChunkSource::damaged(uint32_t recording) const {
  Recording* const file = origins_[recording].file;
  return (file != nullptr && !file->problems().empty()) ||
         std::ranges::any_of(told_, [&](size_t chunk) { return chunks_[chunk].recording == recording; });
}

void ChunkSource::each_metadata(const std::function<void(const jfr::read::Metadata&)>& visit) {
  std::set<std::pair<const ArchiveFile*, uint64_t>> met;
  for (size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    if (place.part == nullptr) {
      if (const auto open = this->open(i)) visit(open->chunk().metadata());
      continue;
    }
    for (const uint64_t at : place.part->metadata) {
      if (!met.emplace(place.archive, at).second) continue;
      const auto content = jfr::archive::read_metadata_piece(place.archive->bytes(), at);
      if (!content) continue;  // told when the chunk is read
      if (const auto metadata = jfr::archive::metadata_of(*content)) visit(*metadata);
    }
  }
}

// Chunks of recordings that no query came to. Archives have checksums, and are not unpacked for this.
void ChunkSource::search_the_rest() {
  for (size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].file == nullptr || searched_.contains(i)) continue;
    if (const auto open = this->open(i)) close(i, *open);
  }
}

ExitCode ChunkSource::finish() {
  search_the_rest();
  for (Recording& file : files_)
    for (const Error& problem : file.problems().kept()) {
      complain(file.path(), problem);
      worst_ = std::max(worst_, kDamaged);
    }
  for (ArchiveFile& archive : archives_) worst_ = std::max(worst_, archive.finish());
  for (std::string& twice : recorded_twice_.sentences())
    complain(Recording::name_of(paths_), Error{ErrorCode::kUsage, 0, std::move(twice)});
  if ((worst_ == kDone || worst_ == kDamaged) && chunks_.empty()) return kNothingReadable;
  return worst_;
}

}  // namespace jrec
