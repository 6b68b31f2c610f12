// SPDX-License-Identifier: Apache-2.0
#include "jrec/values/jvm_numbers.h"

#include "format/reader/values.h"

namespace jrec {

using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Type;

namespace {

// The first of the chunk; nothing where there is none.
std::optional<Event> first_of(jfr::read::Chunk& chunk, const Type& type) {
  jfr::read::EventWalk events(chunk.bytes(), jfr::kHeaderSize, {});
  for (Event event; events.next(event);)
    if (event.type_id == type.id) return event;
  return std::nullopt;
}

int64_t number_of(jfr::read::Chunk& chunk, const Event& event, const Type& type, int field) {
  Cursor in = chunk.field(event, type, field);
  const int64_t value = read_integer(in, type.fields[static_cast<size_t>(field)].kind);
  return in.ok() ? value : 0;
}

const Type* information_type(jfr::read::Chunk& chunk) {
  const Type* type = chunk.metadata().find("jdk.JVMInformation");
  return type != nullptr && type->decodable() ? type : nullptr;
}

bool is_cut_off(jfr::read::Chunk& chunk) {
  const Type* type = information_type(chunk);
  const int start = type == nullptr ? -1 : type->field("startTime");
  const std::optional<Event> event = start < 0 ? std::nullopt : first_of(chunk, *type);
  return event && number_of(chunk, *event, *type, start) < chunk.header().start_ticks;
}

}  // namespace

std::optional<WriterProcess> writer_of(jfr::read::Chunk& chunk) {
  const Type* type = information_type(chunk);
  if (type == nullptr) return std::nullopt;
  const int pid = type->field("pid"), start = type->field("jvmStartTime");
  if (pid < 0 || start < 0) return std::nullopt;
  const std::optional<Event> event = first_of(chunk, *type);
  if (!event) return std::nullopt;
  return WriterProcess{number_of(chunk, *event, *type, pid), number_of(chunk, *event, *type, start),
                       recorder_of(chunk.metadata())};
}

bool begins_with(const std::optional<WriterProcess>& writer, jfr::read::Chunk& chunk) {
  constexpr int64_t kMostToBegin_ms = 5'000;
  return writer && chunk.header().start_ns / 1'000'000 - writer->start_ms < kMostToBegin_ms && !is_cut_off(chunk);
}

bool are_of_one_jvm(const WriterProcess& one, const WriterProcess& other) {
  constexpr uint64_t kMostApart_ms = 5'000;
  if (one.pid != other.pid || one.recorder == other.recorder) return false;
  const bool is_first = one.start_ms < other.start_ms;
  const WriterProcess &earlier = is_first ? one : other, &later = is_first ? other : one;
  const auto apart_ms = static_cast<uint64_t>(later.start_ms) - static_cast<uint64_t>(earlier.start_ms);
  const bool is_before_process =
      apart_ms != 0 && earlier.recorder == Recorder::kJdk && later.recorder == Recorder::kRec;
  return !is_before_process && apart_ms < kMostApart_ms;
}

uint32_t JvmNumbers::of(const std::optional<WriterProcess>& process) {
  if (process) last_ = numbers_.try_emplace(*process, static_cast<uint32_t>(numbers_.size())).first->second;
  return last_;
}

}  // namespace jrec
