// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/aarch64/instruction.h"

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent::aarch64 {
namespace {

constexpr uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((uint32_t{1} << (high - low + 1)) - 1);
}
constexpr int64_t sign_extended(uint32_t value, unsigned width) {
  return static_cast<int64_t>(static_cast<uint64_t>(value) << (64 - width)) >> (64 - width);
}
constexpr bool is(uint32_t word, uint32_t mask, uint32_t value) { return (word & mask) == value; }

class Decoder {
 public:
  Decoder(uint32_t word, uint64_t address) : word_(word), address_(address) { result_.kind = Instruction::kPlain; }

  Instruction decode() {
    if (!goes_elsewhere() && !accesses_memory()) computes();
    return result_;
  }

 private:
  // Branches, exceptions and returns (C4.1.65).
  bool goes_elsewhere() {
    if (is(word_, 0xfc000000, 0x14000000)) return to(Instruction::kJump, 26, 0);
    if (is(word_, 0xfc000000, 0x94000000)) return call(26);
    if (is(word_, 0xff000000, 0x54000000)) return to(Instruction::kBranch, 19, 5);  // b.cond, bc.cond
    if (is(word_, 0x7e000000, 0x34000000)) return to(Instruction::kBranch, 19, 5);  // cbz, cbnz
    if (is(word_, 0x7e000000, 0x36000000)) return to(Instruction::kBranch, 14, 5);  // tbz, tbnz
    if (is(word_, 0xfe000000, 0xd6000000)) return by_register();
    const bool traps = is(word_, 0xffe00000, 0xd4200000) || is(word_, 0xffe00000, 0xd4400000) || word_ >> 16 == 0;
    if (traps) result_.kind = Instruction::kTrap;  // brk, hlt, udf
    return traps || is(word_, 0xff000000, 0xd4000000);
  }

  bool to(Instruction::Kind kind, unsigned width, unsigned low) {
    result_.kind = kind;
    const int64_t words = sign_extended(bits(word_, low + width - 1, low), width);
    result_.target = address_ + static_cast<uint64_t>(words * 4);
    return true;
  }

  bool call(unsigned width) {
    to(Instruction::kCall, width, 0);
    result_.written = Instruction::kLink;
    return true;
  }

  // br, blr, ret, and those of them that check a signature first.
  bool by_register() {
    constexpr Instruction::Kind kKinds[4] = {Instruction::kJumpAway, Instruction::kCall, Instruction::kReturn,
                                             Instruction::kTrap};
    result_.kind = kKinds[bits(word_, 22, 21)];
    const bool signed_return = result_.kind == Instruction::kReturn && bits(word_, 11, 11) != 0;
    result_.through = signed_return ? Instruction::kLink : static_cast<uint8_t>(bits(word_, 9, 5));
    if (result_.kind == Instruction::kCall) result_.written = Instruction::kLink;
    return true;
  }

  // Loads and stores (C4.1.66).
  bool accesses_memory() {
    if (!is(word_, 0x0a000000, 0x08000000)) return false;
    const uint32_t group = bits(word_, 29, 28);
    const bool vector = bits(word_, 26, 26) != 0;
    if (group == 2) {
      pair(vector);
    } else if (group == 3) {
      single(vector);
    } else if (group == 1 && !vector && is(word_, 0x3b000000, 0x18000000)) {
      writes(bits(word_, 4, 0));  // of a constant beside the code
    } else if (group == 0 && vector) {
      structures();
    } else if (group == 0 && bits(word_, 22, 22) != 0) {
      writes(bits(word_, 4, 0));  // exclusive and ordered loads
      if (bits(word_, 21, 21) != 0 && bits(word_, 23, 23) == 0) writes_too(bits(word_, 14, 10));
    }
    return true;
  }

  // LD1 to LD4, ST1 to ST4: vector registers one after another, and perhaps the base moved behind them.
  void structures() {
    const bool moves = bits(word_, 23, 23) != 0, multiple = bits(word_, 24, 24) == 0,
               by_size = bits(word_, 20, 16) == 31;
    const auto base = static_cast<uint8_t>(bits(word_, 9, 5));
    if (!moves) return;
    if (base != Instruction::kSp) return moved_base(base);
    constexpr uint8_t kRegisters[16] = {4, 0, 4, 0, 3, 0, 3, 1, 2, 0, 2};  // by the operation
    result_.sp_lost = !multiple || !by_size;
    if (!result_.sp_lost) result_.sp_up = kRegisters[bits(word_, 15, 12)] * (bits(word_, 30, 30) != 0 ? 16 : 8);
  }

  void pair(bool vector) {
    const uint32_t size = bits(word_, 31, 30), form = bits(word_, 24, 23);
    const bool load = bits(word_, 22, 22) != 0;
    const int64_t scale = vector ? int64_t{4} << size : size == 2 ? 8 : 4;
    const int64_t offset = sign_extended(bits(word_, 21, 15), 7) * scale;
    const auto first = static_cast<uint8_t>(bits(word_, 4, 0)), second = static_cast<uint8_t>(bits(word_, 14, 10));
    if (!vector && load) {
      writes(first);
      writes_too(second);
    }
    access(!vector && size == 2, load, form == 1, form == 1 || form == 3, offset, first, second);
  }

  void single(bool vector) {
    const uint32_t size = bits(word_, 31, 30), operation = bits(word_, 23, 22);
    const bool load = operation != 0, whole = !vector && size == 3 && operation < 2;
    const auto name = static_cast<uint8_t>(bits(word_, 4, 0));
    const bool prefetches = !vector && size == 3 && operation == 2;
    if (!vector && load && !prefetches) writes(name);
    if (bits(word_, 24, 24) != 0) {
      access(whole, load, false, false, int64_t{bits(word_, 21, 10)} * 8, name, Instruction::kNothing);
    } else if (bits(word_, 21, 21) == 0) {
      const uint32_t form = bits(word_, 11, 10);
      const int64_t offset = sign_extended(bits(word_, 20, 12), 9);
      access(whole, load, form == 1, form == 1 || form == 3, offset, name, Instruction::kNothing);
    } else if (bits(word_, 11, 10) == 0) {
      if (!vector) writes(name);  // atomic operations
    }
  }

  // behind: sp moves by offset only afterwards; moves: it does so at all. Of other bases, what moves is the base.
  void access(bool whole, bool load, bool behind, bool moves, int64_t offset, uint8_t first, uint8_t second) {
    const uint32_t base = bits(word_, 9, 5);
    if (base != Instruction::kSp) {
      if (moves) moved_base(static_cast<uint8_t>(base));
      return;
    }
    if (moves) result_.sp_up = offset;
    if (!whole) return;
    result_.by_sp = load ? Instruction::kLoad : Instruction::kStore;
    result_.first = first;
    result_.second = second;
    result_.at = behind ? 0 : offset;
  }

  // A third register cannot be told of; the second of a pair is of less interest.
  void moved_base(uint8_t base) {
    if (result_.written == Instruction::kNothing)
      result_.written = base;
    else
      result_.written_too = base;
  }

  // Data processing (C4.1.64, C4.1.67): only general registers.
  void computes() {
    if (is(word_, 0x0e000000, 0x0e000000)) return vector();
    const auto to = static_cast<uint8_t>(bits(word_, 4, 0)), from = static_cast<uint8_t>(bits(word_, 9, 5));
    if (is(word_, 0x1f800000, 0x11000000)) return adds_constant(to, from);
    if (is(word_, 0x1fe00000, 0x0b200000))
      return may_set_sp(to, from, bits(word_, 29, 29) != 0);  // add, sub of an extended one
    if (is(word_, 0x1f800000, 0x12000000)) return and_constant(to, from);
    writes(to);
    const bool moves = is(word_, 0xffe0ffe0, 0xaa0003e0);  // orr x, xzr, x
    if (moves) result_.copy_of = static_cast<uint8_t>(bits(word_, 20, 16));
  }

  // fmov to a general register, and conversions to one.
  void vector() {
    const bool to_general = is(word_, 0x5f20fc00, 0x1e200000) && bits(word_, 18, 16) <= 6 && bits(word_, 18, 17) != 1;
    if (to_general) writes(bits(word_, 4, 0));
  }

  void adds_constant(uint8_t to, uint8_t from) {
    const bool sets_flags = bits(word_, 29, 29) != 0, subtracts = bits(word_, 30, 30) != 0;
    const int64_t value = int64_t{bits(word_, 21, 10)} << (bits(word_, 22, 22) != 0 ? 12 : 0);
    if (to != Instruction::kSp || sets_flags) {
      writes(to);
      if (value == 0 && !sets_flags && bits(word_, 31, 31) != 0) result_.copy_of = from;
      return;
    }
    if (from != Instruction::kSp) result_.sp_from = from;
    result_.sp_up = subtracts ? -value : value;
  }

  void and_constant(uint8_t to, uint8_t from) {
    constexpr uint32_t kAligned16 = 0x927cec00;  // and x, x, #-16
    if (to != Instruction::kSp || bits(word_, 30, 29) == 3) return writes(to);
    result_.sp_lost = !is(word_, 0xfffffc00, kAligned16);
    if (!result_.sp_lost) result_.sp_from = from;  // which is aligned already where that matters
  }

  void may_set_sp(uint8_t to, uint8_t, bool sets_flags) {
    if (to != Instruction::kSp || sets_flags) return writes(to);
    result_.sp_lost = true;
  }

  void writes(uint32_t name) {
    if (name != Instruction::kSp) result_.written = static_cast<uint8_t>(name);
  }
  void writes_too(uint32_t name) {
    if (name != Instruction::kSp) result_.written_too = static_cast<uint8_t>(name);
  }

  const uint32_t word_;
  const uint64_t address_;
  Instruction result_;
};

}  // namespace

Instruction decode(uint32_t word, uint64_t address) { return Decoder(word, address).decode(); }

Instruction instruction_at(uint64_t address) {
  uint32_t word = 0;
  return load32(address, word) ? decode(word, address) : Instruction{};
}

}  // namespace rec::agent::aarch64
