// SPDX-License-Identifier: Apache-2.0
// SampleReader makes a sample of an event: which of its fields say what, and what they say, as keys and numbers.
//
//   sample_layout(chunk, "jdk.ExecutionSample", ...) --> SampleLayout      once a chunk and type
//   SampleReader::read(event, layout)                --> SampleValues      each event
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "format/reader/chunk.h"
#include "format/reader/key_table.h"
#include "jrec/values/content.h"

namespace jrec {

// A constant: its type, jfr::read::kNoType for none, and its key.
struct ConstantKey {
  uint32_t type = jfr::read::kNoType;
  uint64_t key = 0;
  bool operator==(const ConstantKey&) const = default;
};

// A stack, and the class on top of it.
struct StackKey {
  uint64_t stack = 0;
  ConstantKey about;
  bool operator==(const StackKey&) const = default;
};

struct SampleKeyHash {
  size_t operator()(const ConstantKey& key) const { return by_key(key.key + (uint64_t{key.type} << 40)); }
  size_t operator()(const StackKey& key) const {
    return by_key(key.about.type == jfr::read::kNoType ? key.stack : key.stack ^ by_key(key.about.key));
  }
  jfr::read::KeyHash by_key;
};

// The field with the thread that a sample is of: samplers write a thread of their own into eventThread.
// What the weight of that type is; nothing: the chunk does not declare it.
std::optional<Content> weight_content(const jfr::read::Chunk& chunk, std::string_view event_type);

std::string_view thread_field(const jfr::read::Type& type);

// Which fields of an event type say what: their indexes, -1 where there is none.
struct SampleLayout {
  const jfr::read::Type* type = nullptr;  // nullptr: the chunk has no such events, or they have no stack
  int time = -1, thread = -1, stack = -1, weight = -1, failed = -1, period = -1;
  int address = -1;    // of native memory
  int born = -1;       // of live objects: when one was allocated
  int about = -1;      // a class, for the top of the stack
  int state = -1;      // of the thread, where it is asked for, or samples of CPU time are left out
  int last = -1;       // no field behind this one is needed
  bool spans = false;  // the weight is a duration, in ticks
  bool leaves_cpu = false;
};

// leave_cpu: sample_kind.h
SampleLayout sample_layout(const jfr::read::Chunk& chunk, std::string_view event_type, bool count_samples,
                           bool leave_cpu = false, bool states = false);

bool has_stacks(const jfr::read::Chunk& chunk, const jfr::read::Type& type);  // events of it may be samples

struct SampleValues {
  StackKey stack;
  ConstantKey thread;
  ConstantKey state;    // of no type where the event does not tell, or nobody asked
  uint64_t weight = 0;  // as in Profile
  int64_t time_ns = 0;  // since the Unix epoch; the chunk's start where the event does not tell
  uint64_t ns = 0;      // the time that it stands for, where the event tells; else 0
  uint64_t address = 0;
  int64_t ticks = 0;    // its time, as it is written
  int64_t born_ns = 0;  // of live objects when one was allocated, of others time_ns
};

class SampleReader {
 public:
  // malloc_interval: where the chunk itself does not tell.
  explicit SampleReader(jfr::read::Chunk& chunk, uint64_t malloc_interval = 0)
      : chunk_(chunk), other_malloc_interval_(malloc_interval) {}

  // False for an event that is no sample: failed, of CPU time where that is left out, or one that cannot be decoded,
  // which is noted as a problem.
  bool read(const jfr::read::Event& event, const SampleLayout& layout, SampleValues& values);

 private:
  struct Raw {
    uint64_t stack = 0, thread = 0, about = 0, state = 0;
    int64_t time = 0, weight = 1, failed = 0, period = 0, address = 0, born = 0;
  };
  bool read_raw(const jfr::read::Event& event, const SampleLayout& layout, Raw& raw);
  bool is_cpu_state(const ConstantKey& state);
  uint64_t malloc_interval();
  int64_t time_of(const jfr::read::Field& field, int64_t value) const;

  jfr::read::Chunk& chunk_;
  const uint64_t other_malloc_interval_;
  std::optional<uint64_t> malloc_interval_;
  jfr::read::KeyTable<bool, ConstantKey, SampleKeyHash> cpu_states_;
};

}  // namespace jrec
