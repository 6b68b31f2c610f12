// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/unwind_entry.h"

#include "agent/hotspot/walk/dwarf_cursor.h"

namespace rec::agent {
namespace {

constexpr uint8_t kSortedTable = 0x3b;  // DW_EH_PE_datarel | DW_EH_PE_sdata4: what every linker writes
constexpr uint64_t kMaxRecord = 1 << 20;

// .eh_frame_hdr: u8 version, u8 encoding of the .eh_frame pointer, u8 of the count, u8 of the table; then they
// themselves.
uint64_t find_record(uint64_t header, uint64_t pc) {
  DwarfCursor cursor(header, header + kMaxRecord);
  if (cursor.u8() != 1) return 0;
  const uint8_t frame_encoding = cursor.u8();
  const uint8_t count_encoding = cursor.u8();
  if (cursor.u8() != kSortedTable) return 0;
  cursor.pointer(frame_encoding);
  const uint64_t count = cursor.pointer(count_encoding);
  if (cursor.failed() || count == 0 || count > (1u << 24)) return 0;
  const uint64_t table = cursor.at();
  const auto pc_at = [&](uint64_t i) {
    return header + static_cast<int64_t>(static_cast<int32_t>(u32_at(table + 8 * i)));
  };
  if (pc < pc_at(0)) return 0;
  uint64_t low = 0, high = count;
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    if (pc_at(middle) <= pc)
      low = middle;
    else
      high = middle;
  }
  return header + static_cast<int64_t>(static_cast<int32_t>(u32_at(table + 8 * low + 4)));
}

// A letter for each thing that the common entry tells beside the usual; at most seven.
struct Augmentation {
  char letters[8] = {};
};

bool read(DwarfCursor& cursor, Augmentation& augmentation) {
  for (size_t i = 0; i < sizeof augmentation.letters; ++i) {
    const uint8_t letter = cursor.u8();
    if (letter == 0) return !cursor.failed();
    augmentation.letters[i] = static_cast<char>(letter);
  }
  return false;
}

// What the letters behind the 'z' stand for, one after another.
void read_augmentation_data(DwarfCursor& cursor, const char* letters, UnwindEntry& entry) {
  for (const char* letter = letters; *letter != 0; ++letter) switch (*letter) {
      case 'R': entry.pointer_encoding = cursor.u8(); break;
      case 'L': cursor.u8(); break;
      case 'P': cursor.pointer(cursor.u8() & 0x7f); break;
      case 'S': entry.signal_frame = true; break;
      default: break;
    }
}

bool parse_common(uint64_t at, UnwindEntry& entry) {
  const uint32_t length = u32_at(at);
  if (length == 0 || length > kMaxRecord) return false;
  DwarfCursor cursor(at + 4, at + 4 + length);
  if (cursor.u32() != 0) return false;  // a common entry has id 0
  const uint8_t version = cursor.u8();
  Augmentation augmentation;
  if (!read(cursor, augmentation)) return false;
  const char* letters = augmentation.letters;
  if (*letters != 'z' && *letters != 0) return false;
  entry.code_align = cursor.uleb();
  entry.data_align = cursor.sleb();
  version == 1 ? void(cursor.u8()) : void(cursor.uleb());  // the return address' column: 16
  entry.initial = cursor.at();
  entry.initial_end = cursor.end();
  if (*letters == 'z') {
    const uint64_t size = cursor.uleb();
    entry.initial = cursor.at() + size;
    read_augmentation_data(cursor, letters + 1, entry);
  }
  return !cursor.failed();
}

bool parse_entry(uint64_t at, UnwindEntry& entry) {
  const uint32_t length = u32_at(at);
  if (length == 0 || length > kMaxRecord) return false;
  DwarfCursor cursor(at + 4, at + 4 + length);
  const uint64_t here = cursor.at();
  const uint32_t distance = cursor.u32();
  if (distance == 0 || !parse_common(here - distance, entry)) return false;
  entry.begin = cursor.pointer(entry.pointer_encoding);
  entry.end = entry.begin + cursor.pointer(entry.pointer_encoding & 0x0f);
  cursor.skip(cursor.uleb());  // augmentation data
  entry.program = cursor.at();
  entry.program_end = cursor.end();
  return !cursor.failed();
}

}  // namespace

bool find_unwind_entry(uint64_t eh_frame_header, uint64_t pc, UnwindEntry& entry) {
  const uint64_t record = eh_frame_header == 0 ? 0 : find_record(eh_frame_header, pc);
  return record != 0 && parse_entry(record, entry) && pc >= entry.begin && pc < entry.end;
}

}  // namespace rec::agent
