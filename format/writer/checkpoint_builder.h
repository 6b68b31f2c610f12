// SPDX-License-Identifier: Apache-2.0
// CheckpointBuilder collects constants by type and encodes them as one checkpoint event.
//
//   pool(kSymbol).entry(key).text("main");        one entry: its key, then the fields of the type in metadata order
//
// Rules that readers enforce: no pool is written without an entry (the JDK throws), a key means the same content for
// the whole life of a recording (the JDK reuses constants of the previous chunk by key), and a
// checkpoint's size matches its content to the byte.
#pragma once

#include <cstdint>
#include <map>

#include "format/type_ids.h"
#include "format/writer/byte_sink.h"

namespace jfr {

// What a checkpoint tells readers that stream.
enum class CheckpointFlag : uint8_t {
  kNone = 0,
  kFlush = 1,    // the events before it may be delivered: a segment ends here
  kStatics = 4,  // enumerations
};

class CheckpointBuilder {
 public:
  class Pool {
   public:
    ByteSink& entry(uint64_t key) {
      ++count_;
      body_.leb(key);
      return body_;
    }
    uint32_t count() const { return count_; }
    std::span<const uint8_t> body() const { return body_.bytes(); }

   private:
    uint32_t count_ = 0;
    ByteSink body_;
  };

  Pool& pool(TypeId type) { return pools_[type]; }
  bool empty() const;        // no pool has an entry; encode() then writes a checkpoint without pools, which is valid
  size_t body_size() const;  // bytes that encode() would take, at most 64 more
  void clear() { pools_.clear(); }

  // Appends the checkpoint event. delta = offset of the previous checkpoint minus the offset of this one in the chunk;
  // 0 for the first. start_ticks stamps the event. duration_width, 1 to 8: bytes spent on the duration, which is 0:
  // whoever must end the event at a multiple of eight spends what is missing here.
  void encode(ByteSink& out, int64_t start_ticks, int64_t delta, CheckpointFlag flag = CheckpointFlag::kNone,
              size_t duration_width = 1) const;

 private:
  std::map<TypeId, Pool> pools_;
};

}  // namespace jfr
