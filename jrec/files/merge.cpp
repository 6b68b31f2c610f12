// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/merge.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "format/reader/chunk_scanner.h"
#include "format/reader/values.h"
#include "jrec/base/escape.h"
#include "jrec/base/plural.h"
#include "jrec/base/quiet.h"
#include "jrec/files/chunk_rewrite.h"
#include "jrec/files/merge_source.h"
#include "jrec/files/recording_output.h"
#include "jrec/files/type_ids.h"
#include "jrec/input/chunk_content.h"
#include "jrec/input/recording.h"

namespace jrec {
namespace {

using base::Result;
using jfr::read::Chunk;
using jfr::read::ChunkExtent;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Type;

// Settings name the event type they are of by its number.
class EverythingStays : public EventRule {
 public:
  explicit EverythingStays(const TypeIds::Map* ids) : ids_(ids) {}
  bool keeps(Chunk&, const Event&, const Type*) override { return true; }
  bool edits(Chunk& chunk, const Event& event, const Type& type, WireBytes& fields) override {
    if (ids_ == nullptr || type.name != "jdk.ActiveSetting") return false;
    const int id = type.field("id");
    if (id < 0 || type.fields[static_cast<size_t>(id)].kind != jfr::read::Kind::kLong || !type.decodable())
      return false;
    Cursor in = chunk.field(event, type, id);
    const uint64_t at = in.at();
    const auto found = ids_->find(in.leb());
    if (!in.ok() || found == ids_->end()) return false;
    fields.add(chunk.bytes().subspan(event.body, at - event.body));
    fields.leb(found->second);
    fields.add(chunk.bytes().subspan(in.at(), event.at + event.size - in.at()));
    return true;
  }

 private:
  const TypeIds::Map* ids_;
};

bool header_is_good(const ChunkExtent& extent) {
  const jfr::read::ChunkHeader& header = extent.header;
  return extent.whole && header.state == jfr::kStateFinished && header.metadata >= jfr::kHeaderSize &&
         header.metadata < extent.size && header.checkpoint >= jfr::kHeaderSize && header.checkpoint < extent.size;
}

// Whether the chunk can be taken as it is, with no damage that a reader would stumble over.
bool is_good(const Stretch& bytes, const ChunkExtent& extent) {
  if (!header_is_good(extent)) return false;
  jfr::read::Problems problems;
  Chunk chunk(bytes.bytes, extent, problems, bytes.offset);
  jfr::read::EventWalk events = chunk.events();
  for (Event event; events.next(event);) {
    const jfr::read::Type* type = chunk.type_of(event);
    if (type != nullptr && !jfr::read::value_fits(chunk.body(event), chunk.metadata(), *type)) return false;
  }
  return problems.empty();
}

class Merge {
 public:
  explicit Merge(RecordingOutput& to) : to_(to) {}

  // Opens the file; its chunks wait. The exit code if it cannot be opened.
  std::optional<ExitCode> add(const std::string& path) {
    auto source = std::make_unique<MergeSource>(path);
    if (!source->recording.open()) return source->recording.finish();
    programs_.begin_file();
    source->recording.each_chunk([&](Chunk& chunk) {
      const ChunkExtent extent{chunk.offset_in_file(), chunk.bytes().size(), chunk.header(), chunk.whole()};
      source->chunks.push_back({extent, programs_.of(chunk)});
      ids_.reserve(chunk.metadata());
      if (source->chunks.back().program == 0) ids_.map(chunk.metadata(), 0);
    });
    sources_.push_back(std::move(source));
    return std::nullopt;
  }

  void run() {
    find_longest();
    if (const MergeSource* first = earliest()) clock_.emplace(first->chunks[first->next].extent.header.start_ns);
    while (MergeSource* source = earliest()) {
      const MergeChunk& chunk = source->chunks[source->next++];
      if (is_early_copy(*source, chunk) || was_taken(*source, chunk))
        ++duplicates_;
      else
        write(*source, chunk);
    }
  }

  ExitCode finish() const {
    ExitCode worst = kDone;
    size_t readable = 0;
    for (const auto& source : sources_) {
      const ExitCode code = source->recording.finish();
      readable += code != kNothingReadable;
      if (code != kDone) worst = kDamaged;
    }
    return readable == 0 ? kNothingReadable : worst;
  }

  size_t programs() const { return programs_.count(); }
  size_t duplicates() const { return duplicates_; }

 private:
  static int64_t begin_ns(const MergeSource& source) { return source.chunks[source.next].extent.header.start_ns; }

  MergeSource* earliest() {
    MergeSource* best = nullptr;
    for (const auto& source : sources_) {
      if (source->next == source->chunks.size()) continue;
      if (best == nullptr || begin_ns(*source) < begin_ns(*best)) best = source.get();
    }
    return best;
  }

  struct Copy {
    MergeSource* source = nullptr;
    ChunkExtent extent;
  };
  // Of a program, on both clocks: no two of its chunks begin at one.
  using Moment = std::tuple<size_t, int64_t, int64_t>;
  static Moment begin_of(const MergeChunk& chunk) {
    return {chunk.program, chunk.extent.header.start_ns, chunk.extent.header.start_ticks};
  }

