// SPDX-License-Identifier: Apache-2.0
// Constants as two hashes each: one of the number of the type and the key, one of the bytes of the value. Enough to
// tell whether two chunks mean the same by a key, at sixteen bytes a constant. Hashes are of this process only.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "format/reader/checkpoint_walk.h"
#include "format/reader/chunk.h"
#include "format/reader/key_hash.h"

namespace jrec {

inline uint64_t content_hash(std::span<const uint8_t> bytes) {
  uint64_t hash = jfr::read::key_hash_seed();
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return jfr::read::hash_key(hash, bytes.size());
}

inline uint64_t constant_name_hash(uint64_t type_id, uint64_t key) {
  return jfr::read::hash_key(key, jfr::read::hash_key(type_id, jfr::read::key_hash_seed()));
}

// Calls visit(name hash, content hash) for the constants of the checkpoints that a walk over the events finds. Copies
// of chunk headers do not count.
template <typename Visit>
void for_each_constant(jfr::read::Chunk& chunk, Visit visit) {
  jfr::read::EventWalk events(chunk.bytes(), jfr::kHeaderSize, {});
  for (jfr::read::Event event; events.next(event);) {
    if (event.type_id != jfr::kCheckpointType) continue;
    jfr::read::CheckpointWalk walk(chunk.bytes(), chunk.metadata(), event.at);
    while (walk.next_pool()) {
      const jfr::read::Type& type = chunk.metadata().types()[walk.pool().type];
      if (type.name == std::string_view("jdk.types.ChunkHeader")) continue;
      while (walk.next_constant()) {
        const jfr::read::CheckpointWalk::Constant& constant = walk.constant();
        visit(constant_name_hash(type.id, constant.key),
              content_hash(chunk.bytes().subspan(constant.value, constant.end - constant.value)));
      }
    }
  }
}

}  // namespace jrec
