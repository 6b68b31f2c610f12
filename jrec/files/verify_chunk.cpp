// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/verify_chunk.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "format/reader/chunk_flaws.h"
#include "jrec/input/constant_hash.h"

namespace jrec {
namespace {

using jfr::read::CheckpointWalk;
using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Type;

// A thread may commit what it began before the chunk, and clocks are read one after the other.
constexpr int64_t kTimeSlack_ns = 1'000'000'000;

// Events that say more of another one, in front of it or behind it, and have its start time (recorder/chunk/event_encoder.h).
constexpr std::string_view kInFront = "rec.SampleContext";
constexpr std::array<std::string_view, 2> kBehind = {"rec.NativeModule", "rec.NativeFunction"};

int64_t plus(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

}  // namespace

ChunkCheck::ChunkCheck(Chunk& chunk, VerifyReport& report, PreviousChunk& previous)
    : chunk_(chunk),
      metadata_(chunk.metadata()),
      report_(report),
      previous_(previous),
      meaning_(chunk),
      stack_type_(metadata_.index_of("jdk.types.StackTrace")),
      method_type_(metadata_.index_of("jdk.types.Method")),
      class_type_(metadata_.index_of("java.lang.Class")) {}

void ChunkCheck::run() {
  tell_flaws();
  check_header();
  if (!metadata_.types().empty()) {
    for (const Type& type : metadata_.types()) check_type(type);
    check_events();
    for (const uint64_t at : checkpoints_) check_checkpoint(at);
  }
  remember();
}

void ChunkCheck::tell_flaws() {
  const auto kind_of = [](jfr::read::Flaw::Kind kind) {
    switch (kind) {
      case jfr::read::Flaw::Kind::kHeader: return ProblemKind::kHeader;
      case jfr::read::Flaw::Kind::kMetadata: return ProblemKind::kMetadata;
      case jfr::read::Flaw::Kind::kCheckpoint: return ProblemKind::kCheckpoint;
      case jfr::read::Flaw::Kind::kTime: return ProblemKind::kTime;
      case jfr::read::Flaw::Kind::kEvent: break;
    }
    return ProblemKind::kEvent;
  };
  jfr::read::find_flaws(chunk_, [&](const jfr::read::Flaw& flaw) {
    report_.add(Severity::kDamage, kind_of(flaw.kind), chunk_.offset_in_file() + flaw.at, [&] { return flaw.what; });
    return true;
  });
}

void ChunkCheck::check_header() {
  const jfr::read::ChunkHeader& header = chunk_.header();
  if (header.state != jfr::kStateFinished)
    warn(ProblemKind::kHeader, jfr::kStateOffset,
         [&] { return fmt::format("chunk was not finished (state {}); JDK 25's jfr does not read it", header.state); });
  if (header.ticks_per_second <= 0)
    warn(ProblemKind::kTime, jfr::kTicksPerSecondOffset,
         [&] { return fmt::format("{} ticks per second: times mean nothing", header.ticks_per_second); });
  const bool endless = header.state != jfr::kStateFinished || header.duration_ns <= 0 || header.ticks_per_second <= 0;
  start_ns_ = plus(header.start_ns, -kTimeSlack_ns);
  end_ns_ =
      endless ? std::numeric_limits<int64_t>::max() : plus(plus(header.start_ns, header.duration_ns), kTimeSlack_ns);
  if (!previous_.any) return;
  if (header.start_ns < previous_.start_ns)
    warn(ProblemKind::kOrder, jfr::kStartNanosOffset, [&] {
      return fmt::format("chunk starts {} ns before the one in front of it", previous_.start_ns - header.start_ns);
    });
  if (previous_.final_chunk)
    warn(ProblemKind::kOrder, 0, [] { return std::string("the chunk in front of it says that it is the last"); });
}

void ChunkCheck::check_type(const Type& type) {
  if (!type.event) return;
  const int start = type.field("startTime"), duration = type.field("duration");
  if (start > 0 || (start == 0 && duration > 1))
    warn(ProblemKind::kMetadata, chunk_.header().metadata, [&] {
      return fmt::format("startTime and duration of {} are not its first fields; the JDK's tools fail", type.name);
    });
}

void ChunkCheck::check_checkpoint(uint64_t at) {
  CheckpointWalk walk(chunk_.bytes(), metadata_, at);
  while (walk.next_pool()) {
    if (walk.pool().count == 0)
      warn(ProblemKind::kCheckpoint, walk.pool().at, [&] {
        return fmt::format("pool of {} is empty; the JDK's reader fails", metadata_.types()[walk.pool().type].name);
      });
    while (walk.next_constant()) check_constant(walk);
  }
}

void ChunkCheck::check_constant(const CheckpointWalk& walk) {
  const uint32_t index = walk.pool().type;
  const Type& type = metadata_.types()[index];
  const CheckpointWalk::Constant& constant = walk.constant();
  ++report_.constants;
  Cursor in(chunk_.bytes(), constant.value, constant.end);
  const auto visit = [&](const Reference& reference) { check_reference(reference, type, false); };
  visit_value(in, metadata_, type, visit);
  if (type.name == "jdk.types.ChunkHeader") return;
  const uint64_t content = meaning_.of(type, constant.value, constant.end);
  const uint64_t name = constant_name_hash(type.id, constant.key);
  const auto [known, fresh] = now_.constants.try_emplace(name, content);
  if (!fresh && known->second != content)
    warn(ProblemKind::kConstant, constant.at,
         [&] { return fmt::format("constant {} of {} has a second meaning", constant.key, type.name); });
  const auto before = previous_.constants.find(name);
  if (fresh && before != previous_.constants.end() && before->second != content)
    warn(ProblemKind::kConstant, constant.at, [&] {
      return fmt::format("constant {} of {} meant something else in the chunk before; the JDK's reader keeps that",
                         constant.key, type.name);
    });
}

void ChunkCheck::check_reference(const Reference& reference, const Type& holder, bool from_event) {
  const auto name = [&](uint32_t type) { return type < metadata_.types().size() ? metadata_.types()[type].name : "?"; };
  const bool found =
      reference.type != jfr::read::kNoType && chunk_.constants().find(reference.type, reference.key).ok();
  if (found) return;
  const bool of_frame = !from_event && reference.type == method_type_ && stack_type_ != jfr::read::kNoType &&
                        &holder == &metadata_.types()[stack_type_];
  const bool of_method = !from_event && reference.type == class_type_ && method_type_ != jfr::read::kNoType &&
                         &holder == &metadata_.types()[method_type_];
  if (of_frame || of_method) {
    warn(ProblemKind::kFrame, reference.at, [&] {
      return fmt::format("a {} without {} ({}): the JDK's tools fail", of_frame ? "stack frame" : "method",
                         of_frame ? "method" : "class", reference.key);
    });
    return;
  }
  if (reference.key == 0) return;
  warn(ProblemKind::kReference, reference.at, [&] {
    return fmt::format("{} names constant {} of {}, which is not there", holder.name, reference.key,
                       name(reference.type));
  });
}

void ChunkCheck::check_events() {
  jfr::read::EventWalk events = chunk_.events_again();
  for (Event event; events.next(event);) {
    if (event.type_id == jfr::kCheckpointType) checkpoints_.push_back(event.at);
    if (event.type_id <= jfr::kCheckpointType) continue;
    ++report_.events;
    const Type* type = chunk_.type_of(event);
    if (type != nullptr && type->decodable()) check_event(event, *type);
  }
  if (announcing_) warn_early(*announcing_);
}

void ChunkCheck::check_event(const Event& event, const Type& type) {
  Cursor in = chunk_.body(event);
  const auto visit = [&](const Reference& reference) { check_reference(reference, type, true); };
  visit_value(in, metadata_, type, visit);
  if (!in.ok()) return;
  if (in.remaining() != 0)
    warn(ProblemKind::kEvent, in.at(),
         [&] { return fmt::format("{} has {} bytes behind its last field", type.name, in.remaining()); });
  check_times(event, type);
}

// A sample of the wall clock has been there from its start on for its time span.
int64_t ChunkCheck::length_of(const Event& event, const Type& type) {
  const bool is_wall = type.name == "profiler.WallClockSample";
  const int field = is_wall ? type.field("timeSpan") : type.field("duration");
  if (field < 0 || (!is_wall && field != 1) || type.fields[static_cast<size_t>(field)].kind != jfr::read::Kind::kLong)
    return 0;
  return chunk_.clock().span_ns(static_cast<int64_t>(chunk_.field(event, type, field).leb()));
}

void ChunkCheck::warn_early(const Early& event) {
  warn(ProblemKind::kTime, event.at, [&] {
    return fmt::format("{} ends {:.3f} s before the start of the chunk", event.type,
                       static_cast<double>(start_ns_ + kTimeSlack_ns) / 1e9 - static_cast<double>(event.end_ns) / 1e9);
  });
}

void ChunkCheck::check_times(const Event& event, const Type& type) {
  if (type.fields.empty() || type.fields[0].name != "startTime") return;
  const auto ticks = static_cast<int64_t>(chunk_.body(event).leb());
  const int64_t start = chunk_.clock().unix_ns(ticks), length = length_of(event, type);
  if (length < 0) warn(ProblemKind::kTime, event.at, [&] { return fmt::format("{} lasts {} ns", type.name, length); });
  if (start > end_ns_)
    warn(ProblemKind::kTime, event.at, [&] {
      return fmt::format("{} starts {:.3f} s after the end of the chunk", type.name,
                         static_cast<double>(start) / 1e9 - static_cast<double>(end_ns_ - kTimeSlack_ns) / 1e9);
    });
  const Early early{event.at, type.name, ticks, plus(start, std::max<int64_t>(length, 0))};
  const bool is_early = early.end_ns < start_ns_ && !tells_of_chunk(type.name);  // of a part, as cut makes them
  const bool is_behind = std::ranges::find(kBehind, type.name) != kBehind.end();
  if (announcing_ && (announcing_->ticks != ticks || type.name == kInFront)) warn_early(*announcing_);
  announcing_.reset();
  if (type.name == kInFront && is_early) {
    announcing_ = early;
    return;
  }
  if (is_early && !(is_behind && ticks == last_ticks_)) warn_early(early);
  if (!is_behind) last_ticks_ = ticks;
}

void ChunkCheck::remember() {
  const jfr::read::ChunkHeader& header = chunk_.header();
  Cursor in(chunk_.bytes(), std::min<uint64_t>(header.metadata, chunk_.bytes().size()));
  const uint64_t at = in.at(), size = in.leb();
  in.skip_lebs(4);
  if (in.ok() && size <= chunk_.bytes().size() - at && in.at() - at <= size)
    now_.metadata_hash = content_hash(chunk_.bytes().subspan(in.at(), at + size - in.at()));
  now_.any = true;
  now_.metadata_id = metadata_.id();
  now_.start_ns = header.start_ns;
  now_.final_chunk = header.final_chunk;
  if (previous_.any && previous_.metadata_id == now_.metadata_id && previous_.metadata_hash != now_.metadata_hash)
    warn(ProblemKind::kMetadata, header.metadata, [&] {
      return fmt::format(
          "metadata differs from that of the chunk before and has the same id {}; the JDK's reader keeps "
          "the old one",
          now_.metadata_id);
    });
  previous_ = std::move(now_);
}

}  // namespace jrec
