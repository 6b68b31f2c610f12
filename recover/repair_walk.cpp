// SPDX-License-Identifier: Apache-2.0
#include "recover/repair_walk.h"

#include <algorithm>
#include <cassert>
#include <string_view>

#include "format/header_layout.h"
#include "format/reader/cursor.h"
#include "format/reader/event_walk.h"
#include "format/reader/values.h"

namespace jrec {
namespace {

using jfr::read::Cursor;
using jfr::read::Type;

constexpr std::string_view kSampleTypes[] = {"jdk.ExecutionSample", "jdk.NativeMethodSample", "jdk.CPUTimeSample",
                                             "profiler.WallClockSample"};

bool is_sample(const Type& type) {
  return std::find(std::begin(kSampleTypes), std::end(kSampleTypes), type.name) != std::end(kSampleTypes);
}

constexpr uint64_t kLargestCoverType = 16383;  // the largest id of two bytes

}  // namespace

uint64_t cover_type(const jfr::read::Metadata& metadata) {
  uint64_t type = kLargestCoverType;
  while (type > jfr::read::kCheckpointEvent + 1 && metadata.by_id(type) != nullptr) --type;
  return type;
}

RepairWalk::RepairWalk(std::span<const uint8_t> chunk, const jfr::read::Metadata& metadata,
                       std::vector<uint64_t> anchors)
    : chunk_(chunk),
      metadata_(metadata),
      anchors_(std::move(anchors)),
      cover_type_(cover_type(metadata)),
      pools_(chunk, metadata) {
  for (const Type& type : metadata.types()) counts_.push_back(is_sample(type));
}

void RepairWalk::run() {
  end = jfr::kHeaderSize;
  for (uint64_t at = jfr::kHeaderSize; at < chunk_.size();) {
    Head head{};
    if (const char* why = read_head(at, head)) {
      const uint64_t next = next_anchor(at);
      extend_bad(at, next, why);
      at = next;
      continue;
    }
    const char* why = check(at, head);
    const bool too_short_to_cover = !bad.empty() && bad.back().end == at && at - bad.back().at < kLeastCover;
    if (!why && too_short_to_cover) why = bad.back().why;
    if (why)
      extend_bad(at, at + head.size, why);
    else
      note_good(at, head);
    at += head.size;
  }
  if (bad.empty() || bad.back().end < chunk_.size()) return;
  tail = bad.back();
  bad.pop_back();
}

const char* RepairWalk::read_head(uint64_t at, Head& head) const {
  Cursor in(chunk_, at);
  head.size = in.leb();
  head.type = in.leb();
  head.body = in.at();
  if (!in.ok() || head.size > chunk_.size() - at) return "an event that does not fit";
  if (head.body - at > head.size) return "an event that is smaller than its own head";
  return nullptr;
}

const char* RepairWalk::check(uint64_t at, const Head& head) {
  if (head.type == jfr::read::kCheckpointEvent) return check_checkpoint(at, head);
  if (head.type == jfr::read::kMetadataEvent)
    return jfr::read::Metadata::parse(chunk_, at) ? nullptr : "metadata that cannot be read";
  if (head.type == cover_type_) return nullptr;
  const uint32_t index = metadata_.index_of(head.type);
  if (index == jfr::read::kNoType) return "an event of a type that is not declared";
  const Type& type = metadata_.types()[index];
  if (!type.decodable()) return nullptr;  // readers pass over it
  Cursor in(chunk_, head.body, at + head.size);
  for (const jfr::read::Field& field : type.fields) skip_field(in, metadata_, field);
  return in.ok() ? nullptr : "an event whose fields do not fit into it";
}

const char* RepairWalk::check_checkpoint(uint64_t at, const Head& head) {
  const size_t before = problems_.count();
  pools_.add_checkpoint(at, 0, problems_);
  if (problems_.count() != before) return "a checkpoint whose constants cannot be read";
  Cursor in(chunk_, head.body, at + head.size);
  in.skip_lebs(2);
  candidate_ = {at, in.at(), 0, 0};
  candidate_.delta = static_cast<int64_t>(in.leb());
  candidate_.delta_bytes = in.at() - candidate_.delta_at;
  return nullptr;
}

void RepairWalk::note_good(uint64_t at, const Head& head) {
  end = at + head.size;
  if (head.type == jfr::read::kCheckpointEvent) {
    checkpoints.push_back(candidate_);
    return;
  }
  if (head.type == jfr::read::kMetadataEvent) {
    metadata_met.push_back(at);
    return;
  }
  if (head.type == cover_type_) return;
  const uint32_t index = metadata_.index_of(head.type);
  samples += counts_[index];
  const Type& type = metadata_.types()[index];
  if (type.fields.empty() || type.fields[0].name != "startTime") return;
  Cursor in(chunk_, head.body);
  last_ticks = std::max(last_ticks, static_cast<int64_t>(in.leb()));
}

void RepairWalk::extend_bad(uint64_t from, uint64_t to, const char* why) {
  assert(from < to && to <= chunk_.size() && (bad.empty() || bad.back().end <= from) && "stretches ascend");
  if (!bad.empty() && bad.back().end == from)
    bad.back().end = to;
  else
    bad.push_back({from, to, why});
}

uint64_t RepairWalk::next_anchor(uint64_t at) const {
  const auto next = std::upper_bound(anchors_.begin(), anchors_.end(), at);
  return next == anchors_.end() ? chunk_.size() : *next;
}

}  // namespace jrec
