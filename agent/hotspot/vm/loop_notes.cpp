// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/loop_notes.h"

#include <array>

#include "agent/hotspot/processor/frame_shape.h"
#include "agent/hotspot/processor/instruction.h"

namespace rec::agent {
namespace {

constexpr uint64_t kMostOfLoop = 2048;  // entries
constexpr int kMostLooked = 1536;       // instructions
constexpr int kMostExits = 64;
constexpr uint64_t kRightBehind = 32, kMostBehind = 128;  // bytes
constexpr uint64_t kSameHead = 16;  // bytes: loops that begin so near are one, with several jumps back

// Or both of none.
bool are_of_one_call(const std::optional<BelievedNote>& one, const std::optional<BelievedNote>& other) {
  return one && other ? one->call == other->call : !one && !other;
}

// What the notes of a loop's code tell, in one look at its instructions.
class LoopNotes {
 public:
  LoopNotes(const NotedCode& code, const CodeNote& note, const CodeLoop& loop)
      : code_(code), note_(note), entry_(code.entry_behind(loop.begin)) {
    uint64_t at = loop.begin;
    for (int i = 0; i < kMostLooked && at < loop.end; ++i) {
      const Instruction instruction = instruction_at(at);
      if (bytes_of(instruction) == 0) return;
      const uint64_t end = at + bytes_of(instruction);
      hear(at, end);
      const bool leads_back = instruction.target > loop.begin + kSameHead && instruction.target <= at;
      if (instruction.kind == Instruction::kBranch) {
        if (leads_back && end < loop.end) leave_inner(instruction.target, end);
        if (instruction.target >= loop.end) look_beside(at, instruction.target);
      }
      at = end;
    }
    whole_ = at >= loop.end;
  }

  std::optional<BelievedNote> all() const {
    if (!whole_) return std::nullopt;
    const Verdict polls = verdict([](const Told& told) { return told.polls && !told.inner; });
    if (polls.heard) return polls.agreed;
    const Verdict traps = verdict([](const Told& told) { return told.traps; });
    if (traps.agreed && traps.loops && traps.alone) return traps.agreed;
    const Verdict rest = verdict([](const Told& told) { return !told.polls && !told.traps; });
    return rest.loops && rest.alone ? rest.agreed : std::nullopt;
  }

 private:
  struct Told {
    uint64_t at = 0;  // of the instruction
    bool polls = false, traps = false, loops = false, inner = false;
    std::optional<BelievedNote> believed;
  };
  struct Verdict {
    std::optional<BelievedNote> agreed;
    bool heard = false, loops = false, alone = true;
  };

  template <typename Of>
  Verdict verdict(Of of) const {
    Verdict verdict;
    for (size_t i = 0; i < count_; ++i) {
      const Told& told = told_[i];
      if (!of(told)) continue;
      const bool agrees = !verdict.heard || are_of_one_call(verdict.agreed, told.believed);
      verdict.agreed = agrees ? told.believed : std::nullopt;
      verdict.heard = true;
      verdict.loops |= told.loops;
      verdict.alone &= !told.inner;
    }
    return verdict;
  }

  // Of an instruction, its last one or a poll, an entry tells.
  void hear(uint64_t at, uint64_t end) {
    while (passed_ < kMostOfLoop && code_.has(entry_) && code_.address(entry_) < at) ++entry_, ++passed_;
    if (code_.has(entry_) && code_.address(entry_) == at) {
      if (is_poll(at)) return weigh(entry_, {.at = at, .polls = true});
      ++entry_;
    }
    if (code_.has(entry_) && code_.address(entry_) == end && !is_poll(end) && !is_move(at)) weigh(entry_, {.at = at});
  }

  // A branch out of the loop leads to where the code is left for the interpreter: the note of that is exact.
  void look_beside(uint64_t at, uint64_t target) {
    if (exits_++ >= kMostExits) return;
    const uint64_t return_pc = behind_call_from(target, code_.nmethod.code_end);
    if (return_pc == 0 || code_.called_before(return_pc) != NotedCode::Called::kRuntime) return;
    const uint64_t entry = code_.entry_behind(return_pc);
    if (code_.has(entry) && code_.address(entry) == return_pc) weigh(entry, {.at = at, .traps = true});
  }

