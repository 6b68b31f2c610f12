// SPDX-License-Identifier: Apache-2.0
#include "format/old/recording_translation.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "format/header_layout.h"
#include "format/old/chunk_translation.h"
#include "format/old/description.h"
#include "format/reader/chunk_header.h"
#include "format/reader/plausible_chunk.h"

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
    if (starts_old_chunk(rest) ? extent_told(rest, at).ok() : read::is_plausible_chunk(rest)) return at;
    from = at + 1;
  }
  return file.size();
}

Result<Extent> extent_of(Bytes file, uint64_t at, Problems& problems) {
  const Bytes rest = file.subspan(at);
  if (!starts_old_chunk(rest)) return base::corrupt(at, "expected a chunk header");
  Result<Extent> told = extent_told(rest, at);
  // One that holds the header of another does not end where it says.
  if (told && next_header(file.first(at + told->size), at + kBodyOffset) == at + told->size) return told;
  const std::optional<Extent> walked = extent_walked(rest);
  if (!walked || (told && walked->size == told->size)) return told;
  problems.add(base::corrupt(at, "chunk does not have its metadata where it says; its events lead there"));
  return *walked;
}

Status translate_one(Bytes chunk, uint64_t metadata, uint64_t at, uint32_t& last_key, Problems& problems,
                     const Translated& to) {
  const std::optional<NewChunk> made = translate_chunk(chunk, metadata, at, last_key, problems);
  if (!made) return base::Done{};
  if (const Status written = to.write(made->header.bytes()); !written) return written;
  return to.write(made->body.bytes());
}

}  // namespace

bool is_old_recording(Bytes file) {
  if (starts_old_chunk(file)) return true;
  if (file.size() < kBodyOffset || read::parse_chunk_header(file, 0).ok()) return false;
  const uint64_t first = next_header(file, 0);
  return first < file.size() && starts_old_chunk(file.subspan(first));
}

Status translate_recording(Bytes file, Problems& problems, const Translated& to) {
  uint32_t last_key = 0;
  for (uint64_t at = 0; at < file.size();) {
    const Bytes rest = file.subspan(at);
    const Result<Extent> extent = extent_of(file, at, problems);
    if (extent) {
      const Bytes chunk = rest.first(extent->size);
      if (const Status done = translate_one(chunk, extent->metadata, at, last_key, problems, to); !done) return done;
      to.let_go(at, extent->size);
      at += extent->size;
      continue;
    }
    const uint64_t next = next_header(file, at + (read::is_plausible_chunk(rest) ? 0 : 1));
    if (next == at) return to.write(rest);  // of today: the rest is for the reader
    problems.add(extent.error());
    at = next;
  }
  return base::Done{};
}

}  // namespace jfr::old
