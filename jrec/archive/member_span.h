// SPDX-License-Identifier: Apache-2.0
// MemberSpan is the time that a member of an archive tells of, by its chunks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/archive/archive_bytes.h"
#include "format/archive/member.h"

namespace jrec {

struct MemberSpan {
  size_t chunks = 0;                 // 0: it has none that could be taken apart, and no time is known
  int64_t start_ns = 0, end_ns = 0;  // since the Unix epoch

  void add(int64_t chunk_start_ns, int64_t chunk_end_ns);
};

// Those of version 0.9 say so in their metadata, which is read.
MemberSpan span_of(const jfr::archive::Member& member, const jfr::archive::ArchiveBytes& archive);

}  // namespace jrec
