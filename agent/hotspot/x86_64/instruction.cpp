// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/x86_64/instruction.h"

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/x86_64/opcodes.h"

namespace rec::agent::x86_64 {
namespace {

constexpr int kLongest = 15;  // bytes, by definition
constexpr int kSp = Instruction::kRsp;
constexpr int kRegister = 3;  // a ModRM byte's mod: its rm names a register; with any other, memory

enum RexBit : uint8_t { kRexB = 1, kRexX = 2, kRexR = 4, kRexW = 8 };

// Reads one instruction from its first byte to its last.
class Decoder {
 public:
  explicit Decoder(uint64_t address) : address_(address) {
    readable_ = safe_copy(bytes_, reinterpret_cast<const void*>(address), kLongest);
  }

  Instruction decode() {
    if (!readable_ || !read() || at_ > kLongest) return {};
    result_.length = static_cast<uint8_t>(at_);
    result_.target = address_ + static_cast<uint64_t>(at_) + static_cast<uint64_t>(constant_);
    return result_;
  }

 private:
  bool read() {
    opcode_ = behind_prefixes();
    if (opcode_ == 0x0f) return escaped();
    if (opcode_ == 0xc4 || opcode_ == 0xc5 || opcode_ == 0x62) return vector();
    return !kInvalid.has(opcode_) && !is_prefix(opcode_) && plain();
  }

  uint8_t behind_prefixes() {
    uint8_t byte = next();
    for (; is_prefix(byte) && at_ < kLongest; byte = next()) short_operand_ |= byte == 0x66;
    if ((byte & 0xf0) != 0x40) return byte;
    rex_ = byte;
    return next();
  }

  bool plain() {
    if (kModRm.has(opcode_)) mod_rm();
    if (opcode_ >= 0xa0 && opcode_ <= 0xa3) at_ += 8;  // an address
    if (opcode_ == 0xc2 || opcode_ == 0xca) at_ += 2;
    const bool tests = (opcode_ == 0xf6 || opcode_ == 0xf7) && (reg_ & 7) < 2;
    if (kByteConstant.has(opcode_) || (tests && opcode_ == 0xf6)) constant(1);
    if (kWordConstant.has(opcode_) || (tests && opcode_ == 0xf7)) constant(size_of_word());
    effect();
    return true;
  }

  int size_of_word() const {
    if (opcode_ >= 0xb8 && opcode_ <= 0xbf && (rex_ & kRexW) != 0) return 8;
    return short_operand_ && (rex_ & kRexW) == 0 && (opcode_ & 0xfe) != 0xe8 ? 2 : 4;
  }

  bool escaped() {
    opcode_ = next();
    if (opcode_ == 0x38 || opcode_ == 0x3a) {
      const bool has_constant = opcode_ == 0x3a;
      next();
      mod_rm();
      if (has_constant) constant(1);
      result_.kind = Instruction::kPlain;
      return true;
    }
    if (!kNoModRm0f.has(opcode_)) mod_rm();
    if (kByteConstant0f.has(opcode_)) constant(1);
    const bool branches = opcode_ >= 0x80 && opcode_ <= 0x8f;
    if (branches) constant(4);
    result_.kind = branches ? Instruction::kBranch : opcode_ == 0x0b ? Instruction::kTrap : Instruction::kPlain;
    return opcode_ != 0x0f && (opcode_ & 0xf7) != 0xa0 && (opcode_ & 0xf7) != 0xa1;  // nor push and pop of fs, gs
  }

  // VEX and EVEX: which table of opcodes it is stands in the bytes before the opcode.
  bool vector() {
    const bool is_short = opcode_ == 0xc5, is_evex = opcode_ == 0x62;
    const uint8_t first = next();
    const int table = is_short ? 1 : first & (is_evex ? 0x07 : 0x1f);
    at_ += is_short ? 0 : is_evex ? 2 : 1;
    opcode_ = next();
    if (table == 0 || table == 4 || table > 6) return false;
    if (table != 1 || opcode_ != 0x77) mod_rm();  // 77: vzeroupper
    if (table == 3 || (table == 1 && kByteConstant0f.has(opcode_))) constant(1);
    result_.kind = Instruction::kPlain;
    return true;
  }

  void mod_rm() {
    const uint8_t byte = next();
    mod_ = byte >> 6;
    reg_ = (byte >> 3 & 7) | ((rex_ & kRexR) != 0 ? 8 : 0);
    int base = byte & 7;
    const bool has_sib = mod_ != kRegister && base == 4;
    if (has_sib) {
      const uint8_t sib = next();
      base = sib & 7;
      has_index_ = (sib >> 3 & 7) != 4 || (rex_ & kRexX) != 0;
    }
    rm_ = base | ((rex_ & kRexB) != 0 ? 8 : 0);
    if (mod_ == 1) displacement_ = number(1);
    if (mod_ == 2 || (mod_ == 0 && base == 5)) displacement_ = number(4);
  }

