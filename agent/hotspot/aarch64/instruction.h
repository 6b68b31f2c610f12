// SPDX-License-Identifier: Apache-2.0
// Instruction tells of one machine instruction what walking needs: where it goes on, what it does to sp, and to the two
// registers that make a frame, x29 and x30 (the link register). What it does besides is not looked at (Arm Architecture
// Reference Manual for A-profile, C4.1). decode() is a pure function of the word. Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent::aarch64 {

inline constexpr uint64_t kStep = 4;  // bytes of an instruction, of each

struct Instruction {
  enum Kind : uint8_t {
    kUnknown,  // it cannot be read
    kPlain,
    kBranch,    // conditional: goes on behind itself, or at target
    kJump,      // goes on at target
    kCall,      // comes back behind itself, with sp as it was and another link register
    kReturn,    // to the address in `through`
    kJumpAway,  // likewise, but not by a return
    kTrap       // nothing behind it belongs to it
  };
  static constexpr uint8_t kNothing = 0xff;
  static constexpr uint8_t kSenderSp = 19, kFp = 29, kLink = 30, kSp = 31;

  Kind kind = kUnknown;
  uint8_t through = kNothing;  // the register that has the address of a return, a jump away, or a call
  uint64_t target = 0;         // of jumps, branches and calls to a fixed address; 0: none
  int64_t sp_up = 0;           // bytes that sp is higher afterwards
  uint8_t sp_from = kNothing;  // sp becomes this register's value + sp_up, whatever it was before
  bool sp_lost = false;        // sp becomes what the code does not tell
  uint8_t written = kNothing, written_too = kNothing;  // registers that it gives values, besides sp
  uint8_t copy_of = kNothing;                          // the register, or kSp, whose value `written` becomes

  // Of loads and stores of whole registers by sp: the one, or two, and where they lie above sp as it is before.
  enum Access : uint8_t { kNone, kLoad, kStore };
  Access by_sp = kNone;
  uint8_t first = kNothing, second = kNothing;
  int64_t at = 0;
  int64_t place_of(uint8_t name) const { return first == name ? at : at + 8; }
  bool loads(uint8_t name) const { return by_sp == kLoad && (first == name || second == name); }
  bool stores(uint8_t name) const { return by_sp == kStore && (first == name || second == name); }
};

// Bytes that it takes; 0: it cannot be read.
inline uint64_t bytes_of(const Instruction& instruction) {
  return instruction.kind == Instruction::kUnknown ? 0 : kStep;
}

// address: of the instruction, for what is told by a distance from it.
Instruction decode(uint32_t word, uint64_t address);

// The instruction at the address; kUnknown when it cannot be read.
Instruction instruction_at(uint64_t address);

}  // namespace rec::agent::aarch64
