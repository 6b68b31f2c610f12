// SPDX-License-Identifier: Apache-2.0
// The innermost loop of compiled code that a pc is in: from where the first branch back over the pc leads, to behind it. Jumps
// without a condition lead back from rare paths, which stand behind all others.
// Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent {

struct CodeLoop {
  uint64_t begin = 0, end = 0;  // addresses; 0: it is in none, or none so short that it is looked for
  explicit operator bool() const { return end != 0; }
};

// Of the code from code_begin to code_end.
CodeLoop loop_around(uint64_t pc, uint64_t code_begin, uint64_t code_end);

// The next one around it.
CodeLoop loop_around(const CodeLoop& inner, uint64_t code_begin, uint64_t code_end);

// The poll of a safepoint that code comes to from `pc` on; 0: none. C2 polls behind each inner loop that it strip-mines
// (JDK-8186027), but may put what comes from elsewhere in between, such as the card marks of a store.
struct PollBehind {
  uint64_t at = 0;
  bool is_near = false;  // in a few instructions and straight
};
PollBehind poll_behind(uint64_t pc, uint64_t code_end);

// Where the first call returns to that code comes to from `pc` on, straight and soon; 0: it comes to none.
uint64_t behind_call_from(uint64_t pc, uint64_t code_end);

}  // namespace rec::agent
