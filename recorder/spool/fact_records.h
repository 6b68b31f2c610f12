// SPDX-License-Identifier: Apache-2.0
// The records that lie in an epoch's arena. Each is a fixed part, then what has no fixed size, padded to 8 bytes:
//
//   LoaderFact  | name
//   ClassFact   | method tags, u32 each | name | module name | module version | module location
//   MethodFact  | name | descriptor | line table (line_table.h)
//   ThreadFact  | os name | java name | group name
//   StackFact   | frames, innermost first
//   EncodedFact | fields of an event, as they are written, or a text in parts (text_parts.h)
//   DetailFact  |
//
// A record is written by one thread, published with release, and constant from then on; the exceptions are the atomics,
// `next`, and `written_in`, the serial number of the chunk it was last written in, which only the recorder thread
// touches. `check` is made of all the rest (fact_check.h), stored before the record is published.
// Signal-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "recorder/spool/facts.h"

namespace rec {

struct LoaderFact {
  uint64_t id;
  uint32_t written_in;
  Ref<ClassFact> type;
  std::array<uint16_t, 1> text_sizes;
  uint32_t check;

  char* tail() { return reinterpret_cast<char*>(this + 1); }
  size_t fixed_tail_bytes() const { return 0; }
};

struct ClassFact {
  uint64_t id;
  uint32_t written_in;
  Ref<LoaderFact> loader;
  uint32_t modifiers;
  std::atomic<uint32_t> overflow;  // newest MethodFact with an idnum beyond method_count
  uint16_t method_count;
  bool hidden;
  std::array<uint16_t, 4> text_sizes;
  uint32_t check;

  char* tail() { return reinterpret_cast<char*>(this + 1); }
  size_t fixed_tail_bytes() const { return size_t{method_count} * sizeof(uint32_t); }
  // Newest MethodFact of each idnum below method_count; 0: not tagged.
  std::atomic<uint32_t>* method_tags() { return reinterpret_cast<std::atomic<uint32_t>*>(this + 1); }
};

struct MethodFact {
  MethodVersion version;
  uint32_t written_in;
  Ref<ClassFact> holder;
  Ref<MethodFact> next;  // the version before, or in the overflow chain any older method
  uint32_t modifiers;
  uint32_t lines_size;
  uint16_t idnum;
  bool hidden;
  std::array<uint16_t, 2> text_sizes;
  uint32_t check;

  char* tail() { return reinterpret_cast<char*>(this + 1); }
  size_t fixed_tail_bytes() const { return 0; }
};

struct ThreadFact {
  uint64_t id;
  int64_t os_thread_id;
  int64_t java_thread_id;
  bool is_virtual;
  std::array<uint16_t, 3> text_sizes;
  uint32_t check;

  char* tail() { return reinterpret_cast<char*>(this + 1); }
  size_t fixed_tail_bytes() const { return 0; }
};

struct StackFact {
  uint64_t id;    // from a counter that never restarts
  uint32_t hash;  // low half of stack_hash()
  uint32_t check;
  uint32_t written_in;
  uint16_t count;
  bool truncated;

  Frame* frames() { return reinterpret_cast<Frame*>(this + 1); }
};

// An event that is too rich for a slot: its fields behind startTime, duration, eventThread and stackTrace.
struct EncodedFact {
  uint32_t type;  // jfr::TypeId
  bool has_duration, has_thread, has_stack, has_parts;
  std::array<uint32_t, 1> text_sizes;
  uint32_t check;

  char* tail() { return reinterpret_cast<char*>(this + 1); }
  size_t fixed_tail_bytes() const { return 0; }
};

// What else an event refers to, and numbers whose meaning its kind tells.
struct DetailFact {
  DetailShape shape;
  uint32_t check;
};

static_assert(alignof(LoaderFact) == 8 && alignof(ClassFact) == 8 && alignof(MethodFact) == 8);
static_assert(alignof(ThreadFact) == 8 && alignof(StackFact) == 8, "arena units are 8 bytes");
static_assert(sizeof(std::atomic<uint32_t>) == 4 && std::atomic<uint32_t>::is_always_lock_free);

}  // namespace rec
