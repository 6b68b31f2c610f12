// SPDX-License-Identifier: Apache-2.0
// ChunkModel is what encoder and decoder of a chunk have in common: the streams, in one order, and what both learn on
// the way.
//
//   record    its kind: 0 the end, and the rest as it is; 1 raw; 2 checkpoint; 3 metadata; 4 + n event of the n-th type
//   size      not kept: it follows from the content, and from how many bytes the size itself was written with
//   content   by the steps of its type (shape.h)
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "format/archive/known_names.h"
#include "format/archive/method_keys.h"
#include "format/archive/record_code.h"
#include "format/archive/shape.h"
#include "format/archive/stack_model.h"
#include "format/archive/stream.h"

namespace jfr::archive {

enum RecordKind : uint64_t { kRest, kRaw, kCheckpoint, kMetadata, kFirstEvent };

// What is left out as it follows from other columns: the second number of the stream `metadata`; none: nothing.
enum Follows : uint64_t {
  kDepths = 1,     // of stacks, from where they leave the tree and what is new
  kEnds = 2,       // starts go by the ends of events (event_clock.h)
  kCounted = 4,    // keys of methods that count up (method_keys.h)
  kAddresses = 8,  // of functions, from the base's (known_addresses.h)
  kOrders = 16,    // of stacks in a pool, from their hashes (stack_order.h): a stream behind all others says which
  kAllFollows = 32 - 1,
};

inline constexpr size_t kHeadBytes = 68;
inline constexpr uint64_t kMetadataType = 0, kCheckpointType = 1;

// How many bytes a record's size takes. Writers pad: JDKs from 16 on write one byte or four, others always four.
class SizeWidths {
 public:
  // body: bytes of the record behind its size.
  uint32_t expected(uint64_t body) const { return is_short(body) ? short_ : long_; }
  void learn(uint64_t body, uint32_t width) { (is_short(body) ? short_ : long_) = width; }

 private:
  static bool is_short(uint64_t body) { return body + 1 < 128; }
  uint32_t short_ = 1, long_ = 4;
};

// A constant pool of a checkpoint, and the head of a checkpoint, as streams.
struct CheckpointStreams {
  explicit CheckpointStreams(Streams& streams)
      : start(streams.add_numbers()),
        duration(streams.add_numbers()),
        duration_width(streams.add_numbers()),
        previous(streams.add_numbers()),
        flags(streams.add_numbers()),
        pools(streams.add_numbers()),
        pools_width(streams.add_numbers()),
        type(streams.add_numbers()),
        count(streams.add_numbers()),
        count_width(streams.add_numbers()) {}
  uint32_t orders = 0;  // of pools of stacks; 0: they stand as they are
  uint32_t start, duration, duration_width, previous, flags, pools, pools_width, type, count, count_width;
};

struct ChunkStreams {
  explicit ChunkStreams(Streams& streams)
      : head(streams.add_bytes()),
        raw(streams.add_bytes()),
        kinds(streams.add_numbers()),
        raw_sizes(streams.add_numbers()),
        type_ids(streams.add_numbers()),
        odd_gaps(streams.add_numbers()),
        odd_widths(streams.add_numbers()),
        metadata(streams.add_numbers()),
        metadata_start(streams.add_numbers()),
        metadata_duration(streams.add_numbers()),
        metadata_id(streams.add_numbers()),
        checkpoint(streams),
        names(streams),
        method_keys(streams),
        stacks(streams) {}
  uint32_t head, raw;
  uint32_t kinds, raw_sizes, type_ids, odd_gaps, odd_widths;
  uint32_t metadata, metadata_start, metadata_duration, metadata_id;
  CheckpointStreams checkpoint;
  NameStreams names;
  MethodKeyStreams method_keys;
  StackModel stacks;
};

// Follows, of streams that nobody has taken from.
inline uint64_t follows_of(const Streams& streams, const ChunkStreams& own) {
  const std::vector<uint64_t> numbers = streams.all(own.metadata);
  return numbers.size() < 2 ? 0 : numbers[1];
}

// The metadata that types are taken from, out of what stands behind a metadata event's id.
base::Result<read::Metadata> metadata_of(std::span<const uint8_t> content);

// A pool of jdk.types.StackTrace: whether it was truncated, and its frames.
struct StackPool {
  const std::vector<Step>& steps;
  uint64_t count;
  uint32_t keys, orders;  // streams
};
inline bool is_stack(const std::vector<Step>& steps) {
  return steps.size() == 2 && steps[0].kind == Step::Kind::kByte && steps[1].kind == Step::Kind::kFrames;
}

// The pools of a checkpoint, and its head. `at`: where its record begins in the chunk; `previous`: the checkpoint
// before.
template <typename Coder>
void code_checkpoint(Coder& coder, const CheckpointStreams& streams, const Shapes& shapes,
                     const read::Metadata& metadata, uint64_t at, uint64_t previous) {
  coder.time(streams.start);
  coder.wide(streams.duration, streams.duration_width);
  coder.expected(streams.previous, previous == 0 ? 0 : previous - at);
  coder.byte(streams.flags);
  const uint64_t pools = coder.wide_count(streams.pools, streams.pools_width);
  for (uint64_t i = 0; i < pools && coder.ok(); ++i) {
    const uint32_t type = metadata.index_of(coder.leb(streams.type));
    const uint64_t count = coder.wide_count(streams.count, streams.count_width);
    if (type == read::kNoType || !shapes.constant(type).known) return coder.fail();
    const std::vector<Step>& steps = shapes.constant(type).steps;
    if (streams.orders != 0 && is_stack(steps) &&
        coder.stacks(StackPool{steps, count, shapes.keys(type), streams.orders}))
      continue;
    for (uint64_t n = 0; n < count && coder.ok(); ++n) {
      coder.leb(shapes.keys(type));
      if (!coder.known(type)) code(coder, steps);
    }
  }
}

}  // namespace jfr::archive
