// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/unwind_row.h"

#include <algorithm>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/walk/unwind_expression.h"

namespace rec::agent {
namespace {

using Rule = UnwindRow::Rule;

bool is_kept(int column) {
  return std::find(Registers::kKept.begin(), Registers::kKept.end(), column) != Registers::kKept.end();
}

bool find_end(const UnwindRow& row, const Registers& registers, uint64_t& cfa) {
  if (row.cfa_expression != 0) return evaluate_unwind_expression(row.cfa_expression, registers, nullptr, cfa);
  if (row.cfa_register >= UnwindRow::kColumns || registers.values[row.cfa_register] == Registers::kUnknown)
    return false;
  cfa = registers.values[row.cfa_register] + static_cast<uint64_t>(row.cfa_offset);
  return true;
}

// before is what the caller left in the register, if nothing is said of it.
bool value_of_caller(Rule rule, uint64_t value, const Registers& registers, uint64_t cfa, uint64_t& before) {
  uint64_t place = 0;
  switch (rule) {
    case Rule::kSame:
    case Rule::kUndefined: return true;
    case Rule::kOffset: return load64(cfa + value, before);
    case Rule::kValueOffset: before = cfa + value; return true;
    case Rule::kRegister:
      if (value >= UnwindRow::kColumns) return false;
      before = registers.values[value];
      return true;
    case Rule::kExpression: return evaluate_unwind_expression(value, registers, &cfa, place) && load64(place, before);
  }
  return false;
}

// Without it there is no caller.
bool is_needed(int column) { return column == Registers::kReturnColumn || column == Registers::kSp; }

// The return address is 8 below the frame's end, and no register but the kept ones has a rule.
bool is_usual(const UnwindRow& row) {
  if (row.rules[Registers::kReturnColumn] != Rule::kOffset || row.values[Registers::kReturnColumn] != -8) return false;
  for (int i = 0; i < UnwindRow::kColumns; ++i)
    if (i != Registers::kReturnColumn && row.rules[i] != Rule::kSame && !is_kept(i)) return false;
  return true;
}

// A column of pc's own always has a rule. The link register has none as long as it is as the caller's call has left it; in the
// caller's frame it is not known what it was.
bool find_pc(Rule rule, Registers& caller) {
  constexpr Registers::Name kReturn = Registers::kReturnColumn;
  if (rule == Rule::kSame && (kReturn == Registers::kPc || caller[kReturn] == Registers::kUnknown)) return false;
  caller[Registers::kPc] = without_signature(caller[kReturn]);
  if (kReturn != Registers::kPc) caller[kReturn] = Registers::kUnknown;
  return true;
}

}  // namespace

bool UnwindRow::apply(Registers& registers) const {
  uint64_t cfa = 0;
  if (!find_end(*this, registers, cfa)) return false;
  Registers caller = registers;
  for (int i = 0; i < kColumns; ++i) {
    if (value_of_caller(rules[i], static_cast<uint64_t>(values[i]), registers, cfa, caller.values[i])) continue;
    if (rules[i] != Rule::kExpression || is_needed(i)) return false;
    caller.values[i] = Registers::kUnknown;
  }
  if (!find_pc(rules[Registers::kReturnColumn], caller)) return false;
  if (rules[Registers::kSp] == Rule::kSame) caller[Registers::kSp] = cfa;
  registers = caller;
  return true;
}

NativeRow UnwindRow::packed(const UnwindEntry& entry, uint64_t pc) const {
  const uint64_t into = pc - entry.begin;
  if (Registers::kReturnColumn != Registers::kPc) return {};  // of another shape throughout
  if (entry.signal_frame || into > NativeRow::kMostInto) return {};
  if (has_no_caller()) return {false, 0, into};
  const bool by_fp = cfa_register == Registers::kFp;
  if (cfa_expression != 0 || (!by_fp && cfa_register != Registers::kSp)) return {};
  const auto size = static_cast<uint64_t>(cfa_offset);
  if (size == 0 || size > NativeRow::kMostSize || size % 8 != 0 || !is_usual(*this)) return {};
  NativeRow word(by_fp, size, into);
  for (size_t i = 0; i < Registers::kKept.size(); ++i) {
    const Registers::Name name = Registers::kKept[i];
    const int64_t at = values[name];
    if (rules[name] == Rule::kSame) continue;
    if (rules[name] != Rule::kOffset || at > -16 || at < NativeRow::kDeepest || at % 8 != 0) return {};
    word.save(i, at);
  }
  return word;
}

}  // namespace rec::agent