  void weigh(uint64_t entry, Told told) {
    const CodeNote other = code_.note(entry);
    const bool is_exact = told.polls || told.traps;
    const bool is_idle = other == note_ || other.says_call(code_.layout) || other.says_goto(code_.layout);
    if (count_ == told_.size() || (!is_exact && is_idle)) return;
    told.believed = code_.inlined_elsewhere(note_, entry);
    told.loops = told.believed && other.is_in_loop(code_.layout, told.believed->call.level + 1);
    told_[count_++] = told;
  }

  void leave_inner(uint64_t begin, uint64_t end) {
    for (Told& told : told_) told.inner |= told.at >= begin && told.at < end;
  }

  const NotedCode& code_;
  const CodeNote& note_;
  uint64_t entry_, passed_ = 0;
  std::array<Told, 32> told_{};
  size_t count_ = 0;
  int exits_ = 0;
  bool whole_ = false;
};

PollNote by_poll_behind(const NotedCode& code, const CodeNote& note, const CodeLoop& loop) {
  const PollBehind poll = poll_behind(loop.end, code.nmethod.code_end);
  const uint64_t entry = code.entry_behind(poll.at);
  if (poll.at == 0 || !code.has(entry) || code.address(entry) != poll.at) return {};
  return {code.inlined_elsewhere(note, entry), entry, poll.is_near};
}

// A few instructions, or more if they lead into no other loop.
bool is_right_behind(const NotedCode& code, const CodeLoop& loop, uint64_t at) {
  const uint64_t away = at - loop.end;
  if (away <= kRightBehind) return true;
  if (away > kMostBehind) return false;
  const CodeLoop other = loop_around(at, code.nmethod.code_begin, code.nmethod.code_end);
  return !other || other.begin < loop.end;
}

}  // namespace

PollNote by_poll(const NotedCode& code, const CodeNote& note, const CodeLoop& loop) {
  std::optional<BelievedNote> believed;
  int polls = 0;
  uint64_t polled = 0;
  const uint64_t first = code.entry_behind(loop.begin);
  for (uint64_t entry = first; code.has(entry) && code.address(entry) < loop.end; ++entry) {
    if (entry - first == kMostOfLoop) return {};
    if (!is_poll(code.address(entry))) continue;
    const std::optional<BelievedNote> one = code.inlined_elsewhere(note, entry);
    if (polls != 0 && !are_of_one_call(believed, one)) return {};
    believed = one;
    polled = entry;
    ++polls;
  }
  return polls != 0 ? PollNote{believed, polled, true} : by_poll_behind(code, note, loop);
}

std::optional<BelievedNote> by_rest(const NotedCode& code, const CodeNote& note, const CodeLoop& loop) {
  return LoopNotes(code, note, loop).all();
}

bool has_of_call(const NotedCode& code, const CodeNote& note, uint32_t level, const CodeLoop& loop) {
  const uint64_t first = code.entry_behind(loop.begin + 1);
  for (uint64_t entry = first; code.has(entry) && code.address(entry) <= loop.end; ++entry) {
    if (entry - first == kMostOfLoop) return true;
    const CodeNote other = code.note(entry);
    if (other != note && other.is_called_like(note, level) && code.is_of_code(entry)) return true;
  }
  return false;
}

std::optional<BelievedNote> by_rounds(const NotedCode& code, const CodeNote& note, const CodeLoop& loop) {
  const uint64_t entry = code.entry_behind(loop.end + 1);
  if (!code.has(entry) || !is_right_behind(code, loop, code.address(entry)) || !code.is_of_code(entry))
    return std::nullopt;
  const std::optional<BelievedNote> believed = code.inlined_elsewhere(note, entry);
  return believed && code.note(entry).is_in_loop(code.layout, believed->call.level + 1) ? believed : std::nullopt;
}

}  // namespace rec::agent
