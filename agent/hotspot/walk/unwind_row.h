// SPDX-License-Identifier: Apache-2.0
// UnwindRow says how to get from one pc of a function to its caller: where the frame ends (the canonical frame address,
// CFA), and where each register of the caller is (DWARF 4 section 6.4.1). A function's program makes it
// (unwind_program.h). Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/processor/registers.h"
#include "agent/hotspot/walk/native_rows.h"
#include "agent/hotspot/walk/unwind_entry.h"

namespace rec::agent {

struct UnwindRow {
  static constexpr int kColumns = Registers::kCount;
  enum class Rule : uint8_t {
    kSame,         // the caller's value is in the register still
    kOffset,       // it lies at the frame's end + value
    kValueOffset,  // it is the frame's end + value
    kRegister,     // it is in the register of that number
    kExpression,   // it lies where the expression at that address says
    kUndefined,    // it is lost; of pc: there is no caller
  };

  uint8_t cfa_register = Registers::kSp;
  int64_t cfa_offset = 0;
  uint64_t cfa_expression = 0;  // address of the expression's length, or 0
  Rule rules[kColumns] = {};
  int64_t values[kColumns] = {};

  bool has_no_caller() const { return rules[Registers::kReturnColumn] == Rule::kUndefined; }
  // registers: of the frame; become its caller's. A register whose expression cannot be told is not known there, but for pc and
  // sp. False, and they are as they were: it asks for what is not there.
  bool apply(Registers& registers) const;
  // In a word, for a pc of entry's function; none: it is of another shape.
  NativeRow packed(const UnwindEntry& entry, uint64_t pc) const;
};

}  // namespace rec::agent
