// SPDX-License-Identifier: Apache-2.0
// A Catalogue is what an archive holds, by the ends of its commits:
//
//   head | piece piece member END | piece member member END | parity
//                              ^---------------------------'^------'   each END knows the one before
//
// Behind the last END is the parity of what no other parity covers, and at its end once more where that END begins. So
// an archive ends with sixteen known bytes. When these are missing, the last END is looked for; when an END is damaged
// beyond mending, all pieces are looked at one after the other.
//
// A member counts when it is in front of an END, or of where the last parity says that one was. What stands behind is
// of an add that has not ended, or never will.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "format/archive/archive_bytes.h"
#include "format/archive/end_content.h"
#include "format/archive/member.h"
#include "format/archive/member_table.h"
#include "format/archive/number_codec.h"
#include "format/archive/piece_walk.h"
#include "format/reader/problems.h"

namespace jfr::archive {

// Version 3 has more codings of numbers (number_codec.h), version 4 tables (member_table.h), version 5 deeper models, and
// columns that say less (chunk_model.h), version 6 several bases of a chunk, chunks of version 0.9 in columns
// (old_chunk_codec.h), version 7 small blocks of small bands (parity.h), and words (words.h); who adds to an archive of an
// older version does without them.
inline constexpr uint8_t kOldestVersion = 2, kVersion = 7, kNewCodingsVersion = 3, kTablesVersion = 4, kDeepVersion = 5,
                         kSeveralBasesVersion = 6, kOldChunksVersion = 6, kSmallBlocksVersion = 7, kWordsVersion = 7;
// That readers of an archive of that version know.
constexpr NewCodings codings_of(uint8_t version) {
  const bool known = version >= kNewCodingsVersion;
  return {known, known, version >= kDeepVersion, version >= kWordsVersion};
}
constexpr BlockSizes block_sizes_of(uint8_t version) {
  return version >= kSmallBlocksVersion ? BlockSizes::kByBand : BlockSizes::kOne;
}
// What a new archive begins with. Up to version 4 that were kArchiveHeadBytes; version 5 had zeros behind them. What
// stands there, and the tail (end_content.h), let older readers say that they do not know a version, and not take it for
// damage.
inline constexpr auto kArchiveHead = [] {
  std::array<uint8_t, kArchiveHeadBytes + kHeadMarkBytes> head = {'R', 'E', 'C', 'Z', kVersion};
  std::ranges::copy(kHeadName, head.begin() + kArchiveHeadBytes);
  return head;
}();
inline constexpr uint64_t kMostMemberBytes = 64u << 20;  // of one member's own piece, unpacked

// By its head or, if that is damaged, by what stands behind it or by its last bytes.
bool is_archive(const Source& bytes);

struct Catalogue {
  uint8_t version = kVersion;
  std::vector<Member> members;                      // in the order in which they were added
  std::unordered_map<uint64_t, uint64_t> metadata;  // by XXH3 of the content: where the piece begins
  // Bytes of the archive, up to the last END: parity follows, or whatever is not committed.
  uint64_t committed = kArchiveHead.size();
  uint64_t last_end = 0;  // where the last END begins; 0: there is none that leads to all members
  uint64_t band = 0;      // where the band begins that the last END is in
  // What was committed and no END leads to: theirs was damaged. The next one lists them again.
  std::vector<uint64_t> members_without_end;
  MetadataPlaces metadata_without_end;
  std::vector<CommitSpan> spans;  // which members were added together, oldest first; none where ENDs lead nowhere

  enum class Tail {
    kWhole,    // the last END's parity
    kDamaged,  // the same; nothing is lost
    kMissing,  // whoever committed was killed before it was written; nothing is lost
    kUnknown,  // of an add that has not ended; or the archive was cut
  } tail = Tail::kWhole;

  // kUsage: this is no archive, or one of a later version. Damage is noted in problems.
  static base::Result<Catalogue> read(const ArchiveBytes& archive, read::Problems& problems);

  const Member* find(std::string_view name) const;  // the one added last
};

// Behind what was committed: of an add that has not ended, or of an archive whose last END is lost. Each piece there is
// looked at.
std::vector<Member> members_behind(const ArchiveBytes& archive, const Catalogue& catalogue);

}  // namespace jfr::archive
