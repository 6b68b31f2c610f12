// SPDX-License-Identifier: Apache-2.0
#include "recover/repair_recording.h"

#include <optional>
#include <utility>

#include "format/reader/chunk_header.h"
#include "format/reader/chunk_scanner.h"
#include "recover/repair.h"

namespace rec {
namespace {

using base::Error;
using base::ErrorCode;
using jfr::read::ChunkExtent;
using jfr::read::ChunkScanner;
using jfr::read::Problems;

void count(const Repair& repair, Tally& tally) {
  switch (repair.verdict) {
    case Repair::Verdict::kWhole: ++(repair.losses.empty() ? tally.kept : tally.repaired); break;
    case Repair::Verdict::kRepaired: ++tally.repaired; break;
    case Repair::Verdict::kDropped: ++tally.dropped; return;
  }
  tally.bytes += repair.size;
  tally.samples += repair.samples;
}

// `base`: where the stretch begins that the chunk is in.
void tell(const std::string& path, const Repair& repair, uint64_t base, Tally& tally) {
  for (Error loss : repair.losses) {
    loss.offset += base;
    tally.add_damage(path, loss);
  }
  if (repair.more_losses > 0)
    tally.add_damage(path, Error{ErrorCode::kCorrupt, base + repair.offset,
                                 std::to_string(repair.more_losses) + " more places of this kind in this chunk"});
}

// Goes from chunk to chunk of a stretch. Where the header's size leads to a whole chunk it is believed; the scanner, which has to
// guess at damage, takes a copy of the header inside a chunk (JFR writes those) for the next chunk at times.
class Chunks {
 public:
  explicit Chunks(const RecordingPart& part)
      : file_(part.bytes), base_(part.offset), alone_(part.alone), budget_(file_.size() * 4) {}

  std::optional<Repair> next(const std::string& path, Tally& tally) {
    if (std::optional<Repair> whole = believe_header()) return whole;
    Problems problems;
    ChunkScanner scanner(file_.subspan(at_), problems);
    std::optional<ChunkExtent> extent = scanner.next();
    for (Error problem : problems.kept()) {
      const bool rest_is_none = (at_ > 0 || !alone_) && problem.offset == 0 && !extent;
      if (rest_is_none) problem.what = std::to_string(file_.size() - at_) + " bytes belong to no chunk";
      problem.offset += base_ + at_;
      tally.add_damage(path, problem);
    }
    if (!extent) return std::nullopt;
    extent->offset += at_;
    at_ = extent->offset + extent->size;
    return examine(file_, *extent);
  }

 private:
  std::optional<Repair> believe_header() {
    const auto rest = file_.subspan(at_);
    const Result<jfr::read::ChunkHeader> header = jfr::read::parse_chunk_header(rest, at_);
    if (!header) return std::nullopt;
    const uint64_t size = header.value().size;
    const bool sane = size >= jfr::kHeaderSize && size <= rest.size() && size <= ChunkScanner::kMaxChunkSize;
    if (!sane || size > budget_) return std::nullopt;
    budget_ -= size;  // headers inside each other must not make this a long walk
    Repair repair = examine(file_, {at_, size, header.value(), true});
    if (repair.verdict == Repair::Verdict::kDropped || !repair.losses.empty()) return std::nullopt;
    at_ += size;
    return repair;
  }

  std::span<const uint8_t> file_;
  const uint64_t base_;
  const bool alone_;
  uint64_t at_ = 0;
  uint64_t budget_;  // bytes that may be walked in vain
};

}  // namespace

Status repair_part(const RecordingPart& part, const std::string& path, RecoveredFile* to, Tally& tally) {
  Chunks chunks(part);
  while (const std::optional<Repair> repair = chunks.next(path, tally)) {
    count(*repair, tally);
    tell(path, *repair, part.offset, tally);
    if (to == nullptr || repair->verdict == Repair::Verdict::kDropped) continue;
    if (Status added = add_repaired(*to, part.bytes, *repair); !added) return added;
  }
  return base::Done{};
}

}  // namespace rec
