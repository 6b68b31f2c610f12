// SPDX-License-Identifier: Apache-2.0
// SampleEvents decodes the sample events of one chunk, one by one, without names: stacks, classes and threads are keys.
//
//   add(event) --> samples: { time, weight, place in stacks, place in threads }, 32 bytes each
//
// It takes events of as many types as it is given layouts for.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "format/reader/chunk.h"
#include "format/reader/key_hash.h"

namespace jrec {

struct SampleEvent {
  int64_t time_ns = 0;  // since the Unix epoch
  uint64_t weight = 0;  // as in Profile
  uint64_t ns = 0;      // the time that it stands for: weight x period; 0 when the recording does not tell
  uint32_t node = 0;    // where its stack ends: of the tree; here: of stacks
  uint32_t thread = 0;  // of the stream's threads; here: of threads
};

// Which fields of an event type say what: their indexes, -1 where there is none.
struct SampleLayout {
  const jfr::read::Type* type = nullptr;  // nullptr: the chunk has no such events, or they have no stack
  int time = -1, thread = -1, stack = -1, weight = -1, failed = -1, period = -1;
  int about = -1;      // a class, for the top of the stack
  int state = -1;      // of the thread; only where samples of CPU time are left out
  int last = -1;       // no field behind this one is needed
  bool spans = false;  // the weight is a duration, in ticks
};

// leave_cpu: sample_kind.h
SampleLayout sample_layout(const jfr::read::Chunk& chunk, std::string_view event_type, bool count_samples,
                           bool leave_cpu = false);

class SampleEvents {
 public:
  explicit SampleEvents(jfr::read::Chunk& chunk) : chunk_(chunk) {}

  // An event of the layout's type. One that cannot be decoded is noted as a problem; a failed one is left out.
  void add(const jfr::read::Event& event, const SampleLayout& layout);

  // A constant: its type, jfr::read::kNoType for none, and its key.
  struct Key {
    uint32_t type = jfr::read::kNoType;
    uint64_t key = 0;
    bool operator==(const Key&) const = default;
  };
  struct Stack {
    uint64_t key = 0;
    Key about;  // the class on top
    uint64_t weight = 0, samples = 0;
  };
  std::vector<SampleEvent> samples;
  std::vector<Stack> stacks;
  std::vector<Key> threads;

 private:
  struct Values {
    uint64_t stack = 0, thread = 0, about = 0, state = 0;
    int64_t time = 0, weight = 1, failed = 0, period = 0;
  };
  struct StackKey {
    uint64_t stack = 0;
    Key about;
    bool operator==(const StackKey&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const { return by_key(key.key + (uint64_t{key.type} << 40)); }
    size_t operator()(const StackKey& key) const { return by_key(key.stack ^ by_key(key.about.key)); }
    jfr::read::KeyHash by_key;
  };

  bool read(const jfr::read::Event& event, const SampleLayout& layout, Values& values);
  bool is_cpu_state(const Key& state);
  int64_t time_of(const SampleLayout& layout, int64_t value) const;
  uint32_t stack_place(const StackKey& key);
  uint32_t thread_place(const Key& key);

  jfr::read::Chunk& chunk_;
  std::unordered_map<StackKey, uint32_t, Hash> stack_places_;
  std::unordered_map<Key, uint32_t, Hash> thread_places_;
  std::unordered_map<Key, bool, Hash> cpu_states_;
};

}  // namespace jrec
