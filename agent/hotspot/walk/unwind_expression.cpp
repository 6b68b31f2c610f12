// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/unwind_expression.h"

#include <optional>

#include "agent/hotspot/walk/dwarf_cursor.h"

namespace rec::agent {
namespace {

class ExpressionStack {
 public:
  bool push(uint64_t value) {
    if (top_ == kSize) return false;
    values_[top_++] = value;
    return true;
  }
  bool step(uint8_t operation, DwarfCursor& cursor, const Registers& registers) {
    if (const auto value = pushed(operation, cursor, registers)) return push(*value);
    if (top_ < 1) return false;
    if (operation == kDeref) return load64(values_[top_ - 1], values_[top_ - 1]);
    if (operation == kPlusUconst) {
      values_[top_ - 1] += cursor.uleb();
      return true;
    }
    return combine(operation);
  }
  bool top(uint64_t& value) const {
    if (top_ < 1) return false;
    value = values_[top_ - 1];
    return true;
  }

 private:
  // Names as in DWARF 4, figure 24: without DW_OP_.
  enum Operation : uint8_t {
    kDeref = 0x06,
    kConst1u = 0x08,
    kConst1s = 0x09,
    kConst2u = 0x0a,
    kConst2s = 0x0b,
    kConst4u = 0x0c,
    kConst4s = 0x0d,
    kAnd = 0x1a,
    kMinus = 0x1c,
    kPlus = 0x22,
    kPlusUconst = 0x23,
    kShl = 0x24,
    kGe = 0x2a,
    kLit0 = 0x30,
    kLit31 = 0x4f,
    kBreg0 = 0x70,
  };

  // What an operation that only pushes pushes.
  static std::optional<uint64_t> pushed(uint8_t operation, DwarfCursor& cursor, const Registers& registers) {
    if (operation >= kLit0 && operation <= kLit31) return operation - kLit0;
    if (operation >= kConst1u && operation <= kConst4s) return constant(operation, cursor);
    if (operation < kBreg0 || operation >= uint8_t{kBreg0} + int{Registers::kCount}) return {};
    const int64_t offset = cursor.sleb();
    return registers.values[operation - kBreg0] + static_cast<uint64_t>(offset);
  }

  static uint64_t constant(uint8_t operation, DwarfCursor& cursor) {
    switch (operation) {
      case kConst1u: return cursor.u8();
      case kConst1s: return static_cast<uint64_t>(static_cast<int8_t>(cursor.u8()));
      case kConst2u: return cursor.u16();
      case kConst2s: return static_cast<uint64_t>(static_cast<int16_t>(cursor.u16()));
      case kConst4u: return cursor.u32();
      default: return static_cast<uint64_t>(static_cast<int32_t>(cursor.u32()));
    }
  }

  static std::optional<uint64_t> combined(uint8_t operation, uint64_t left, uint64_t right) {
    switch (operation) {
      case kAnd: return left & right;
      case kMinus: return left - right;
      case kPlus: return left + right;
      case kShl: return left << (right & 63);
      case kGe: return static_cast<int64_t>(left) >= static_cast<int64_t>(right);
      default: return {};
    }
  }

  bool combine(uint8_t operation) {
    if (top_ < 2) return false;
    const uint64_t right = values_[--top_];
    const auto value = combined(operation, values_[top_ - 1], right);
    values_[top_ - 1] = value.value_or(0);
    return value.has_value();
  }

  static constexpr int kSize = 8;
  uint64_t values_[kSize];
  int top_ = 0;
};

}  // namespace

bool evaluate_unwind_expression(uint64_t expression, const Registers& registers, const uint64_t* first,
                                uint64_t& result) {
  DwarfCursor length(expression, expression + 16);
  const uint64_t size = length.uleb();
  DwarfCursor cursor(length.at(), length.at() + size);
  ExpressionStack stack;
  if (first != nullptr) stack.push(*first);
  constexpr int kMostOperations = 64;
  for (int i = 0; i < kMostOperations && !cursor.done(); ++i) {
    const uint8_t operation = cursor.u8();
    if (!stack.step(operation, cursor, registers)) return false;
  }
  return !cursor.failed() && stack.top(result);
}

}  // namespace rec::agent
