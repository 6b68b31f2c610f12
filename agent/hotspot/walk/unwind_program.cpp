// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/unwind_program.h"

#include "agent/hotspot/walk/dwarf_cursor.h"

namespace rec::agent {
namespace {

using Rule = UnwindRow::Rule;

constexpr int kMostInstructions = 4096;  // of one function's program; bounds damage

class UnwindProgram {
 public:
  // initial: what "restore" goes back to.
  UnwindProgram(const UnwindEntry& entry, const UnwindRow& initial, UnwindRow& row)
      : entry_(entry), initial_(initial), row_(row), location_(entry.begin) {}

  // Until the row for pc is complete.
  bool run(DwarfCursor cursor, uint64_t pc) {
    for (int i = 0; i < kMostInstructions && !cursor.done(); ++i) {
      const uint8_t byte = cursor.u8();
      const bool has_operand = byte >= kAdvanceLoc;
      const uint64_t operand = has_operand ? byte & 0x3f : 0;
      if (!step(has_operand ? byte & 0xc0 : byte, operand, cursor)) return false;
      if (location_ > pc) return true;
    }
    return !cursor.failed();
  }

 private:
  // Names as in DWARF 4, figure 40: without DW_CFA_. Three have their first operand in the low six bits.
  enum Instruction : uint8_t {
    kNop = 0x00,
    kSetLoc = 0x01,
    kAdvanceLoc1 = 0x02,
    kAdvanceLoc2 = 0x03,
    kAdvanceLoc4 = 0x04,
    kOffsetExtended = 0x05,
    kRestoreExtended = 0x06,
    kUndefined = 0x07,
    kSameValue = 0x08,
    kRegister = 0x09,
    kRememberState = 0x0a,
    kRestoreState = 0x0b,
    kDefCfa = 0x0c,
    kDefCfaRegister = 0x0d,
    kDefCfaOffset = 0x0e,
    kDefCfaExpression = 0x0f,
    kExpression = 0x10,
    kOffsetExtendedSf = 0x11,
    kDefCfaSf = 0x12,
    kDefCfaOffsetSf = 0x13,
    kValOffset = 0x14,
    kAarch64NegateRaState = 0x2d,  // from here on the return address is signed, or no more: it loses that in any case
    kGnuArgsSize = 0x2e,
    kAdvanceLoc = 0x40,
    kOffset = 0x80,
    kRestore = 0xc0,
  };

  bool step(uint8_t instruction, uint64_t operand, DwarfCursor& cursor) {
    return moves_on(instruction, operand, cursor) || says_end(instruction, cursor) ||
           says_register(instruction, operand, cursor) || keeps_state(instruction, cursor);
  }

  bool moves_on(uint8_t instruction, uint64_t operand, DwarfCursor& cursor) {
    switch (instruction) {
      case kAdvanceLoc: return advance(operand);
      case kAdvanceLoc1: return advance(cursor.u8());
      case kAdvanceLoc2: return advance(cursor.u16());
      case kAdvanceLoc4: return advance(cursor.u32());
      case kSetLoc: location_ = cursor.pointer(entry_.pointer_encoding); return true;
      default: return false;
    }
  }

  bool says_end(uint8_t instruction, DwarfCursor& cursor) {
    switch (instruction) {
      case kDefCfa:
        row_.cfa_register = static_cast<uint8_t>(cursor.uleb());
        row_.cfa_offset = static_cast<int64_t>(cursor.uleb());
        break;
      case kDefCfaSf:
        row_.cfa_register = static_cast<uint8_t>(cursor.uleb());
        row_.cfa_offset = cursor.sleb() * entry_.data_align;
        break;
      case kDefCfaRegister: row_.cfa_register = static_cast<uint8_t>(cursor.uleb()); break;
      case kDefCfaOffset: row_.cfa_offset = static_cast<int64_t>(cursor.uleb()); return true;
      case kDefCfaOffsetSf: row_.cfa_offset = cursor.sleb() * entry_.data_align; return true;
      case kDefCfaExpression:
        row_.cfa_expression = cursor.at();
        cursor.skip(cursor.uleb());
        return true;
      default: return false;
    }
    row_.cfa_expression = 0;
    return true;
  }

  bool says_register(uint8_t instruction, uint64_t operand, DwarfCursor& cursor) {
    switch (instruction) {
      case kOffset: return set(operand, Rule::kOffset, factored(cursor));
      case kRestore: return restore(operand);
      case kOffsetExtended: operand = cursor.uleb(); return set(operand, Rule::kOffset, factored(cursor));
      case kOffsetExtendedSf:
        operand = cursor.uleb();
        return set(operand, Rule::kOffset, cursor.sleb() * entry_.data_align);
      case kValOffset: operand = cursor.uleb(); return set(operand, Rule::kValueOffset, factored(cursor));
      case kRegister:
        operand = cursor.uleb();
        return set(operand, Rule::kRegister, static_cast<int64_t>(cursor.uleb()));
      case kExpression:
        operand = cursor.uleb();
        set(operand, Rule::kExpression, static_cast<int64_t>(cursor.at()));
        cursor.skip(cursor.uleb());
        return true;
      case kRestoreExtended: return restore(cursor.uleb());
      case kUndefined: return set(cursor.uleb(), Rule::kUndefined, 0);
      case kSameValue: return set(cursor.uleb(), Rule::kSame, 0);
      default: return false;
    }
  }

  bool keeps_state(uint8_t instruction, DwarfCursor& cursor) {
    switch (instruction) {
      case kNop:
      case kAarch64NegateRaState: return true;
      case kGnuArgsSize: cursor.uleb(); return true;
      case kRememberState:
        if (depth_ == kMostSaved) return false;
        saved_[depth_++] = row_;
        return true;
      case kRestoreState:
        if (depth_ == 0) return false;
        row_ = saved_[--depth_];
        return true;
      default: return false;
    }
  }

  bool advance(uint64_t steps) {
    location_ += steps * entry_.code_align;
    return true;
  }
  bool set(uint64_t column, Rule rule, int64_t value) {
    if (column >= UnwindRow::kColumns) return true;  // vector registers: of no interest
    row_.rules[column] = rule;
    row_.values[column] = value;
    return true;
  }
  bool restore(uint64_t column) {
    return column >= UnwindRow::kColumns || set(column, initial_.rules[column], initial_.values[column]);
  }
  int64_t factored(DwarfCursor& cursor) { return static_cast<int64_t>(cursor.uleb()) * entry_.data_align; }

  static constexpr int kMostSaved = 3;
  const UnwindEntry& entry_;
  const UnwindRow& initial_;
  UnwindRow& row_;
  uint64_t location_;
  UnwindRow saved_[kMostSaved];
  int depth_ = 0;
};

}  // namespace

bool run_unwind_program(const UnwindEntry& entry, uint64_t pc, UnwindRow& row) {
  UnwindRow initial;
  if (!UnwindProgram(entry, UnwindRow{}, initial).run(DwarfCursor(entry.initial, entry.initial_end), ~0ull))
    return false;
  row = initial;
  return UnwindProgram(entry, initial, row).run(DwarfCursor(entry.program, entry.program_end), pc);
}

}  // namespace rec::agent
