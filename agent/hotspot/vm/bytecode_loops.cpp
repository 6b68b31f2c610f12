// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/bytecode_loops.h"

#include <string_view>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint32_t kMostBytes = 4096;  // of a method's bytecodes

constexpr uint8_t kWide = 0xc4, kIinc = 0x84, kTableSwitch = 0xaa, kLookupSwitch = 0xab;
constexpr uint8_t kFirstRewritten = 203, kLinearSwitch = 228, kBinarySwitch = 229;

// Bytes of each bytecode, from 0x00 on; 0: it tells itself, or there is none.
constexpr std::string_view kLengths =
    "1111111111111111"
    "2323322222111111"
    "1111111111111111"
    "1111112222211111"  // to 0x3f
    "1111111111111111"
    "1111111111111111"
    "1111111111111111"
    "1111111111111111"  // to 0x7f
    "1111311111111111"
    "1111111113333333"
    "3333333332001111"
    "1133333335532311"  // to 0xbf
    "3311043355";       // to 0xc9
// Of those that HotSpot puts in their place.
constexpr std::string_view kRewritten =
    "33333333"
    "333333333"
    "1444"
    "243"
    "3"
    "00"
    "23"
    "13"
    "3312";
static_assert(kLengths.size() == 0xca && kRewritten.size() == 238 - kFirstRewritten);

uint32_t digit(std::string_view lengths, uint32_t at) {
  return at < lengths.size() ? static_cast<uint32_t>(lengths[at] - '0') : 0;
}

// The method's bytecodes; numbers in them are big-endian, but for what HotSpot has rewritten.
class Bytecodes {
 public:
  Bytecodes(const Layout& layout, uint64_t method) {
    const uint64_t const_method = u64_at(method + layout.method.const_method);
    begin_ = const_method + layout.const_method.header;
    size_ = u16_at(const_method + layout.const_method.code_size);
  }
  uint32_t size() const { return size_; }
  uint8_t at(uint32_t bci) const { return u8_at(begin_ + bci); }
  int32_t word(uint32_t bci) const {
    return static_cast<int32_t>(uint32_t{at(bci)} << 24 | uint32_t{at(bci + 1)} << 16 | uint32_t{at(bci + 2)} << 8 |
                                uint32_t{at(bci + 3)});
  }
  int32_t half(uint32_t bci) const { return static_cast<int16_t>(at(bci) << 8 | at(bci + 1)); }

  // Bytes of the one that begins there; 0: not known; below 0 or large: it does not fit.
  int64_t length(uint32_t bci) const {
    const uint8_t code = at(bci);
    if (code == kWide) return at(bci + 1) == kIinc ? 6 : 4;
    const uint32_t operands = (bci & ~3u) + 4;  // of switches: the default, then a range, or how many pairs
    if (code == kTableSwitch) return operands - bci + 12 + 4 * (int64_t{word(operands + 8)} - word(operands + 4) + 1);
    if (code == kLookupSwitch || code == kLinearSwitch || code == kBinarySwitch)
      return operands - bci + 8 + 8 * int64_t{word(operands + 4)};
    return code < kFirstRewritten ? digit(kLengths, code) : digit(kRewritten, code - uint32_t{kFirstRewritten});
  }
  // How far it jumps; 0: it does not, or it is a switch, which leads forwards.
  int32_t jump(uint32_t bci) const {
    const uint8_t code = at(bci);
    if ((code >= 0x99 && code <= 0xa7) || code == 0xc6 || code == 0xc7) return half(bci + 1);
    return code == 0xc8 ? word(bci + 1) : 0;
  }

 private:
  uint64_t begin_ = 0;
  uint32_t size_ = 0;
};

}  // namespace

bool is_in_loop(const Layout& layout, uint64_t method, int32_t bci) {
  const Bytecodes code(layout, method);
  if (code.size() > kMostBytes) return false;
  for (uint32_t at = 0; at < code.size();) {
    const int64_t to = int64_t{at} + code.jump(at);
    if (to <= bci && bci <= int64_t{at} && to < int64_t{at}) return true;
    const int64_t length = code.length(at);
    if (length <= 0 || length > int64_t{code.size()}) return false;
    at += static_cast<uint32_t>(length);
  }
  return false;
}

}  // namespace rec::agent
