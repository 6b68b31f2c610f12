// SPDX-License-Identifier: Apache-2.0
// Instruction tells of one machine instruction what walking needs: how long it is, how far it moves sp, and where it
// goes on. All that HotSpot's assembler emits for x86-64 is measured, AVX-512 included (Intel SDM, volume 2, appendix
// A); what it does besides is not looked at. Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent::x86_64 {

struct Instruction {
  enum Kind : uint8_t {
    kUnknown,  // not decoded, or it sets sp to what cannot be told from the code
    kPlain,
    kBranch,    // conditional: goes on behind itself, or at target
    kJump,      // goes on at target
    kCall,      // comes back behind itself, with sp as it was
    kReturn,    // pops the return address, which sp_up does not count
    kJumpAway,  // jumps to an address in a register or in memory
    kTrap       // nothing behind it belongs to it
  };
  static constexpr uint8_t kNothing = 0xff, kRax = 0, kRdx = 2, kRsp = 4, kRbp = 5, kR13 = 13;
  Kind kind = kUnknown;
  uint8_t length = 0;          // bytes; 0: not decoded
  uint8_t popped = kNothing;   // the register that it pops the stack's top into, by its number in instructions
  uint8_t pushed = kNothing;   // the register that it pushes
  int32_t sp_up = 0;           // bytes that sp is higher afterwards; pushes are negative
  uint64_t target = 0;         // of jumps and branches to a fixed address
  uint8_t through = kNothing;  // the register that a jump away goes through
  uint8_t sp_from = kNothing;  // the register that it copies to sp
  uint8_t sp_to = kNothing;    // the register that it copies sp to
};

// Bytes that it takes; 0: it is not decoded.
inline uint64_t bytes_of(const Instruction& instruction) { return instruction.length; }

// The instruction that begins at the address; kUnknown when it cannot be read.
Instruction instruction_at(uint64_t address);

}  // namespace rec::agent::x86_64
