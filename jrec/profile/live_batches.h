// SPDX-License-Identifier: Apache-2.0
// LiveBatches says which live objects of a recording count. Each dump and the end tell all that live then, at one time: who
// adds up several tells an object that stays once for each of them. So of each JVM the last batch counts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "format/reader/chunk.h"
#include "jrec/input/recording_span.h"
#include "jrec/values/jvm_numbers.h"

namespace jrec {

// Of a chunk that tells of objects and of its JVM.
struct LiveBatch {
  std::optional<WriterProcess> jvm;
  int64_t last_ns = INT64_MIN;  // none
  bool unweighed = false;       // a JDK's, which tell no size
};
LiveBatch last_live_batch(jfr::read::Chunk& chunk, const TimeRange& range);  // of objects that were told within it

class LiveBatches {
 public:
  void note(const LiveBatch& batch);
  // With objects that tell no size those of others can only be counted.
  bool has_unweighed() const { return unweighed_; }
  // When those of the chunk's JVM were told that count; nothing: all count, as where nobody tells whose they are.
  std::optional<int64_t> time_in(jfr::read::Chunk& chunk) const;

 private:
  std::map<WriterProcess, int64_t> last_ns_;
  bool unweighed_ = false;
};

}  // namespace jrec
