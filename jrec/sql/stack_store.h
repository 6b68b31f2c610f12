// SPDX-License-Identifier: Apache-2.0
// StackStore keeps every stack that a query meets, once. A stack's number is a hash of what it says, so the same stack
// has the same number in every chunk, recording and process, and tables made apart can be joined.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "format/reader/chunk.h"
#include "format/reader/key_table.h"
#include "jrec/values/field_value.h"

namespace jrec {

struct StoredFrame {
  std::string method;  // java.lang.Thread.run
  std::string kind;    // "JIT compiled"
  int64_t line = 0, bci = 0;
};

struct StoredStack {
  std::vector<uint32_t> frames;  // places in StackStore::frames(), innermost first
  bool truncated = false;
};

class StackStore {
 public:
  // Adds the stack, and gives its number, which is never 0.
  int64_t add(const StoredStack& stack);
  uint32_t add(const StoredFrame& frame);
  // The stack of that number, which another store has.
  void copy(const StackStore& from, int64_t stack);

  const StoredStack* find(int64_t stack) const;
  // The method on top; empty when there is none.
  std::string top(int64_t stack) const;
  const StoredFrame& frame(uint32_t place) const { return frames_[place]; }
  // In the order in which they came. Good as long as nothing is added: count first.
  const std::vector<int64_t>& order() const { return order_; }

 private:
  uint32_t place_of(uint64_t hash, const StoredFrame& frame);

  std::unordered_map<int64_t, StoredStack> stacks_;
  std::vector<int64_t> order_;
  std::deque<StoredFrame> frames_;
  std::vector<uint64_t> frame_hashes_;
  std::unordered_map<uint64_t, uint32_t> frame_places_;  // by hash
};

// Where the parts of a frame are in its type, if that is declared as usual.
struct FrameLayout {
  const jfr::read::Type* type = nullptr;
  int method = -1, kind = -1, line = -1, bci = -1;
};

// The stacks of one chunk on their way into the store: each key is read once.
class ChunkStacks {
 public:
  ChunkStacks(jfr::read::Chunk& chunk, StackStore& store);

  // 0: there is no such stack.
  int64_t number(uint64_t key);
  void add_all();

 private:
  // A frame whose method and kind are constants: it need not be read twice.
  struct FrameKey {
    uint64_t method = 0, kind = 0;
    int64_t line = 0, bci = 0;
    bool operator==(const FrameKey&) const = default;
  };
  struct FrameKeyHash {
    size_t operator()(const FrameKey& key) const {
      const uint64_t place = static_cast<uint64_t>(key.line) << 32 ^ static_cast<uint64_t>(key.bci) ^ key.kind << 56;
      return by_key(key.method ^ by_key(place));
    }
    jfr::read::KeyHash by_key;
  };

  int64_t read(uint64_t key);
  uint32_t read_frame(const FieldValue& frame);
  uint32_t read_usual_frame(jfr::read::Cursor& in, const FrameLayout& layout, const jfr::read::Field& field);
  StoredFrame stored_frame(const FieldValue& method, const FieldValue& kind, const FrameKey& key);

  jfr::read::Chunk& chunk_;
  StackStore& store_;
  FieldReader fields_;
  uint32_t type_;  // index of jdk.types.StackTrace
  jfr::read::KeyTable<int64_t> numbers_;
  jfr::read::KeyTable<std::string> methods_;
  jfr::read::KeyTable<uint32_t, FrameKey, FrameKeyHash> frames_;  // places in the store
};

}  // namespace jrec
