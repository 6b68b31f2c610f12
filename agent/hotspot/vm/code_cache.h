// SPDX-License-Identifier: Apache-2.0
// CodeCache answers "whose code is at this address?" by walking HotSpot's segment map, as CodeHeap::find_start does
// (src/hotspot/share/memory/heap.cpp). What is constant of the heaps is read once at start; what lies in them
// is read at each question.
// Signal-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

enum class BlobKind : uint8_t {
  kNone,
  kCompiled,
  kNativeWrapper,
  kInterpreter,
  kAdapter,
  kVtable,
  kStubRoutines,
  kSafepoint,  // where a poll goes on
  kException,
  kUpcall,
  kOther
};

// A piece of code of the VM's own, with one frame for all of it.
constexpr bool is_runtime_stub(BlobKind kind) { return kind >= BlobKind::kSafepoint; }

// A code blob, as far as walking needs it.
struct CodeBlob {
  uint64_t address = 0;
  BlobKind kind = BlobKind::kNone;
  uint64_t code_begin = 0;
  uint64_t code_end = 0;
  uint32_t frame_words = 0;     // of a complete frame, return address included
  int32_t frame_complete = -1;  // bytes from code_begin; -1: never
};

// Where the code of the blob at this address lies. Signal-safe.
struct CodeRange {
  uint64_t begin = 0, end = 0;
};
CodeRange code_range(const Layout::Blob& layout, uint64_t blob);

class CodeCache {
 public:
  // Reads the heaps' places. False when they do not look like heaps.
  bool open(const Layout& layout);

  bool contains(uint64_t pc) const { return pc >= low_ && pc < high_; }
  bool in_interpreter(uint64_t pc) const { return pc >= interpreter_begin_ && pc < interpreter_end_; }

  // The blob around pc; kind kNone when there is none (any more).
  CodeBlob find(uint64_t pc) const;

  // A blob of stubs back to back that is not called so: from 28 on an AOT cache has its own names for them (aotCodeCache.cpp). Any ordinary
  // thread. Those beyond kMostStubBlobs are not known as such.
  void note_stubs(uint64_t blob);

 private:
  struct Heap {
    uint64_t low = 0, limit = 0;  // the reserved range
    uint64_t segment_map = 0;     // a byte a segment
    uint32_t log2_segment = 0;
  };
  static constexpr size_t kMaxHeaps = 8;  // HotSpot has at most four
  static constexpr size_t kMostStubBlobs = 16;

  uint64_t find_block(const Heap& heap, uint64_t pc) const;
  BlobKind kind_of(uint64_t blob) const;
  BlobKind numbered_kind_of(uint64_t blob) const;
  bool holds_stubs(uint64_t blob) const;
  const Heap* heap_of(uint64_t pc) const;

  const Layout* layout_ = nullptr;
  std::array<Heap, kMaxHeaps> heaps_{};
  size_t heap_count_ = 0;
  uint64_t low_ = 0, high_ = 0;
  uint64_t interpreter_begin_ = 0, interpreter_end_ = 0;
  std::array<std::atomic<uint64_t>, kMostStubBlobs> stub_blobs_{};
  mutable std::atomic<uint64_t> compiled_name_{
      0};  // where HotSpot keeps the text "nmethod", once seen: it is a constant
};

}  // namespace rec::agent
