// SPDX-License-Identifier: Apache-2.0
// A MemberTable is what several commits have added, in one piece, so that who opens an archive asks for a few pieces and not
// for each END and each member:
//
//   END END END table END END table END           the last END knows its table, which covers all commits since `before`
//                                                 and tells where to go on
//
//   content    LEB128 distance to the END before all of them, 0: none; LEB128 members, then of each, oldest first, LEB128
//              length and what its own piece has (member.h); LEB128 metadata pieces, then of each u64 XXH3 of its content
//              and LEB128 how far back it begins. Distances are from where the table begins.
//
// It says nothing that these ENDs and members do not say, too: where it is damaged, they are read.
//
// The newest tables are taken into the next one when there are three of a size, so that there are few, and that each member
// is in few: of n members, both grow with the logarithm of n.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "format/archive/member.h"
#include "format/archive/places_back.h"

namespace jfr::archive {

inline constexpr uint64_t kMostTableBytes = 64u << 20;  // unpacked; of more members no table is written
inline constexpr uint64_t kFewestInTable = 16;          // members

struct MemberTable {
  uint64_t before = 0;  // where the END begins that comes before all of it; 0: none
  std::vector<Member> members;
  MetadataPlaces metadata;
};

// What a commit, or a table, adds to the members before.
struct CommitSpan {
  uint64_t before = 0;  // as above
  uint64_t members = 0;
  MetadataPlaces metadata;
  bool has_table = false;
};

// Of the commits so far and one that adds so many members, how many stay as they are when it writes a table. As many as
// there are: it writes none.
size_t spans_left_alone(std::span<const CommitSpan> spans, uint64_t added);

// span: of the table. members: its members.
std::vector<uint8_t> write_table(const CommitSpan& span, std::span<const Member> members, uint64_t at);
// Nothing when these bytes are no table.
std::optional<MemberTable> read_table(std::span<const uint8_t> bytes, uint64_t at);

}  // namespace jfr::archive
