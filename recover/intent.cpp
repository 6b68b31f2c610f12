// SPDX-License-Identifier: Apache-2.0
#include "recover/intent.h"

#include <sys/stat.h>

#include <array>
#include <cstring>

#include "base/file_io.h"
#include "format/header_layout.h"
#include "format/reader/event_walk.h"
#include "format/type_ids.h"
#include "recover/files.h"

namespace rec {
namespace {

// Of ours: a size of at most five bytes, and a type of one.
constexpr uint64_t kOurHead = 6;

// Whether an event of a segment starts there, and not the filler that was there before.
bool holds_segment(int fd, uint64_t at, uint64_t file_size) {
  std::array<uint8_t, kOurHead> head{};
  if (at >= file_size || !base::read_all_at(fd, head.data(), head.size(), at)) return false;
  jfr::read::Cursor in(head, 0);
  jfr::read::Event event;
  if (jfr::read::read_event_head(in, file_size - at, event) != jfr::read::EventFault::kNone) return false;
  const auto is = [&](jfr::TypeId type) { return event.type_id == static_cast<uint64_t>(type); };
  return !is(jfr::TypeId::kMetadata) && !is(jfr::TypeId::kCheckpoint) && !is(jfr::TypeId::kRecFiller);
}

bool committed(const std::string& path, uint64_t at) {
  if (at < jfr::kHeaderSize || at % 8 != 0) return false;
  const Descriptor file = open_to_read(path);
  struct stat st {};
  if (!file || fstat(file.fd(), &st) != 0) return false;  // with the chunk went what was in it
  return holds_segment(file.fd(), at, static_cast<uint64_t>(st.st_size));
}

}  // namespace

std::string intended_chunk(const SpoolHeader& header) {
  const std::string name(header.chunk.data(), strnlen(header.chunk.data(), header.chunk.size()));
  const bool plain = name.size() < header.chunk.size() && name.find('/') == std::string::npos && name[0] != '.';
  return plain ? name : std::string();
}

bool counters_are_told(const SpoolHeader& header, const std::string& repository) {
  const uint64_t at = header.counters_offset.load(std::memory_order_relaxed);
  const std::string chunk = intended_chunk(header);
  return at != 0 && !chunk.empty() && committed(repository + "/" + chunk, at);
}

uint32_t consumed_slots(const SpoolHeader& header, const std::string& repository) {
  const uint32_t consumed = header.consumed.load(std::memory_order_relaxed);
  const uint32_t intended = header.intent_end.load(std::memory_order_relaxed);
  const uint32_t claimed = header.log.tail.load(std::memory_order_relaxed);
  if (intended <= consumed || intended > claimed) return consumed;
  const std::string chunk = intended_chunk(header);
  if (chunk.empty()) return consumed;
  const bool done = committed(repository + "/" + chunk, header.intent_offset.load(std::memory_order_relaxed));
  return done ? intended : consumed;
}

}  // namespace rec
