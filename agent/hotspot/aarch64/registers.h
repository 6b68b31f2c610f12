// SPDX-License-Identifier: Apache-2.0
// The machine registers that walking needs, numbered as DWARF numbers them on aarch64 (DWARF for the Arm 64-bit Architecture,
// 4.1), but for pc, which has no number there. Signal-safe.
#pragma once

#include <array>
#include <cstdint>

namespace rec::agent::aarch64 {

struct Registers {
  enum Name : uint8_t {
    kX0,
    kX3 = 3,
    kX8 = 8,
    kX12 = 12,
    kX19 = 19,
    kX20,
    kX21,
    kX22,
    kX23,
    kX24,
    kX25,
    kX26,
    kX27,
    kX28,
    kX29,
    kX30,
    kX31,  // sp, or none: an instruction says which
    kProgramCounter,
    kCount
  };

  // What they are for: native code (AAPCS64), and the code that HotSpot generates (src/hotspot/cpu/aarch64/).
  static constexpr Name kPc = kProgramCounter, kSp = kX31, kFp = kX29;
  static constexpr Name kReturnPc = kX30;    // the link register: where a call just made returns to
  static constexpr Name kThread = kX28;      // in generated code: the JavaThread
  static constexpr Name kMethod = kX12;      // at the entry of an interpreted method: its Method*
  static constexpr Name kSenderSp = kX19;    // there, and in adapters: the caller's sp
  static constexpr Name kArguments = kX20;   // in the interpreter: the top of its own stack, which sp lies below
  static constexpr Name kBytecode = kX22;    // amid a method: the bytecode's address
  static constexpr Name kExceptionPc = kX3;  // where an exception blob is jumped to: the address that threw

  // In unwind tables the return address is the link register's.
  static constexpr Name kReturnColumn = kX30;

  // Besides sp, those that a function gives back as they were (AAPCS64, 6.1.1).
  static constexpr std::array<Name, 11> kKept = {kX19, kX20, kX21, kX22, kX23, kX24, kX25, kX26, kX27, kX28, kX29};

  // The one that instructions give this number, below 32.
  static constexpr Name by_number(uint8_t number) { return static_cast<Name>(number & 31); }

  // What is not known: no address of a process, so that a load by it fails.
  static constexpr uint64_t kUnknown = uint64_t{1} << 63;

  // Of a frame of which no more is known.
  static constexpr Registers only(uint64_t pc, uint64_t sp) {
    Registers registers;
    registers.values.fill(kUnknown);
    registers[kPc] = pc;
    registers[kSp] = sp;
    return registers;
  }

  std::array<uint64_t, kCount> values{};

  constexpr uint64_t& operator[](Name name) { return values[name]; }
  constexpr uint64_t operator[](Name name) const { return values[name]; }
  uint64_t pc() const { return values[kPc]; }
  uint64_t sp() const { return values[kSp]; }
  uint64_t fp() const { return values[kFp]; }
};

// A return address as it was before it was signed: whoever protects return addresses keeps a code in the bits above those of
// an address (FEAT_PAuth). An address of a process has 48 bits, unless it asks for more (Documentation/arch/arm64/memory.rst).
constexpr uint64_t without_signature(uint64_t return_address) { return return_address & ((uint64_t{1} << 48) - 1); }

}  // namespace rec::agent::aarch64
