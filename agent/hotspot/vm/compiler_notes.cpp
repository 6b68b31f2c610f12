// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/compiler_notes.h"

#include <algorithm>
#include <array>
#include <optional>

#include "agent/hotspot/processor/frame_shape.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/bytecode_loops.h"
#include "agent/hotspot/vm/code_loop.h"
#include "agent/hotspot/vm/pc_descs.h"
#include "agent/hotspot/vm/scopes.h"

namespace rec::agent {
namespace {

constexpr uint32_t kMostFrames = 32;
constexpr uint64_t kMostNeighbours = 16;
// Default notes were a third of all in front of five or more others, intrinsics' an eighth at most (docs/measurements.md).
constexpr uint64_t kMostEntries = 2048, kShare = 4;
constexpr size_t kLeastPlaces = 4;
constexpr uint8_t kFirstInvoke = 0xb6, kLastInvoke = 0xba;  // invokevirtual to invokedynamic

struct Noted {
  uint64_t method = 0;
  int32_t bci = 0;
  bool operator==(const Noted&) const = default;
};

// The frames of a scope.
class Note {
 public:
  Note(const Layout& layout, const CodeBlob& nmethod, uint32_t scope) {
    Scopes scopes = Scopes::at(layout, nmethod, scope);
    for (Noted frame; size_ < kMostFrames && scopes.next(frame.method, frame.bci);) frames_[size_++] = frame;
    if (scopes.has_more()) size_ = 0;  // deeper than we look
  }

  uint32_t depth() const { return size_; }
  const Noted& innermost() const { return frames_[0]; }
  const Noted& at(uint32_t level) const { return frames_[size_ - 1 - level]; }  // 0: the compiled method

  // The level at which two stand at different bytecodes of one method, called alike.
  std::optional<uint32_t> forks_from(const Note& other) const {
    for (uint32_t level = 0; level < size_ && level < other.size_; ++level) {
      if (at(level).method != other.at(level).method) return std::nullopt;
      if (at(level).bci != other.at(level).bci) return level;
    }
    return std::nullopt;
  }
  bool operator==(const Note&) const = default;

 private:
  std::array<Noted, kMostFrames> frames_{};  // innermost first, and zeros
  uint32_t size_ = 0;                        // 0: none, or too many
};

// Of one nmethod.
struct Code {
  Code(const Layout& its_layout, const CodeBlob& its_blob)
      : layout(its_layout), nmethod(its_blob), descs(its_layout, its_blob) {}

  Note note(uint64_t entry) const { return Note(layout, nmethod, descs.scope(entry)); }
  uint64_t address(uint64_t entry) const {
    return nmethod.code_begin + static_cast<uint64_t>(int64_t{descs.pc_offset(entry)});
  }
  // The first that is not in front of the address; descs.size(): there is none.
  uint64_t entry_behind(uint64_t at) const { return descs.at_or_behind(at - nmethod.code_begin); }

  const Layout& layout;
  const CodeBlob& nmethod;
  const PcDescs descs;
};

bool says_call(const Layout& layout, const Note& note) {
  if (note.depth() == 0 || note.innermost().bci < 0) return false;
  const uint64_t const_method = u64_at(note.innermost().method + layout.method.const_method);
  const auto bci = static_cast<uint64_t>(note.innermost().bci);
  if (bci >= u16_at(const_method + layout.const_method.code_size)) return false;
  const uint8_t bytecode = u8_at(const_method + layout.const_method.header + bci);
  return bytecode >= kFirstInvoke && bytecode <= kLastInvoke;
}

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

// The inlined call at that level that a note is in; nullopt: in none, but in the code around them.
std::optional<int32_t> call_at(const Note& note, uint32_t level) {
  return note.depth() > level + 1 ? std::optional(note.at(level).bci) : std::nullopt;
}

// The call that another note is in where both part ways, unless it is the note's own, or both are called differently.
struct OtherCall {
  uint32_t level = 0;
  std::optional<int32_t> call;
  bool operator==(const OtherCall&) const = default;
};
std::optional<OtherCall> other_call(const Note& note, const Note& other) {
  const std::optional<uint32_t> fork = note.forks_from(other);
  if (!fork || call_at(other, *fork) == call_at(note, *fork)) return std::nullopt;
  return OtherCall{*fork, call_at(other, *fork)};
}

// What code is of, by an entry whose note holds for it.
struct BelievedNote {
  OtherCall call;
  uint64_t entry = 0;
};

// The nearest entry with another note, in steps of 1 or -1; nullopt: it is far.
std::optional<uint64_t> other_note(const Code& code, const Note& note, uint64_t entry, int64_t step) {
  const uint32_t scope = code.descs.scope(entry);
  for (uint64_t i = 0, at = entry; i < kMostNeighbours; ++i) {
    at += static_cast<uint64_t>(step);
    const uint32_t other = at < code.descs.size() ? code.descs.scope(at) : 0;
    if (other == 0) return std::nullopt;
    if (other != scope && code.note(at) != note) return at;
  }
  return std::nullopt;
}

// The entry's code is inlined by another call; that of a method around both would say nothing, as it calls the note's, too.
std::optional<BelievedNote> inlined_elsewhere(const Code& code, const Note& note, uint64_t entry) {
  const std::optional<OtherCall> call = other_call(note, code.note(entry));
  return call && call->call ? std::optional(BelievedNote{*call, entry}) : std::nullopt;
}

// Of the notes in front of the code and behind it.
struct Neighbours {
  std::optional<uint64_t> before, behind;  // entries
  std::optional<OtherCall> call_before, call_behind;

