// SPDX-License-Identifier: Apache-2.0
#include "recover/repair.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>

#include "base/leb128.h"
#include "format/reader/cover_type.h"
#include "format/reader/cursor.h"
#include "format/reader/event_walk.h"
#include "recover/header_patch.h"
#include "recover/name_check.h"
#include "recover/repair_walk.h"

namespace rec {
namespace {

using base::Error;
using base::ErrorCode;
using jfr::read::ChunkExtent;
using jfr::read::Cursor;
using jfr::read::Metadata;

constexpr size_t kMostLosses = 20;                        // listed of one chunk
constexpr uint64_t kMostCover = (uint64_t{1} << 28) - 1;  // of one event whose size takes four bytes

bool is_event(std::span<const uint8_t> chunk, uint64_t at, uint64_t type) {
  if (at < jfr::kHeaderSize || at >= chunk.size()) return false;
  Cursor in(chunk, at);
  const uint64_t size = in.leb();
  return in.leb() == type && in.ok() && size != 0 && size <= chunk.size() - at;
}

// Where the chain of checkpoints that the header begins leads, oldest first; stops where it breaks.
std::vector<uint64_t> chain_of(std::span<const uint8_t> chunk, uint64_t at) {
  std::vector<uint64_t> chain;
  while (is_event(chunk, at, jfr::kCheckpointType)) {
    chain.push_back(at);
    Cursor in(chunk, at);
    in.skip_lebs(4);
    const auto delta = static_cast<int64_t>(in.leb());
    const uint64_t back = uint64_t{0} - static_cast<uint64_t>(delta);
    if (!in.ok() || delta >= 0 || back > at) break;
    at -= back;
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

// The last metadata that a walk by sizes meets before the first thing that is no event.
uint64_t walked_metadata(std::span<const uint8_t> chunk) {
  uint64_t found = 0;
  jfr::read::EventWalk walk(chunk, jfr::kHeaderSize, {});
  for (jfr::read::Event event; walk.next(event);)
    if (event.type_id == jfr::kMetadataType && Metadata::parse(chunk, event.at)) found = event.at;
  return found;
}

class Examination {
 public:
  Examination(std::span<const uint8_t> file, const ChunkExtent& extent)
      : chunk_(file.subspan(extent.offset, extent.size)), extent_(extent) {
    repair_.offset = extent.offset;
    repair_.size = extent.size;
  }

  Repair run() {
    if (chunk_.size() < jfr::kHeaderSize) return drop("its header is cut");
    const uint64_t said = extent_.header.metadata;
    const bool said_well = is_event(chunk_, said, jfr::kMetadataType) && Metadata::parse(chunk_, said);
    metadata_at_ = said_well ? said : walked_metadata(chunk_);
    if (metadata_at_ == 0) return drop("it has no metadata, so its events have no names");
    chain_ = chain_of(chunk_, extent_.header.checkpoint);
    chain_is_whole_ = !chain_.empty() && ends(chain_.front());
    // Events are judged by the metadata that the header will name, which has to be among what is kept.
    for (int tries = 0; tries < kMetadataTries; ++tries) {
      const base::Result<Metadata> metadata = Metadata::parse(chunk_, metadata_at_);
      if (!metadata) break;
      RepairWalk walk(chunk_, metadata.value(), anchors());
      walk.run();
      const std::vector<uint64_t>& met = walk.metadata_met;
      if (std::find(met.begin(), met.end(), metadata_at_) != met.end()) return judge(walk, metadata.value());
      if (met.empty()) break;
      metadata_at_ = met.back();
    }
    return drop("its metadata does not stand among its events");
  }

 private:
  static constexpr int kMetadataTries = 4;

  // Where the walk can find its way again.
  std::vector<uint64_t> anchors() const {
    std::vector<uint64_t> all = chain_;
    all.insert(std::lower_bound(all.begin(), all.end(), metadata_at_), metadata_at_);
    return all;
  }

  bool ends(uint64_t checkpoint) const {
    Cursor in(chunk_, checkpoint);
    in.skip_lebs(4);
    return in.leb() == 0 && in.ok();
  }

  Repair drop(const char* why) {
    repair_.verdict = Repair::Verdict::kDropped;
    lose(0, "chunk of " + std::to_string(extent_.size) + " bytes is dropped: " + why);
    repair_.size = 0;
    return std::move(repair_);
  }

  Repair judge(RepairWalk& walk, const Metadata& metadata) {
    const jfr::read::ChunkHeader& header = extent_.header;
    if (walk.checkpoints.empty()) return drop("it has no constants, so its stacks and threads have no names");
    repair_.samples = walk.samples;
    for (const Error& one : NameCheck(chunk_, metadata, walk.pools()).run(metadata_at_)) lose(one.offset, one.what);
    const bool header_is_right = header.state == jfr::kStateFinished && extent_.whole && header.size == chunk_.size() &&
                                 header.metadata == metadata_at_ && chain_is_whole_ &&
                                 header.checkpoint >= walk.checkpoints.back().at;
    if (header_is_right && walk.bad.empty() && walk.end == chunk_.size()) return std::move(repair_);
    repair_.verdict = Repair::Verdict::kRepaired;
    repair_.size = walk.end;
    if (walk.tail.end != 0) lose(walk.tail.at, cut(walk.tail));
    relink(walk.checkpoints);
    for (const BadStretch& stretch : walk.bad) {
      lose(stretch.at,
           std::string(stretch.why) + ": " + std::to_string(stretch.end - stretch.at) + " bytes are covered");
      cover(stretch, metadata);
    }
    make_header(walk);
    return std::move(repair_);
  }

  static std::string cut(const BadStretch& tail) {
    return std::string(tail.why) + ": " + std::to_string(tail.end - tail.at) + " bytes are cut off";
  }

  void lose(uint64_t at, std::string what) {
    if (repair_.losses.size() >= kMostLosses)
      ++repair_.more_losses;
    else
      repair_.losses.push_back(Error{ErrorCode::kCorrupt, extent_.offset + at, std::move(what)});
  }

  // Each checkpoint that leads to none of those that are kept is made to lead to the one before it.
  void relink(const std::vector<GoodCheckpoint>& checkpoints) {
    for (size_t i = 0; i < checkpoints.size(); ++i) {
      const GoodCheckpoint& one = checkpoints[i];
      const uint64_t target = one.at + static_cast<uint64_t>(one.delta);
      const auto leads_to = [&](const GoodCheckpoint& other) { return other.at < target; };
      const auto found =
          std::partition_point(checkpoints.begin(), checkpoints.begin() + static_cast<ptrdiff_t>(i), leads_to);
      const bool good = found != checkpoints.begin() + static_cast<ptrdiff_t>(i) && found->at == target;
      if (one.delta == 0 || good) continue;
      const int64_t delta = i == 0 ? 0 : static_cast<int64_t>(checkpoints[i - 1].at) - static_cast<int64_t>(one.at);
      // A negative number takes nine bytes, as the delta that is there; zero can be padded to any length.
      const bool fits = delta == 0 || one.delta_bytes == 9;
      repair_.patches.push_back({one.delta_at, padded_delta(fits ? delta : 0, one.delta_bytes)});
    }
  }

  static std::vector<uint8_t> padded_delta(int64_t delta, uint64_t bytes) {
    std::vector<uint8_t> padded;
    base::append_padded_leb(static_cast<uint64_t>(delta), static_cast<size_t>(bytes), padded);
    return padded;
  }

  void cover(const BadStretch& stretch, const Metadata& metadata) {
    const uint64_t type = jfr::read::cover_type(metadata);
    assert(stretch.end - stretch.at >= kLeastCover && "the walk joins what is too short to be covered with the next");
    for (uint64_t at = stretch.at; at < stretch.end;) {
      uint64_t size = stretch.end - at;
      if (size > kMostCover) size = kMostCover - kLeastCover;  // and what is left can be covered, too
      std::vector<uint8_t> head;
      base::append_padded_leb(size, 4, head);
      base::append_padded_leb(type, 2, head);
      repair_.patches.push_back({at, std::move(head)});
      at += size;
    }
  }

  void make_header(const RepairWalk& walk) {
    const jfr::read::ChunkHeader& header = extent_.header;
    auto& bytes = repair_.header;
    std::copy_n(chunk_.begin(), bytes.size(), bytes.begin());
    assert(!walk.checkpoints.empty() && walk.end <= chunk_.size() && "judge() has dropped what has no constants");
    const uint64_t newest = walk.checkpoints.back().at;
    put_big_endian(bytes, jfr::kSizeOffset, walk.end);
    put_big_endian(bytes, jfr::kCheckpointOffset, newest);
    put_big_endian(bytes, jfr::kMetadataOffset, metadata_at_);
    bytes[jfr::kStateOffset] = jfr::kStateFinished;
    if (header.duration_ns > 0 || header.ticks_per_second <= 0 || walk.last_ticks <= header.start_ticks) return;
    const jfr::read::Clock clock(header);
    const auto ticks = static_cast<uint64_t>(walk.last_ticks) - static_cast<uint64_t>(header.start_ticks);
    put_big_endian(bytes, jfr::kDurationOffset,
                   static_cast<uint64_t>(std::max<int64_t>(clock.span_ns(static_cast<int64_t>(ticks)), 0)));
  }

  std::span<const uint8_t> chunk_;
  const ChunkExtent& extent_;
  uint64_t metadata_at_ = 0;
  std::vector<uint64_t> chain_;  // checkpoints as the header's leads from one to the next, ascending
  bool chain_is_whole_ = false;
  Repair repair_;
};

}  // namespace

Repair examine(std::span<const uint8_t> file, const ChunkExtent& extent) { return Examination(file, extent).run(); }

base::Status add_repaired(RecoveredFile& to, std::span<const uint8_t> file, const Repair& repair) {
  const auto chunk = file.subspan(repair.offset, repair.size);
  if (repair.verdict == Repair::Verdict::kWhole) return to.add(chunk);
  const uint64_t start = to.size();
  if (base::Status added = to.add(repair.header); !added) return added;
  if (base::Status added = to.add(chunk.subspan(jfr::kHeaderSize)); !added) return added;
  for (const Repair::Patch& patch : repair.patches)
    if (base::Status done = to.put(start + patch.at, patch.bytes); !done) return done;
  return base::Done{};
}

}  // namespace rec
