// SPDX-License-Identifier: Apache-2.0
#include "recover/repair_walk.h"

#include <algorithm>
#include <cassert>
#include <string_view>

#include "format/header_layout.h"
#include "format/reader/cover_type.h"
#include "format/reader/cursor.h"
#include "format/reader/values.h"

namespace rec {
namespace {

using jfr::read::Cursor;
using jfr::read::Type;

constexpr std::string_view kSampleTypes[] = {"jdk.ExecutionSample", "jdk.NativeMethodSample", "jdk.CPUTimeSample",
                                             "profiler.WallClockSample"};

bool is_sample(const Type& type) {
  return std::find(std::begin(kSampleTypes), std::end(kSampleTypes), type.name) != std::end(kSampleTypes);
}

}  // namespace

RepairWalk::RepairWalk(std::span<const uint8_t> chunk, const jfr::read::Metadata& metadata,
                       std::vector<uint64_t> anchors)
    : chunk_(chunk),
      metadata_(metadata),
      anchors_(std::move(anchors)),
      cover_type_(jfr::read::cover_type(metadata)),
      pools_(chunk, metadata) {
  for (const Type& type : metadata.types()) counts_.push_back(is_sample(type));
}

void RepairWalk::run() {
  end = jfr::kHeaderSize;
  for (uint64_t at = jfr::kHeaderSize; at < chunk_.size();) {
    Event event;
    if (const char* why = read_head(at, event)) {
      const uint64_t next = next_anchor(at);
      extend_bad(at, next, why);
      at = next;
      continue;
    }
    const char* why = check(event);
    const bool too_short_to_cover = !bad.empty() && bad.back().end == at && at - bad.back().at < kLeastCover;
    if (!why && too_short_to_cover) why = bad.back().why;
    if (why)
      extend_bad(at, at + event.size, why);
    else
      note_good(event);
    at += event.size;
  }
  if (bad.empty() || bad.back().end < chunk_.size()) return;
  tail = bad.back();
  bad.pop_back();
}

const char* RepairWalk::read_head(uint64_t at, Event& event) const {
  Cursor in(chunk_, at);
  switch (jfr::read::read_event_head(in, chunk_.size() - at, event)) {
    case jfr::read::EventFault::kTooLong: return "an event that does not fit";
    case jfr::read::EventFault::kTooSmall: return "an event that is smaller than its own head";
    case jfr::read::EventFault::kNone: return nullptr;
  }
  return nullptr;
}

const char* RepairWalk::check(const Event& event) {
  if (event.type_id == jfr::kCheckpointType) return check_checkpoint(event);
  if (event.type_id == jfr::kMetadataType)
    return jfr::read::Metadata::parse(chunk_, event.at) ? nullptr : "metadata that cannot be read";
  if (event.type_id == cover_type_) return nullptr;
  const uint32_t index = metadata_.index_of(event.type_id);
  if (index == jfr::read::kNoType) return "an event of a type that is not declared";
  const Type& type = metadata_.types()[index];
  if (!type.decodable()) return nullptr;  // readers pass over it
  Cursor in(chunk_, event.body, event.at + event.size);
  for (const jfr::read::Field& field : type.fields) skip_field(in, metadata_, field);
  return in.ok() ? nullptr : "an event whose fields do not fit into it";
}

const char* RepairWalk::check_checkpoint(const Event& event) {
  const size_t before = problems_.count();
  pools_.add_checkpoint(event.at, 0, problems_);
  if (problems_.count() != before) return "a checkpoint whose constants cannot be read";
  if (!is_filled(event)) return "a checkpoint whose constants do not fill it";
  Cursor in(chunk_, event.body, event.at + event.size);
  in.skip_lebs(2);
  candidate_ = {event.at, in.at(), 0, 0};
  candidate_.delta = static_cast<int64_t>(in.leb());
  candidate_.delta_bytes = in.at() - candidate_.delta_at;
  return nullptr;
}

bool RepairWalk::is_filled(const Event& checkpoint) const {
  Cursor in(chunk_, checkpoint.body, checkpoint.at + checkpoint.size);
  in.skip_lebs(3);
  in.u8();
  for (uint64_t pools = in.leb(); pools > 0 && in.ok(); --pools) {
    const uint32_t index = metadata_.index_of(in.leb());
    uint64_t count = in.leb();
    for (; count > 0 && in.ok() && index != jfr::read::kNoType; --count) {
      in.leb();
      skip_value(in, metadata_, metadata_.types()[index]);
    }
  }
  return in.ok() && in.remaining() == 0;
}

void RepairWalk::note_good(const Event& event) {
  end = event.at + event.size;
  if (event.type_id == jfr::kCheckpointType) {
    checkpoints.push_back(candidate_);
    return;
  }
  if (event.type_id == jfr::kMetadataType) {
    metadata_met.push_back(event.at);
    return;
  }
  if (event.type_id == cover_type_) return;
  const uint32_t index = metadata_.index_of(event.type_id);
  samples += counts_[index];
  const Type& type = metadata_.types()[index];
  if (type.fields.empty() || type.fields[0].name != "startTime") return;
  Cursor in(chunk_, event.body);
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

}  // namespace rec
