// SPDX-License-Identifier: Apache-2.0
// StackTable numbers stacks: the same frames, the same number, from 1 on, whatever chunk they come from. 0 is none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/reader/key_table.h"

namespace jfr::c {

struct StackFrame {
  uint32_t type = 0, method = 0, kind = 0;  // numbers of texts
  int32_t line = -1, bytecode_index = -1;
  bool operator==(const StackFrame&) const = default;
};

class StackTable {
 public:
  uint32_t number_of(std::span<const StackFrame> frames, bool truncated);

  bool has(uint32_t number) const { return number != 0 && number <= stacks_.size(); }
  std::span<const StackFrame> frames(uint32_t number) const {  // the innermost first
    const Stack& stack = stacks_[number - 1];
    return std::span(frames_).subspan(stack.first, stack.count);
  }
  bool truncated(uint32_t number) const { return stacks_[number - 1].truncated; }

 private:
  struct Stack {
    uint64_t first;
    uint32_t count;
    bool truncated;
  };
  std::vector<StackFrame> frames_;
  std::vector<Stack> stacks_;
  read::KeyTable<uint32_t> by_hash_;
};

}  // namespace jfr::c
