// SPDX-License-Identifier: Apache-2.0
// The machine registers that walking needs, numbered as DWARF numbers them on x86-64. Signal-safe.
#pragma once

#include <array>
#include <cstdint>

namespace rec::agent::x86_64 {

struct Registers {
  enum Name : uint8_t {
    kRax,
    kRdx,
    kRcx,
    kRbx,
    kRsi,
    kRdi,
    kRbp,
    kRsp,
    kR8,
    kR9,
    kR10,
    kR11,
    kR12,
    kR13,
    kR14,
    kR15,
    kRip,
    kCount
  };

  // What they are for: native code, and the code that HotSpot generates (src/hotspot/cpu/x86/).
  static constexpr Name kPc = kRip, kSp = kRsp, kFp = kRbp;
  static constexpr Name kMethod = kRbx;       // at the entry of an interpreted method: its Method*
  static constexpr Name kSenderSp = kR13;     // there, and in adapters: the caller's sp
  static constexpr Name kReturnPc = kRax;     // there, once it is popped
  static constexpr Name kBytecode = kR13;     // amid a method: the bytecode's address
  static constexpr Name kExceptionPc = kRdx;  // where an exception blob is jumped to: the address that threw

  // In unwind tables the return address has pc's number.
  static constexpr Name kReturnColumn = kRip;

  // Besides sp, those that a function gives back as they were (System V ABI, 3.2.1).
  static constexpr std::array<Name, 6> kKept = {kRbx, kRbp, kR12, kR13, kR14, kR15};

  // The one that instructions give this number, below 16.
  static constexpr Name by_number(uint8_t number) {
    constexpr Name kNumbered[16] = {kRax, kRcx, kRdx, kRbx, kRsp, kRbp, kRsi, kRdi,
                                    kR8,  kR9,  kR10, kR11, kR12, kR13, kR14, kR15};
    return kNumbered[number & 15];
  }

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
  uint64_t pc() const { return values[kRip]; }
  uint64_t sp() const { return values[kRsp]; }
  uint64_t fp() const { return values[kRbp]; }
};

// A return address as it was before it was signed: none is.
constexpr uint64_t without_signature(uint64_t return_address) { return return_address; }

}  // namespace rec::agent::x86_64
