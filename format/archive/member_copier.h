// SPDX-License-Identifier: Apache-2.0
// MemberCopier puts members of an archive into another one, piece by piece and without unpacking a chunk: what pieces
// say of where others begin is written anew. Metadata that is there already is not copied again.
#pragma once

#include <unordered_map>

#include "format/archive/archive_writer.h"
#include "format/archive/member.h"

namespace jfr::archive {

class MemberCopier {
 public:
  MemberCopier(const ArchiveBytes& from, ArchiveWriter& to) : from_(from), to_(to) {}

  // kCorrupt: a piece that the member needs is damaged; nothing of it counts. kSystem: the other archive cannot be
  // written.
  base::Status copy(const Member& member);

  // The same of one part, for members that are made of what is left of one.
  base::Result<Part> copy(const Part& part);

 private:
  base::Result<uint64_t> chunk(uint64_t at);
  base::Result<uint64_t> metadata(uint64_t at);

  const ArchiveBytes& from_;
  ArchiveWriter& to_;
  std::unordered_map<uint64_t, uint64_t> copied_;  // where a piece began: where it begins now
};

}  // namespace jfr::archive
