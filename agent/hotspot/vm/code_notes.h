// SPDX-License-Identifier: Apache-2.0
// What a compiler has noted of compiled code: of each stretch of it, up to where an entry stands, the frames that it is of
// (pc_descs.h, scopes.h). Here two notes are compared, to tell code of one inlined call from that of another.
// Signal-safe.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "agent/hotspot/vm/code_cache.h"
#include "agent/hotspot/vm/layout.h"
#include "agent/hotspot/vm/pc_descs.h"

namespace rec::agent {

// Of one stretch: the frames of its scope.
class CodeNote {
 public:
  struct Frame {
    uint64_t method = 0;
    int32_t bci = 0;
    bool operator==(const Frame&) const = default;
  };

  CodeNote(const Layout& layout, const CodeBlob& nmethod, uint32_t scope);

  uint32_t depth() const { return size_; }  // 0: none, or too many
  const Frame& innermost() const { return frames_[0]; }
  const Frame& at(uint32_t level) const { return frames_[size_ - 1 - level]; }  // 0: the compiled method

  // The level at which two stand at different bytecodes of one method, called alike; or at one that has called different
  // methods, as what two kinds of objects have is inlined side by side.
  std::optional<uint32_t> forks_from(const CodeNote& other) const;
  // The inlined call at that level that the code is in: bytecode, and method called. nullopt: in none, but in the code around.
  std::optional<Frame> call_at(uint32_t level) const;
  // By its bytecode. A goto makes no code but polls.
  bool says_call(const Layout& layout) const;
  bool says_goto(const Layout& layout) const;
  // At the level or further in, a bytecode is in a loop of its method.
  bool is_in_loop(const Layout& layout, uint32_t level) const;
  // Both are in the same call at that level.
  bool is_called_like(const CodeNote& other, uint32_t level) const;
  bool operator==(const CodeNote&) const = default;

 private:
  static constexpr uint32_t kMostFrames = 32;
  uint8_t bytecode(const Layout& layout) const;  // 0 (nop): it is not known
  std::array<Frame, kMostFrames> frames_{};      // innermost first, and zeros
  uint32_t size_ = 0;
};

// The call that another note is in where both part ways.
struct OtherCall {
  uint32_t level = 0;
  std::optional<CodeNote::Frame> call;
  bool operator==(const OtherCall&) const = default;
};

// Nullopt: it is the note's own, or both are called differently.
std::optional<OtherCall> other_call(const CodeNote& note, const CodeNote& other);

// What code is of, by an entry whose note holds for it.
struct BelievedNote {
  OtherCall call;
  uint64_t entry = 0;
};

// Of one nmethod.
struct NotedCode {
  NotedCode(const Layout& its_layout, const CodeCache& its_cache, const CodeBlob& its_blob)
      : layout(its_layout), cache(its_cache), nmethod(its_blob), descs(its_layout, its_blob) {}

  bool has(uint64_t entry) const { return entry < descs.size(); }
  CodeNote note(uint64_t entry) const { return {layout, nmethod, descs.scope(entry)}; }
  uint64_t address(uint64_t entry) const {
    return nmethod.code_begin + static_cast<uint64_t>(int64_t{descs.pc_offset(entry)});
  }
  // The first that is not in front of the address; descs.size(): there is none.
  uint64_t entry_behind(uint64_t at) const { return descs.at_or_behind(at - nmethod.code_begin); }
  // The entry's code is inlined by another call; that of a method around both would say nothing, as it calls the note's, too.
  std::optional<BelievedNote> inlined_elsewhere(const CodeNote& note, uint64_t entry) const;

  // What calls have called that return to an address.
  enum class Called : uint8_t {
    kNothing,  // no call stands there
    kBare,  // a stub or a function of the VM that needs no frame of Java, as Math.sin's: such a call has no exact note
    kRuntime,  // what may stop for the VM, such as what deoptimises; its note is exact, and so are those of methods
    kOther
  };
  Called called_before(uint64_t return_pc) const;

  // The note of an entry is exact: of a poll, or of a call that is not bare.
  bool is_exact(uint64_t entry) const;
  // It is one of code that is there: of no goto, unless it is exact.
  bool is_of_code(uint64_t entry) const { return is_exact(entry) || !note(entry).says_goto(layout); }

  const Layout& layout;
  const CodeCache& cache;
  const CodeBlob& nmethod;
  const PcDescs descs;
};

}  // namespace rec::agent