  // A damaged one leaves none out. Only one that is longer than another is read for it: copies of dumps are not.
  void find_longest() {
    std::map<Moment, int64_t> shortest;
    for (const auto& source : sources_)
      for (const MergeChunk& chunk : source->chunks) {
        const int64_t length_ns = chunk.extent.header.duration_ns;
        int64_t& least = shortest.try_emplace(begin_of(chunk), length_ns).first->second;
        least = std::min(least, length_ns);
      }
    for (const auto& source : sources_)
      for (const MergeChunk& chunk : source->chunks) {
        const ChunkExtent& extent = chunk.extent;
        const Moment begin = begin_of(chunk);
        if (extent.header.duration_ns == shortest[begin]) continue;
        Copy& longest = longest_[begin];
        const int64_t least_ns = longest.source == nullptr ? 0 : longest.extent.header.duration_ns;
        if (extent.header.duration_ns > least_ns && is_good(source->recording.read(extent), extent))
          longest = {source.get(), extent};
      }
  }

  // It was copied while it was written, and another file has more of it.
  bool is_early_copy(MergeSource& source, const MergeChunk& chunk) const {
    const jfr::read::ChunkHeader& header = chunk.extent.header;
    const auto found = longest_.find(begin_of(chunk));
    if (header.start_ticks == 0 || found == longest_.end()) return false;
    const Copy& longest = found->second;
    return longest.source != nullptr && header.duration_ns < longest.extent.header.duration_ns &&
           is_beginning_of(source.recording.read(chunk.extent), longest.source->recording.read(longest.extent));
  }

  // Another file had the same chunk, and it has been written.
  bool was_taken(MergeSource& source, const MergeChunk& chunk) {
    const ChunkExtent& extent = chunk.extent;
    if (extent.size < jfr::kHeaderSize) return true;
    for (const auto& other : sources_) {
      if (other.get() == &source) continue;
      for (size_t i = other->next; i-- > 0 && other->chunks[i].extent.header.start_ns == extent.header.start_ns;)
        if (is_same(source, extent, *other, other->chunks[i].extent)) return true;
    }
    return false;
  }

  // As it is, or as merge has written it.
  static bool is_same(MergeSource& source, const ChunkExtent& extent, MergeSource& other, const ChunkExtent& theirs) {
    if (extent.size != theirs.size && extent.header.duration_ns != theirs.header.duration_ns) return false;
    const Stretch our_bytes = source.recording.read(extent), their_bytes = other.recording.read(theirs);
    if (extent.size == theirs.size && same_bytes(our_bytes, their_bytes)) return true;
    if (extent.header.duration_ns != theirs.header.duration_ns || our_bytes.bytes.empty() || their_bytes.bytes.empty())
      return false;
    jfr::read::Problems unsaid;
    Chunk ours(our_bytes.bytes, extent, unsaid, our_bytes.offset),
        written(their_bytes.bytes, theirs, unsaid, their_bytes.offset);
    return same_events(ours, written) && unsaid.empty();
  }

  void write(MergeSource& source, const MergeChunk& from) {
    const Stretch bytes = source.recording.read(from.extent);
    if (bytes.bytes.empty()) return;
    const bool stays = programs_.go_together();
    if (stays && is_good(bytes, from.extent)) return to_.add_chunk(bytes.bytes);
    Chunk chunk(bytes.bytes, from.extent, source.recording.problems(), bytes.offset);
    if (!stays) return write_apart(source, chunk, from.program);
    EverythingStays rule(nullptr);
    ChunkRewrite rewrite(chunk, rule, false);
    if (rewrite.plan()) rewrite.write(to_);
  }

  // With numbers and times that go together with those of the other programs.
  void write_apart(MergeSource& source, Chunk& chunk, size_t program) {
    const jfr::read::Clock& clock = source.clock.of(chunk);
    const TypeIds::Map ids = ids_.map(chunk.metadata(), program);
    EverythingStays rule(&ids);
    ChunkRewrite rewrite(chunk, rule, false);
    if (rewrite.metadata_at() == 0) return;
    rewrite.renumber(ids, renumbered_metadata(chunk.bytes(), rewrite.metadata_at(), ids, metadata_id(chunk, program),
                                              clock_->ticks_of(chunk.header().start_ns)));
    rewrite.retime(*clock_, clock);
    if (rewrite.plan()) rewrite.write(to_);
  }

  // Far from the small numbers that programs choose: two chunks of one id are taken to have the same types.
  static uint64_t metadata_id(const Chunk& chunk, size_t program) {
    constexpr uint64_t kSeed = 0x6a09e667f3bcc908;
    if (program == 0) return chunk.metadata().id();
    return jfr::read::hash_key(chunk.metadata().id(), jfr::read::hash_key(program, kSeed)) >> 1;
  }

  RecordingOutput& to_;
  std::vector<std::unique_ptr<MergeSource>> sources_;
  MergePrograms programs_;
  std::map<Moment, Copy> longest_;  // the longest good one of several that begin then
  TypeIds ids_;
  std::optional<CommonClock> clock_;
  size_t duplicates_ = 0;
};

}  // namespace

ExitCode run_merge(const MergeOptions& options, Output& out) {
  Result<RecordingOutput> to = RecordingOutput::create(options.out, options.files);
  if (!to) {
    complain(options.out, to.error());
    return to.error().code == base::ErrorCode::kUsage ? kUsageError : kOutputFailed;
  }
  Merge merge(*to);
  for (const std::string& file : options.files)
    if (const std::optional<ExitCode> failed = merge.add(file)) return *failed;
  merge.run();
  const ExitCode code = merge.finish();
  if (code == kNothingReadable || to->chunks() == 0) return kNothingReadable;
  if (const base::Status done = to->commit(); !done) return complain(options.out, done.error()), kOutputFailed;
  if (!quiet() && options.out != "-")
    out.add(fmt::format("{}: {} of {}, {} found twice\n", plain(options.out), plural(to->chunks(), "chunk"),
                        plural(merge.programs(), "program"), merge.duplicates()));
  return code;
}

}  // namespace jrec
