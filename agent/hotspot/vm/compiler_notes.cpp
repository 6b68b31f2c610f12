// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/compiler_notes.h"

#include <algorithm>
#include <array>
#include <optional>

#include "agent/hotspot/vm/code_loop.h"
#include "agent/hotspot/vm/code_notes.h"
#include "agent/hotspot/vm/loop_notes.h"

namespace rec::agent {
namespace {

constexpr uint64_t kMostNeighbours = 16;
// Default notes were a third of all in front of five or more others, intrinsics' an eighth at most (docs/measurements.md).
constexpr uint64_t kMostEntries = 2048, kShare = 4;
constexpr size_t kLeastPlaces = 4;
constexpr int kMostLoops = 3;  // one around the other

// Whether it is what new nodes got: found all over the code, in front of this and of that. An intrinsic's is where that is,
// and where copies of its loop are.
bool is_everywhere(const PcDescs& descs, uint32_t scope) {
  const uint64_t looked_at = std::min(descs.size(), kMostEntries);
  std::array<uint32_t, kLeastPlaces> behind{};
  size_t places = 0;
  uint64_t count = 0;
  for (uint64_t i = 0; i + 1 < looked_at; ++i) {
    if (descs.scope(i) != scope) continue;
    ++count;
    const uint32_t next = descs.scope(i + 1);
    const auto* const known = behind.begin() + places;
    if (next != scope && places < kLeastPlaces && std::find(behind.cbegin(), known, next) == known)
      behind[places++] = next;
  }
  return places == kLeastPlaces && count * kShare >= looked_at;
}

// Of a call that is not made there, or a goto, as which what is made behind a method's last bytecode is noted.
bool is_doubtful(const NotedCode& code, const CodeNote& note, uint64_t entry) {
  if (code.is_exact(entry)) return false;
  return note.says_call(code.layout) ? is_everywhere(code.descs, code.descs.scope(entry)) : note.says_goto(code.layout);
}

// Beside a goto's, the note of a call may be the one that is everywhere.
bool tells_of(const NotedCode& code, const CodeNote& note, uint64_t entry) {
  const CodeNote other = code.note(entry);
  if (other == note || !code.is_of_code(entry)) return false;
  return !note.says_goto(code.layout) || !other.says_call(code.layout) || code.is_exact(entry);
}

// The nearest entry with another note, in steps of 1 or -1; nullopt: it is far.
std::optional<uint64_t> other_note(const NotedCode& code, const CodeNote& note, uint64_t entry, int64_t step) {
  const uint32_t scope = code.descs.scope(entry);
  for (uint64_t i = 0, at = entry; i < kMostNeighbours; ++i) {
    at += static_cast<uint64_t>(step);
    const uint32_t other = code.has(at) ? code.descs.scope(at) : 0;
    if (other == 0) return std::nullopt;
    if (other != scope && tells_of(code, note, at)) return at;
  }
  return std::nullopt;
}

// Of the notes in front of the code and behind it.
struct Neighbours {
  std::optional<uint64_t> before, behind;  // entries
  std::optional<OtherCall> call_before, call_behind;

  Neighbours(const NotedCode& code, const CodeNote& note, uint64_t entry)
      : before(other_note(code, note, entry, -1)), behind(other_note(code, note, entry, 1)) {
    if (before) call_before = other_call(note, code.note(*before));
    if (behind) call_behind = other_call(note, code.note(*behind));
  }
  // Of one other call, or of a method that is around it: so is the code between them.
  bool agree() const { return call_before && call_before == call_behind; }
  bool know(const OtherCall& call) const { return call_before == call || call_behind == call; }
};

// One instruction's of C2's, such as that of an intrinsic, or all of one note: no other begins in it.
bool is_of_one_note(const NotedCode& code, const CodeLoop& loop) {
  return code.entry_behind(loop.begin + 1) == code.entry_behind(loop.end);
}

// By the innermost loop, or the one around it, where that has no note of its own.
std::optional<BelievedNote> by_loops(const NotedCode& code, const CodeNote& note, CodeLoop loop) {
  for (int level = 0; loop && level < kMostLoops; ++level) {
    if (const std::optional<BelievedNote> believed = by_rest(code, note, loop)) return believed;
    if (!is_of_one_note(code, loop)) return std::nullopt;
    loop = loop_around(loop, code.nmethod.code_begin, code.nmethod.code_end);
  }
  return std::nullopt;
}

// The loop is of who has the note, or of a method that calls him: then it is him if there is more of him in the loop.
std::optional<BelievedNote> of_loop_around(const NotedCode& code, const CodeNote& note, const CodeLoop& loop,
                                           uint64_t poll) {
  const std::optional<uint32_t> fork = note.forks_from(code.note(poll));
  const bool is_called = fork && note.call_at(*fork) && has_of_call(code, note, *fork, loop);
  const bool is_same = fork && !note.call_at(*fork);
  const bool stays = !note.says_goto(code.layout) && (!fork || is_same || is_called);
  return stays ? std::nullopt : std::optional(BelievedNote{{}, poll});
}

// What the code is of, if not of a false note's call. Neighbours say more of what is inlined, where they agree with the loop.
std::optional<BelievedNote> believed_note(const NotedCode& code, const CodeNote& note, uint64_t entry, uint64_t pc) {
  const CodeLoop loop = loop_around(pc, code.nmethod.code_begin, code.nmethod.code_end);
  const PollNote polled = loop ? by_poll(code, note, loop) : PollNote{};
  if (polled.is_sure && !polled.believed) return of_loop_around(code, note, loop, polled.entry);
  const Neighbours beside(code, note, entry);
  const bool is_polled = polled.believed && (polled.is_sure || beside.know(polled.believed->call));
  const std::optional<BelievedNote> looped = is_polled ? polled.believed : by_loops(code, note, loop);
  if (beside.agree() && (!looped || looped->call == beside.call_behind))
    return BelievedNote{*beside.call_behind, *beside.behind};
  return looped || !loop ? looped : by_rounds(code, note, loop);
}

}  // namespace

uint64_t believed_pc(const Layout& layout, const CodeCache& cache, const CodeBlob& nmethod, uint64_t pc) {
  const NotedCode code(layout, cache, nmethod);
  const uint64_t entry = code.entry_behind(pc);
  if (!code.has(entry) || code.descs.scope(entry) == 0) return pc;
  const CodeNote note = code.note(entry);
  if (!is_doubtful(code, note, entry)) return pc;
  const std::optional<BelievedNote> believed = believed_note(code, note, entry, pc);
  return believed ? code.address(believed->entry) : pc;
}

}  // namespace rec::agent
