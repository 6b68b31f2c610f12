// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/member_span.h"

#include <algorithm>

#include "format/archive/metadata_piece.h"
#include "format/archive/old_chunk_codec.h"

namespace jrec {

void MemberSpan::add(int64_t chunk_start_ns, int64_t chunk_end_ns) {
  start_ns = chunks == 0 ? chunk_start_ns : std::min(start_ns, chunk_start_ns);
  end_ns = chunks == 0 ? chunk_end_ns : std::max(end_ns, chunk_end_ns);
  ++chunks;
}

MemberSpan span_of(const jfr::archive::Member& member, const jfr::archive::ArchiveBytes& archive) {
  MemberSpan span;
  for (const jfr::archive::Part& part : member.parts) {
    if (part.is_chunk()) {
      span.add(part.start_ns, part.end_ns());
      continue;
    }
    for (const uint64_t at : part.metadata) {
      const auto metadata = jfr::archive::read_metadata_piece(archive, at);
      const auto old = metadata ? jfr::archive::old_span(*metadata) : std::nullopt;
      if (old) span.add(old->start_ns, old->end_ns);
    }
  }
  return span;
}

}  // namespace jrec
