// SPDX-License-Identifier: Apache-2.0
// ThreadKeys gives each thread constant its key: the thread's id, and one of its own for a thread that has got another name since. For
// the JDK's readers take a constant over from the chunk before by its key, without a look at what stands there now
// (jdk.jfr.internal.consumer.ChunkParser.fillConstantPools).
//
//   chunk 1   7 -> "worker"                       key 7
//   chunk 2   7 -> "worker 12"                    a new key, which stays that name's
//
// What a chunk did not have is forgotten. Recorder thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace rec {

class ThreadKeys {
 public:
  // first_new: of the keys that are nobody's id.
  explicit ThreadKeys(uint64_t first_new) : last_(first_new - 1) {}

  struct Answer {
    uint64_t key;
    bool fresh;  // not asked for in this chunk before
  };
  // content: a hash of all that the constant says.
  Answer key_of(uint64_t id, uint32_t content) {
    const auto [known, is_new] = known_.try_emplace(Named{id, content}, Key{id, 0});
    Key& key = known->second;
    if (is_new && !owners_.try_emplace(id, known->first).second) key.value = ++last_;
    const bool fresh = key.chunk != chunk_;
    key.chunk = chunk_;
    return {key.value, fresh};
  }
  void start_chunk(uint32_t serial) {
    std::erase_if(known_, [&](const auto& each) { return each.second.chunk != chunk_; });
    std::erase_if(owners_, [&](const auto& each) { return !known_.contains(each.second); });
    chunk_ = serial;
  }

 private:
  struct Named {
    uint64_t id;
    uint32_t content;
    bool operator==(const Named&) const = default;
  };
  struct Hash {
    size_t operator()(const Named& named) const {
      return static_cast<size_t>((named.id ^ uint64_t{named.content} << 32) * 0x9e3779b97f4a7c15);
    }
  };
  struct Key {
    uint64_t value;
    uint32_t chunk;  // that had it last
  };
  std::unordered_map<Named, Key, Hash> known_;
  std::unordered_map<uint64_t, Named> owners_;  // by id: whose key it is
  uint64_t last_;
  uint32_t chunk_ = 0;
};

}  // namespace rec
