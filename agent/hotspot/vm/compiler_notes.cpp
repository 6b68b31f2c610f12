// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/compiler_notes.h"

#include <algorithm>
#include <array>
#include <optional>

#include "agent/hotspot/processor/frame_shape.h"
#include "agent/hotspot/processor/safe_load.h"
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

// Both neighbours are of one other call, or of a method that is around it.
bool is_amid(const Note& note, const Note& before, const Note& behind) {
  const std::optional<uint32_t> fork = note.forks_from(behind);
  if (!fork || note.forks_from(before) != fork) return false;
  const std::optional<int32_t> call = call_at(behind, *fork);
  return call == call_at(before, *fork) && call != call_at(note, *fork);
}

// The nearest other note, in steps of 1 or -1 from an entry, and its entry.
struct Neighbour {
  Note note;
  uint64_t entry;
};
std::optional<Neighbour> other_note(const Layout& layout, const CodeBlob& nmethod, const PcDescs& descs, uint64_t entry,
                                    const Note& note, int64_t step) {
  const uint32_t scope = descs.scope(entry);
  for (uint64_t i = 0, at = entry; i < kMostNeighbours; ++i) {
    at += static_cast<uint64_t>(step);
    if (at >= descs.size()) return std::nullopt;
    const uint32_t other = descs.scope(at);
    if (other == 0) return std::nullopt;
    if (other == scope) continue;
    const Note found(layout, nmethod, other);
    if (found != note) return Neighbour{found, at};
  }
  return std::nullopt;
}

}  // namespace

uint64_t believed_pc(const Layout& layout, const CodeBlob& nmethod, uint64_t pc) {
  const PcDescs descs(layout, nmethod);
  const uint64_t entry = descs.at_or_behind(pc - nmethod.code_begin);
  if (entry >= descs.size() || descs.scope(entry) == 0) return pc;
  const Note note(layout, nmethod, descs.scope(entry));
  if (!says_call(layout, note)) return pc;
  const auto address_of = [&](uint64_t at) {
    return nmethod.code_begin + static_cast<uint64_t>(int64_t{descs.pc_offset(at)});
  };
  if (is_behind_call(address_of(entry))) return pc;
  const auto behind = other_note(layout, nmethod, descs, entry, note, 1);
  if (!behind) return pc;
  const auto before = other_note(layout, nmethod, descs, entry, note, -1);
  if (!before || !is_amid(note, before->note, behind->note)) return pc;
  return is_everywhere(descs, descs.scope(entry)) ? address_of(behind->entry) : pc;
}

}  // namespace rec::agent