  Neighbours(const Code& code, const Note& note, uint64_t entry)
      : before(other_note(code, note, entry, -1)), behind(other_note(code, note, entry, 1)) {
    if (before) call_before = other_call(note, code.note(*before));
    if (behind) call_behind = other_call(note, code.note(*behind));
  }
  // Of one other call, or of a method that is around it: so is the code between them.
  bool agree() const { return call_before && call_before == call_behind; }
  bool know(const OtherCall& call) const { return call_before == call || call_behind == call; }
};

// The loop that the code is in polls for safepoints, in itself or behind it. Notes of polls are exact.
std::optional<BelievedNote> by_poll(const Code& code, const Note& note, const CodeLoop& loop,
                                    const Neighbours& beside) {
  std::optional<BelievedNote> believed;
  const uint64_t first = code.entry_behind(loop.begin);
  for (uint64_t entry = first; entry < code.descs.size() && code.address(entry) < loop.end; ++entry) {
    if (entry - first == kMostEntries) return std::nullopt;
    if (!is_poll(code.address(entry))) continue;
    const std::optional<BelievedNote> one = inlined_elsewhere(code, note, entry);
    if (!one || (believed && believed->call != one->call)) return std::nullopt;  // a loop around loops
    believed = one;
  }
  if (believed) return believed;
  const PollBehind poll = poll_behind(loop.end, code.nmethod.code_end);
  const uint64_t entry = code.entry_behind(poll.at);
  if (poll.at == 0 || entry >= code.descs.size() || code.address(entry) != poll.at) return std::nullopt;
  believed = inlined_elsewhere(code, note, entry);
  return believed && (poll.is_near || beside.know(believed->call)) ? believed : std::nullopt;
}

bool is_in_loop(const Code& code, const Note& note, uint32_t level) {
  for (uint32_t inner = level + 1; inner < note.depth(); ++inner)
    if (is_in_loop(code.layout, note.at(inner).method, note.at(inner).bci)) return true;
  return false;
}

// Where it does not poll: what C2 has peeled off a loop that it has unrolled stands right behind it.
std::optional<BelievedNote> by_rounds(const Code& code, const Note& note, const CodeLoop& loop) {
  const uint64_t entry = code.entry_behind(loop.end + 1);
  if (entry >= code.descs.size()) return std::nullopt;
  const std::optional<BelievedNote> believed = inlined_elsewhere(code, note, entry);
  return believed && is_in_loop(code, code.note(entry), believed->call.level) ? believed : std::nullopt;
}

// What the code is of, if not of a false note's call. Neighbours say more of what is inlined, where they agree with the poll.
std::optional<BelievedNote> believed_note(const Code& code, const Note& note, uint64_t entry, uint64_t pc) {
  const CodeLoop loop = loop_around(pc, code.nmethod.code_begin, code.nmethod.code_end);
  const Neighbours beside(code, note, entry);
  const std::optional<BelievedNote> polled = loop ? by_poll(code, note, loop, beside) : std::nullopt;
  if (beside.agree() && (!polled || polled->call == beside.call_behind))
    return BelievedNote{*beside.call_behind, *beside.behind};
  return polled || !loop ? polled : by_rounds(code, note, loop);
}

}  // namespace

uint64_t believed_pc(const Layout& layout, const CodeBlob& nmethod, uint64_t pc) {
  const Code code(layout, nmethod);
  const uint64_t entry = code.entry_behind(pc);
  if (entry >= code.descs.size() || code.descs.scope(entry) == 0) return pc;
  const Note note = code.note(entry);
  if (!says_call(layout, note) || is_behind_call(code.address(entry))) return pc;
  const std::optional<BelievedNote> believed = believed_note(code, note, entry, pc);
  return believed && is_everywhere(code.descs, code.descs.scope(entry)) ? code.address(believed->entry) : pc;
}

}  // namespace rec::agent
