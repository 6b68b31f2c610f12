// SPDX-License-Identifier: Apache-2.0
// Whose a loop of compiled code is, where the note of its code is not believed (compiler_notes.h). Each answer is the call
// that the loop's method was inlined by; nullopt: nothing tells, or what tells disagrees.
// Signal-safe.
#pragma once

#include <optional>

#include "agent/hotspot/vm/code_loop.h"
#include "agent/hotspot/vm/code_notes.h"

namespace rec::agent {

// By its poll for safepoints: notes of polls are exact. Not of a loop around loops that are of several calls.
struct PollNote {
  std::optional<BelievedNote> believed;  // nullopt: of no other call, but of who has the note or calls him
  uint64_t entry = 0;                    // of the poll
  bool is_sure = false;  // it is in the loop or, as where C2 strip-mines loops, a few instructions behind; else farther
};
PollNote by_poll(const NotedCode& code, const CodeNote& note, const CodeLoop& loop);

// By all else that is in it, if that is of one call: a poll, or, where there are no inner loops with notes of their own, a
// bytecode in a loop. What only moves a value to another register or the stack has the note of that value, and tells nothing.
std::optional<BelievedNote> by_rest(const NotedCode& code, const CodeNote& note, const CodeLoop& loop);

// Whether there is something in it, besides the note's own, that is of the call that the note is in at a level.
bool has_of_call(const NotedCode& code, const CodeNote& note, uint32_t level, const CodeLoop& loop);

// By what C2 has peeled off a loop that it has unrolled: it stands right behind it, and is of a bytecode in a loop.
std::optional<BelievedNote> by_rounds(const NotedCode& code, const CodeNote& note, const CodeLoop& loop);

}  // namespace rec::agent
