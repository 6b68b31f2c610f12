// SPDX-License-Identifier: Apache-2.0
// What an END says, the last piece of a commit (catalogue.h):
//
//   LEB128 distance to the END before, 0: this one lists all; LEB128 members, then how far back each begins; LEB128
//   metadata pieces, then of each u64 XXH3 of its content and LEB128 how far back it begins; LEB128 at which block of the
//   archive the band begins that this END is in (parity.h); if there is a table of it and of ENDs before (member_table.h),
//   LEB128 how far back that begins; u64 where this END begins, and its magic
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "format/archive/places_back.h"

namespace jfr::archive {

// Where an END begins, and a magic: the last bytes of an END, and of an archive. A reader that does not know it, nor the
// head, says that it does not know the version, and leaves the archive alone.
inline constexpr size_t kEndTail = 16;
enum class EndTail { kToVersion4, kVersion5, kNow };  // "RECZ-END", "RECZ-FIN", "RECZ-EOF"
bool is_archive_tail(std::span<const uint8_t> last_bytes);

struct EndContent {
  uint64_t previous = 0;  // where the END before begins; 0: none
  uint64_t band = 0;      // where the band begins that this one is in
  std::vector<uint64_t> members;
  MetadataPlaces metadata;
  uint64_t table = 0;  // where the table begins that has these and those before; 0: none
};
std::vector<uint8_t> write_end(const EndContent& end, uint64_t at, EndTail tail);
bool read_end(std::span<const uint8_t> content, uint64_t at, EndContent& end);

}  // namespace jfr::archive
