// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/native_unwind.h"

#include <algorithm>

#include "agent/hotspot/walk/dwarf_cursor.h"

namespace rec::agent {
namespace {

constexpr uint8_t kSortedTable = 0x3b;  // DW_EH_PE_datarel | DW_EH_PE_sdata4: what every linker writes
constexpr int kMaxOperations = 4096;    // of one function's program; bounds damage
constexpr int kMaxExpression = 64;      // operations of one expression
constexpr uint64_t kMaxRecord = 1 << 20;
constexpr int kColumns = Registers::kCount;

enum class Rule : uint8_t { kSame, kOffset, kValueOffset, kRegister, kExpression, kUndefined };

struct Row {
  uint8_t cfa_register = Registers::kSp;
  int64_t cfa_offset = 0;
  uint64_t cfa_expression = 0;  // address of the expression's length, or 0
  Rule rules[kColumns] = {};
  int64_t values[kColumns] = {};
};

// What one function's entry says.
struct Entry {
  uint64_t begin = 0, end = 0;
  uint64_t code_align = 1;
  int64_t data_align = 1;
  uint8_t pointer_encoding = 0;
  bool signal_frame = false;
  uint64_t initial = 0, initial_end = 0;  // the common program
  uint64_t program = 0, program_end = 0;  // the function's own
};

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

bool parse_common(uint64_t at, Entry& entry) {
  const uint32_t length = u32_at(at);
  if (length == 0 || length > kMaxRecord) return false;
  DwarfCursor cursor(at + 4, at + 4 + length);
  if (cursor.u32() != 0) return false;  // a common entry has id 0
  const uint8_t version = cursor.u8();
  char augmentation[8] = {};
  for (size_t i = 0;; ++i) {
    const uint8_t c = cursor.u8();
    if (c == 0) break;
    if (i + 1 >= sizeof augmentation || cursor.failed()) return false;
    augmentation[i] = static_cast<char>(c);
  }
  entry.code_align = cursor.uleb();
  entry.data_align = cursor.sleb();
  version == 1 ? void(cursor.u8()) : void(cursor.uleb());  // the return address' column: 16
  uint64_t data_end = cursor.at();
  if (augmentation[0] == 'z') {
    const uint64_t size = cursor.uleb();
    data_end = cursor.at() + size;
    for (const char* c = augmentation + 1; *c != 0; ++c) {
      if (*c == 'R')
        entry.pointer_encoding = cursor.u8();
      else if (*c == 'L')
        cursor.u8();
      else if (*c == 'P') {
        const uint8_t encoding = cursor.u8();
        cursor.pointer(encoding & 0x7f);
      } else if (*c == 'S')
        entry.signal_frame = true;
    }
  } else if (augmentation[0] != 0) {
    return false;
  }
  entry.initial = data_end;
  entry.initial_end = cursor.end();
  return !cursor.failed();
}

bool parse_entry(uint64_t at, Entry& entry) {
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

void set_rule(Row& row, uint64_t column, Rule rule, int64_t value = 0) {
  if (column >= kColumns) return;  // vector registers: of no interest
  row.rules[column] = rule;
  row.values[column] = value;
}

// Runs a program until the row for pc is complete. initial: what "restore" goes back to.
bool run(DwarfCursor cursor, const Entry& entry, uint64_t pc, const Row& initial, Row& row) {
  Row saved[3];
  int depth = 0;
  uint64_t location = entry.begin;
  for (int i = 0; i < kMaxOperations && !cursor.done(); ++i) {
    const uint8_t byte = cursor.u8();
    const uint8_t low6 = byte & 0x3f;
    uint64_t advance = 0;
    switch (byte >> 6) {
      case 1: advance = low6; break;
      case 2: set_rule(row, low6, Rule::kOffset, static_cast<int64_t>(cursor.uleb()) * entry.data_align); continue;
      case 3:
        if (low6 < kColumns) set_rule(row, low6, initial.rules[low6], initial.values[low6]);
        continue;
      default:
        switch (byte) {
          case 0x00: continue;
          case 0x01: advance = (cursor.pointer(entry.pointer_encoding) - location) / entry.code_align; break;
          case 0x02: advance = cursor.u8(); break;
          case 0x03: advance = cursor.u16(); break;
          case 0x04: advance = cursor.u32(); break;
          case 0x05: {
            const uint64_t r = cursor.uleb();
            set_rule(row, r, Rule::kOffset, static_cast<int64_t>(cursor.uleb()) * entry.data_align);
            continue;
          }
          case 0x06: {
            const uint64_t r = cursor.uleb();
            if (r < kColumns) set_rule(row, r, initial.rules[r], initial.values[r]);
            continue;
          }
          case 0x07: set_rule(row, cursor.uleb(), Rule::kUndefined); continue;
          case 0x08: set_rule(row, cursor.uleb(), Rule::kSame); continue;
          case 0x09: {
            const uint64_t r = cursor.uleb();
            set_rule(row, r, Rule::kRegister, static_cast<int64_t>(cursor.uleb()));
            continue;
          }
          case 0x0a:
            if (depth == 3) return false;
            saved[depth++] = row;
            continue;
          case 0x0b:
            if (depth == 0) return false;
            row = saved[--depth];
            continue;
          case 0x0c:
            row.cfa_register = static_cast<uint8_t>(cursor.uleb());
            row.cfa_offset = static_cast<int64_t>(cursor.uleb());
            row.cfa_expression = 0;
            continue;
          case 0x0d:
            row.cfa_register = static_cast<uint8_t>(cursor.uleb());
            row.cfa_expression = 0;
            continue;
          case 0x0e: row.cfa_offset = static_cast<int64_t>(cursor.uleb()); continue;
          case 0x0f: {
            row.cfa_expression = cursor.at();
            cursor.skip(cursor.uleb());
            continue;
          }
          case 0x10: {
            const uint64_t r = cursor.uleb();
            set_rule(row, r, Rule::kExpression, static_cast<int64_t>(cursor.at()));
            cursor.skip(cursor.uleb());
            continue;
          }
          case 0x11: {
            const uint64_t r = cursor.uleb();
            set_rule(row, r, Rule::kOffset, cursor.sleb() * entry.data_align);
            continue;
          }
          case 0x12:
            row.cfa_register = static_cast<uint8_t>(cursor.uleb());
            row.cfa_offset = cursor.sleb() * entry.data_align;
            row.cfa_expression = 0;
            continue;
          case 0x13: row.cfa_offset = cursor.sleb() * entry.data_align; continue;
          case 0x14: {
            const uint64_t r = cursor.uleb();
            set_rule(row, r, Rule::kValueOffset, static_cast<int64_t>(cursor.uleb()) * entry.data_align);
            continue;
          }
          case 0x2e: cursor.uleb(); continue;  // GNU_args_size
          default: return false;
        }
    }
    location += advance * entry.code_align;
    if (location > pc) return true;
  }
  return !cursor.failed();
}

// The few operations that compilers and linkers use in call frame expressions (procedure linkage tables, realigned
// stacks).
bool evaluate(uint64_t expression, const Registers& registers, bool with_cfa, uint64_t cfa, uint64_t& result) {
  DwarfCursor length(expression, expression + 16);
  const uint64_t size = length.uleb();
  DwarfCursor cursor(length.at(), length.at() + size);
  uint64_t stack[8];
  int top = 0;
  if (with_cfa) stack[top++] = cfa;
  for (int i = 0; i < kMaxExpression && !cursor.done(); ++i) {
    const uint8_t op = cursor.u8();
    if (top >= 7) return false;
    if (op >= 0x30 && op <= 0x4f) {
      stack[top++] = op - 0x30u;
      continue;
    }
    if (op >= 0x70 && op <= 0x8f) {
      const int64_t offset = cursor.sleb();
      if (op - 0x70 >= kColumns) return false;
      stack[top++] = registers.values[op - 0x70] + static_cast<uint64_t>(offset);
      continue;
    }
    switch (op) {
      case 0x08: stack[top++] = cursor.u8(); continue;
      case 0x09: stack[top++] = static_cast<uint64_t>(static_cast<int8_t>(cursor.u8())); continue;
      case 0x06:
        if (top < 1 || !load64(stack[top - 1], stack[top - 1])) return false;
        continue;
      case 0x23:
        if (top < 1) return false;
        stack[top - 1] += cursor.uleb();
        continue;
      default: break;
    }
    if (top < 2) return false;
    const uint64_t right = stack[--top];
    uint64_t& left = stack[top - 1];
    switch (op) {
      case 0x1a: left &= right; break;
      case 0x1c: left -= right; break;
      case 0x22: left += right; break;
      case 0x24: left <<= right & 63; break;
      case 0x2a: left = static_cast<int64_t>(left) >= static_cast<int64_t>(right); break;
      default: return false;
    }
  }
  if (top < 1 || cursor.failed()) return false;
  result = stack[top - 1];
  return true;
}

bool apply(const Row& row, Registers& registers) {
  uint64_t cfa = 0;
  if (row.cfa_expression != 0) {
    if (!evaluate(row.cfa_expression, registers, false, 0, cfa)) return false;
  } else {
    if (row.cfa_register >= kColumns) return false;
    cfa = registers.values[row.cfa_register] + static_cast<uint64_t>(row.cfa_offset);
  }
  Registers caller = registers;
  for (int i = 0; i < kColumns; ++i) {
    const auto value = static_cast<uint64_t>(row.values[i]);
    uint64_t place = 0;
    switch (row.rules[i]) {
      case Rule::kSame:
      case Rule::kUndefined: break;
      case Rule::kOffset:
        if (!load64(cfa + value, caller.values[i])) return false;
        break;
      case Rule::kValueOffset: caller.values[i] = cfa + value; break;
      case Rule::kRegister:
        if (value >= kColumns) return false;
        caller.values[i] = registers.values[value];
        break;
      case Rule::kExpression:
        if (!evaluate(value, registers, true, cfa, place) || !load64(place, caller.values[i])) return false;
        break;
    }
  }
  if (row.rules[Registers::kPc] == Rule::kSame) return false;
  if (row.rules[Registers::kSp] == Rule::kSame) caller[Registers::kSp] = cfa;
  registers = caller;
  return true;
}

// The outermost frame says so.
bool has_no_caller(const Row& row) { return row.rules[Registers::kPc] == Rule::kUndefined; }

bool is_kept(int column) {
  return std::find(Registers::kKept.begin(), Registers::kKept.end(), column) != Registers::kKept.end();
}

// None: it is of another shape.
NativeRow packed(const Row& row, const Entry& entry, uint64_t pc) {
  const uint64_t into = pc - entry.begin;
  if (entry.signal_frame || into > NativeRow::kMostInto) return {};
  if (has_no_caller(row)) return {false, 0, into};
  const bool by_fp = row.cfa_register == Registers::kFp;
  if (row.cfa_expression != 0 || (!by_fp && row.cfa_register != Registers::kSp)) return {};
  const auto size = static_cast<uint64_t>(row.cfa_offset);
  if (size == 0 || size > NativeRow::kMostSize || size % 8 != 0) return {};
  NativeRow word(by_fp, size, into);
  for (int i = 0; i < kColumns; ++i)
    if (i == Registers::kPc ? row.rules[i] != Rule::kOffset || row.values[i] != -8
                            : row.rules[i] != Rule::kSame && !is_kept(i))
      return {};
  for (size_t i = 0; i < Registers::kKept.size(); ++i) {
    const Registers::Name name = Registers::kKept[i];
    const int64_t at = row.values[name];
    if (row.rules[name] == Rule::kSame) continue;
    if (row.rules[name] != Rule::kOffset || at > -16 || at < NativeRow::kDeepest || at % 8 != 0) return {};
    word.save(i, at);
  }
  return word;
}

Unwound unwind_by_table(const NativeModule& module, uint64_t pc, Registers& registers, Entry& entry, NativeRow& word) {
  const uint64_t record = module.eh_frame_header == 0 ? 0 : find_record(module.eh_frame_header, pc);
  if (record == 0 || !parse_entry(record, entry) || pc < entry.begin || pc >= entry.end) return Unwound::kNoTable;
  Row initial;
  if (!run(DwarfCursor(entry.initial, entry.initial_end), entry, ~0ull, Row{}, initial)) return Unwound::kFailed;
  Row row = initial;
  if (!run(DwarfCursor(entry.program, entry.program_end), entry, pc, initial, row)) return Unwound::kFailed;
  word = packed(row, entry, pc);
  if (has_no_caller(row)) return Unwound::kOutermost;
  if (!apply(row, registers)) return Unwound::kFailed;
  return entry.signal_frame ? Unwound::kInterrupted : Unwound::kCaller;
}

Unwound unwind_by_row(NativeRow row, Registers& registers) {
  if (row.size() == 0) return Unwound::kOutermost;
  return row.apply(registers) ? Unwound::kCaller : Unwound::kFailed;
}

}  // namespace

Unwound unwind_native(const NativeModules& modules, Registers& registers, bool exact, NativePlace& place) {
  // A call may be a function's last instruction: its return address then lies behind the function.
  const uint64_t pc = exact ? registers.pc() : registers.pc() - 1;
  place = {};
  NativeModule module;
  if (!modules.find(pc, module)) return Unwound::kNoTable;
  if (module.number != 0) place = {module.number, pc - module.bias};
  NativeRows& rows = modules.rows();
  if (const NativeRow row = rows.find(pc, module.number)) {
    place.address -= row.into();
    return unwind_by_row(row, registers);
  }
  Entry entry;
  NativeRow word;
  const Unwound how = unwind_by_table(module, pc, registers, entry, word);
  // The table of a signal's frame begins a byte before its function, since it is looked up as a caller's.
  const uint64_t begin = entry.signal_frame ? entry.begin + 1 : entry.begin;
  if (how != Unwound::kNoTable && module.number != 0) place.address = begin - module.bias;
  if (word && module.number != 0) rows.enter(pc, module.number, word);
  return how;
}

bool unwind_native(const NativeModules& modules, Registers& registers, bool top) {
  NativePlace place;
  const Unwound how = unwind_native(modules, registers, top, place);
  return how == Unwound::kCaller || how == Unwound::kInterrupted;
}

}  // namespace rec::agent
