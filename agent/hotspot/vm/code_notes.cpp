// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/code_notes.h"

#include "agent/hotspot/processor/frame_shape.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/bytecode_loops.h"
#include "agent/hotspot/vm/scopes.h"

namespace rec::agent {
namespace {

constexpr uint8_t kGoto = 0xa7;
constexpr uint8_t kFirstInvoke = 0xb6, kLastInvoke = 0xba;  // invokevirtual to invokedynamic

}  // namespace

CodeNote::CodeNote(const Layout& layout, const CodeBlob& nmethod, uint32_t scope) {
  Scopes scopes = Scopes::at(layout, nmethod, scope);
  for (Frame frame; size_ < kMostFrames && scopes.next(frame.method, frame.bci);) frames_[size_++] = frame;
  if (scopes.has_more()) size_ = 0;  // deeper than we look
}

std::optional<uint32_t> CodeNote::forks_from(const CodeNote& other) const {
  for (uint32_t level = 0; level < size_ && level < other.size_; ++level) {
    if (at(level).method != other.at(level).method) return level == 0 ? std::nullopt : std::optional(level - 1);
    if (at(level).bci != other.at(level).bci) return level;
  }
  return std::nullopt;
}

bool CodeNote::is_called_like(const CodeNote& other, uint32_t level) const {
  const std::optional<uint32_t> fork = forks_from(other);
  return call_at(level) && (!fork || *fork > level) && call_at(level) == other.call_at(level);
}

std::optional<CodeNote::Frame> CodeNote::call_at(uint32_t level) const {
  return size_ > level + 1 ? std::optional(Frame{at(level + 1).method, at(level).bci}) : std::nullopt;
}

uint8_t CodeNote::bytecode(const Layout& layout) const {
  if (size_ == 0 || innermost().bci < 0) return 0;
  const uint64_t const_method = u64_at(innermost().method + layout.method.const_method);
  const auto bci = static_cast<uint64_t>(innermost().bci);
  if (bci >= u16_at(const_method + layout.const_method.code_size)) return 0;
  return u8_at(const_method + layout.const_method.header + bci);
}

bool CodeNote::says_call(const Layout& layout) const {
  const uint8_t made = bytecode(layout);
  return made >= kFirstInvoke && made <= kLastInvoke;
}

bool CodeNote::says_goto(const Layout& layout) const { return bytecode(layout) == kGoto; }

bool CodeNote::is_in_loop(const Layout& layout, uint32_t level) const {
  for (uint32_t inner = level; inner < size_; ++inner)
    if (rec::agent::is_in_loop(layout, at(inner).method, at(inner).bci)) return true;
  return false;
}

std::optional<OtherCall> other_call(const CodeNote& note, const CodeNote& other) {
  const std::optional<uint32_t> fork = note.forks_from(other);
  if (!fork || other.call_at(*fork) == note.call_at(*fork)) return std::nullopt;
  return OtherCall{*fork, other.call_at(*fork)};
}

std::optional<BelievedNote> NotedCode::inlined_elsewhere(const CodeNote& note, uint64_t entry) const {
  const std::optional<OtherCall> call = other_call(note, this->note(entry));
  return call && call->call ? std::optional(BelievedNote{*call, entry}) : std::nullopt;
}

bool NotedCode::is_exact(uint64_t entry) const {
  const Called called = called_before(address(entry));
  return is_poll(address(entry)) || (called != Called::kNothing && called != Called::kBare);
}

NotedCode::Called NotedCode::called_before(uint64_t return_pc) const {
  if (!is_behind_call(return_pc)) return Called::kNothing;
  const uint64_t called = rec::agent::called_before(return_pc);
  if (called == 0) return Called::kOther;
  const BlobKind kind = cache.contains(called) ? cache.find(called).kind : BlobKind::kStubRoutines;
  if (kind == BlobKind::kStubRoutines) return Called::kBare;
  return is_runtime_stub(kind) ? Called::kRuntime : Called::kOther;
}

}  // namespace rec::agent
