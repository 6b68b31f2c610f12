// SPDX-License-Identifier: Apache-2.0
// A Catalogue is what an archive holds, by the ends of its commits:
//
//   "RECZ" 1 0 0 0 | piece piece member END | piece member member END | ...
//                                        ^---------------------------'   each END knows the one before
//
//   END's content    LEB128 distance to the END before, 0: none; LEB128 members, then how far back each begins;
//                    LEB128 metadata pieces, then of each u64 XXH3 of its content and LEB128 how far back it begins;
//                    u64 where this END begins, "RECZ-END"
//
// END is never packed, so an archive ends with sixteen known bytes. When these are missing, or an END is damaged, all
// pieces are looked at one after the other: every member whose own piece is whole is found. What stands behind the last
// END or whole member was never committed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "format/archive/member.h"
#include "format/reader/problems.h"

namespace jfr::archive {

inline constexpr std::array<uint8_t, 8> kArchiveHead = {'R', 'E', 'C', 'Z', 1, 0, 0, 0};
inline constexpr size_t kEndTail = 16;
inline constexpr uint64_t kMostMemberBytes = 64u << 20;  // of one member's own piece, unpacked

bool is_archive(std::span<const uint8_t> bytes);

struct Catalogue {
  std::vector<Member> members;                      // in the order in which they were added
  std::unordered_map<uint64_t, uint64_t> metadata;  // by XXH3 of the content: where the piece begins
  uint64_t committed = kArchiveHead.size();         // bytes of the archive, up to the last END or whole member
  uint64_t last_end = 0;                            // where the last END begins; 0: there is none
  // Whole members and metadata behind the last END: theirs was damaged, or the writer died just before it. The next
  // commit takes them in.
  std::vector<uint64_t> members_without_end;
  std::vector<std::pair<uint64_t, uint64_t>> metadata_without_end;

  // kUsage: this is no archive, or one of a later version. Damage is noted in problems.
  static base::Result<Catalogue> read(std::span<const uint8_t> archive, read::Problems& problems);

  const Member* find(std::string_view name) const;  // the one added last
};

// The content of an END.
struct EndContent {
  uint64_t previous = 0;  // where the END before begins; 0: none
  std::vector<uint64_t> members;
  std::vector<std::pair<uint64_t, uint64_t>> metadata;  // hash, piece
};
std::vector<uint8_t> write_end(const EndContent& end, uint64_t at);
bool read_end(std::span<const uint8_t> content, uint64_t at, EndContent& end);

}  // namespace jfr::archive