  void effect() {
    result_.kind = kind();
    if (opcode_ >= 0x50 && opcode_ <= 0x57) result_.pushed = register_number(opcode_ & 7);
    if (opcode_ >= 0x58 && opcode_ <= 0x5f) result_.popped = register_number(opcode_ & 7);
    if (result_.kind == Instruction::kJumpAway && mod_ == kRegister) result_.through = static_cast<uint8_t>(rm_);
    if (result_.kind == Instruction::kPlain) result_.sp_up = sp_up();
    if (mod_ == kRegister && opcode_ == 0x8b) copies(rm_, reg_);
    if (mod_ == kRegister && opcode_ == 0x89) copies(reg_, rm_);
    if (sets_sp()) result_.kind = Instruction::kUnknown;
  }

  void copies(int from, int to) {
    if (to == kSp) result_.sp_from = static_cast<uint8_t>(from);
    if (from == kSp) result_.sp_to = static_cast<uint8_t>(to);
  }

  Instruction::Kind kind() const {
    if ((opcode_ >= 0x70 && opcode_ <= 0x7f) || (opcode_ >= 0xe0 && opcode_ <= 0xe3)) return Instruction::kBranch;
    switch (opcode_) {
      case 0xc2:
      case 0xc3: return Instruction::kReturn;
      case 0xe8: return Instruction::kCall;
      case 0xe9:
      case 0xeb: return Instruction::kJump;
      case 0xcc:
      case 0xf4: return Instruction::kTrap;
      case 0xff:
        if ((reg_ & 7) == 2) return Instruction::kCall;
        if ((reg_ & 7) == 4) return Instruction::kJumpAway;
        break;
      default: break;
    }
    return Instruction::kPlain;
  }

  int32_t sp_up() const {
    const int operation = reg_ & 7;
    if (opcode_ >= 0x50 && opcode_ <= 0x57) return -8;
    if (opcode_ >= 0x58 && opcode_ <= 0x5f) return 8;
    if (opcode_ == 0x68 || opcode_ == 0x6a || opcode_ == 0x9c || (opcode_ == 0xff && operation == 6)) return -8;
    if (opcode_ == 0x9d || opcode_ == 0x8f) return 8;
    if (adds_to_sp()) return static_cast<int32_t>(operation == 0 ? constant_ : -constant_);
    if (moves_sp_by_lea()) return static_cast<int32_t>(displacement_);
    return 0;
  }

  uint8_t register_number(int low) const { return static_cast<uint8_t>(low | ((rex_ & kRexB) != 0 ? 8 : 0)); }

  bool adds_to_sp() const {
    return (opcode_ == 0x81 || opcode_ == 0x83) && mod_ == kRegister && rm_ == kSp &&
           ((reg_ & 7) == 0 || (reg_ & 7) == 5);
  }
  bool moves_sp_by_lea() const {
    return opcode_ == 0x8d && reg_ == kSp && rm_ == kSp && !has_index_ && (mod_ == 1 || mod_ == 2);
  }

  // To what cannot be told from the code.
  bool sets_sp() const {
    if (opcode_ == 0xc9) return true;  // leave
    if (opcode_ == 0x5c) return (rex_ & kRexB) == 0;
    if (adds_to_sp() || moves_sp_by_lea()) return false;
    if ((opcode_ == 0x81 || opcode_ == 0x83) && (reg_ & 7) == 7) return false;  // cmp
    if (opcode_ == 0xff && (reg_ & 7) >= 2) return false;                       // neither inc nor dec
    return (kWritesRm.has(opcode_) && mod_ == kRegister && rm_ == kSp) || (kWritesReg.has(opcode_) && reg_ == kSp);
  }

  void constant(int size) { constant_ = number(size); }

  int64_t number(int size) {
    uint64_t value = 0;
    for (int i = 0; i < size; ++i) value |= uint64_t{next()} << (8 * i);
    const int unused = 64 - 8 * size;
    return static_cast<int64_t>(value << unused) >> unused;
  }

  uint8_t next() {
    const int at = at_++;
    return at < kLongest ? bytes_[at] : uint8_t{0};
  }

  const uint64_t address_;
  uint8_t bytes_[kLongest];
  bool readable_ = false;
  int at_ = 0;
  bool short_operand_ = false;
  uint8_t rex_ = 0, opcode_ = 0;
  int mod_ = 0, reg_ = 0, rm_ = 0;
  bool has_index_ = false;
  int64_t displacement_ = 0, constant_ = 0;
  Instruction result_;
};

}  // namespace

Instruction instruction_at(uint64_t address) { return Decoder(address).decode(); }

}  // namespace rec::agent::x86_64
