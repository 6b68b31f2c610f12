// SPDX-License-Identifier: Apache-2.0
#include "recover/recover_intent.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "format/header_layout.h"
#include "format/type_ids.h"

namespace rec {
namespace {

constexpr size_t kEventHead = 6;  // a size of at most five bytes, and a type of one

// The type of the event at `at`. False: there is no event.
bool event_type(int fd, uint64_t at, uint8_t& type) {
  uint8_t head[kEventHead] = {};
  if (pread(fd, head, sizeof head, static_cast<off_t>(at)) != sizeof head) return false;
  size_t size_bytes = 1;
  while (size_bytes < kEventHead && (head[size_bytes - 1] & 0x80) != 0) ++size_bytes;
  if (size_bytes == kEventHead || head[0] == 0) return false;
  type = head[size_bytes];
  return true;
}

bool committed(const std::string& path, uint64_t at) {
  const int fd = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;  // with the chunk went what was in it
  struct stat st {};
  uint8_t type = 0;
  const bool known =
      fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && at >= jfr::kHeaderSize && at % 8 == 0 && event_type(fd, at, type);
  close(fd);
  const bool of_a_segment =
      type != static_cast<uint8_t>(jfr::TypeId::kMetadata) && type != static_cast<uint8_t>(jfr::TypeId::kCheckpoint);
  return known && of_a_segment && type != static_cast<uint8_t>(jfr::TypeId::kRecFiller);
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
