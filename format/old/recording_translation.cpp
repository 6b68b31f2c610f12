// SPDX-License-Identifier: Apache-2.0
#include "format/old/recording_translation.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "format/header_layout.h"
#include "format/old/chunk_translation.h"
#include "format/old/description.h"
#include "format/reader/chunk_scanner.h"

namespace jfr::old {

using base::Result;
using base::Status;
using read::Problems;

namespace {

using Bytes = std::span<const uint8_t>;

// Where the next chunk of any version may begin; the end of the file if there is none.
uint64_t next_header(Bytes file, uint64_t from) {
  while (from < file.size()) {
    const void* hit = memmem(file.data() + from, file.size() - from, kChunkMagic.data(), kChunkMagic.size());
    if (hit == nullptr) break;
    const auto at = static_cast<uint64_t>(static_cast<const uint8_t*>(hit) - file.data());
    const Bytes rest = file.subspan(at);
    if (starts_old_chunk(rest) ? size_of_chunk(rest, at).ok() : read::parse_chunk_header(rest, at).ok()) return at;
    from = at + 1;
  }
  return file.size();
}

Status translate_one(Bytes chunk, uint64_t at, uint32_t& last_key, Problems& problems,
                     const std::function<Status(std::span<const uint8_t>)>& write) {
  const std::optional<NewChunk> made = translate_chunk(chunk, at, last_key, problems);
  if (!made) return base::Done{};
  if (const Status written = write(made->header.bytes()); !written) return written;
  return write(made->body.bytes());
}

}  // namespace

bool is_old_recording(Bytes file) {
  if (starts_old_chunk(file)) return true;
  if (file.size() < kBodyOffset || read::parse_chunk_header(file, 0).ok()) return false;
  const uint64_t first = next_header(file, 0);
  return first < file.size() && starts_old_chunk(file.subspan(first));
}

Status translate_recording(Bytes file, Problems& problems,
                           const std::function<Status(std::span<const uint8_t>)>& write) {
  uint32_t last_key = 0;
  for (uint64_t at = 0; at < file.size();) {
    const Bytes rest = file.subspan(at);
    const Result<uint64_t> size = starts_old_chunk(rest)
                                      ? size_of_chunk(rest, at)
                                      : Result<uint64_t>(base::corrupt(at, "expected a chunk header"));
    if (size) {
      if (const Status done = translate_one(rest.first(*size), at, last_key, problems, write); !done) return done;
      at += *size;
      continue;
    }
    const uint64_t next = next_header(file, at + (read::parse_chunk_header(rest, at).ok() ? 0 : 1));
    if (next == at) return write(rest);  // of today: the rest is for the reader
    problems.add(size.error());
    at = next;
  }
  return base::Done{};
}

}  // namespace jfr::old
