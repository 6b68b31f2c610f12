// SPDX-License-Identifier: Apache-2.0
// Description is what a chunk of version 0.9 (Oracle's JDK 7 and 8, JRockit) says of itself in the event at its end:
// who wrote it, which types of events and constants there are, and how ticks become time.
//
//   chunk:   0 magic "FLR\0" | 4 major 0 u16 | 6 minor 9 u16 | 8 offset of the metadata u64 | 16 events ... | metadata
//   event:   size i32, itself included | type i32 | content          all numbers are big-endian and of fixed width
//   content of an ordinary event:    end ticks i64 | start ticks i64, thread u32, stack trace u64 as its type says | fields
//   content of a checkpoint, type 1: ticks i64 | previous checkpoint i64, 0: none | (pool i32 | count i32 | (key, fields)*)*
//   content of the metadata, type 0: producers | start ms, end ms, start ticks, ticks per second, newest checkpoint i64
//                                    | locale | offset to UTC in ms i32
//   producer:    id i32 | name, text, URI | relations | structures | event types | pools      each of these: count i32
//   structure:   count i32 | fields: id, name, text | transition u8 | data type u8 | content i32 | structure i32 | i32
//   event type:  id i32 | name, text, path | has start, thread, stack; on request u8 | structure i32 | i32
//   pool:        id i32 | name, text | data type of its keys u8 | structure i32
//   texts:       length u16 and UTF-8
//
// Source of facts: the parser of Mission Control reads the same, and recordings of 7u40 to 8u60 and R28.2 agree.
//
// Nothing is trusted: counts are held against what is left, structures may not hold themselves. A view: the chunk's
// bytes must outlive it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "format/reader/cursor.h"

namespace jfr::old {

inline constexpr uint64_t kBodyOffset = 16;  // of the first event
inline constexpr uint32_t kMetadataType = 0, kCheckpointType = 1, kLostType = 2;
inline constexpr uint32_t kMostDepth = 16;       // of structures; real ones have 3
inline constexpr uint32_t kMostWork = 2048;      // fields of a structure, with those of all structures in it
inline constexpr uint32_t kMostTypes = 1 << 14;  // of structures, events and pools each; WebLogic's have 250
inline constexpr uint64_t kMostWords = 2 << 20;  // for a description of them all; WebLogic's takes a quarter
inline constexpr uint32_t kNone = 0xffffffff;

enum class DataType : uint8_t {
  kBoolean,
  kByte,
  kU1,
  kShort,
  kU2,
  kInt,
  kU4,
  kLong,
  kU8,
  kFloat,
  kDouble,
  kUtf8,         // length u16, bytes
  kString,       // length u32, UTF-16
  kArray,        // count u32, elements
  kStruct,       // its fields
  kStructArray,  // count u32, structs
};
constexpr bool is_integer(DataType type) { return type >= DataType::kByte && type <= DataType::kU8; }
// Bytes of a value of a fixed width; else 0.
uint32_t width_of(DataType type);
// Bytes that any value of it takes at least, one that is no structure.
uint32_t least_size(DataType type);

// What a number stands for; other contents are the ids of pools.
enum Content : uint32_t {
  kPlain,
  kBytes,
  kEpochMillis,
  kMillis,
  kNanos,
  kTicks,
  kAddress,
  kThreadPool,
  kJavaThreadPool,
  kStackPool,
  kClassPool,
  kPercentage,
};

struct Field {
  std::string_view id, label, text;
  DataType type = DataType::kBoolean;
  DataType element = DataType::kBoolean;  // of an array
  uint32_t content = kPlain;
  uint32_t structure = kNone;  // of a struct and of an array of them
};

struct Structure {
  std::vector<Field> fields;
  bool usable = false;      // no field is of a kind that cannot be
  uint32_t least_size = 0;  // bytes of a value
  uint32_t work = 0;        // fields, with those inside of fields
  uint32_t depth = 1;       // of structures in it, itself included
  uint64_t words = 0;       // bytes that describe it
};

struct Pool {
  uint32_t id = 0;
  std::string_view name, text, uri;
  DataType key = DataType::kU8;
  uint32_t structure = kNone;
};

struct EventType {
  uint32_t id = 0;
  std::string_view label, text, path, uri;  // the URI is its producer's
  bool has_start = false, has_thread = false, has_stack = false;
  uint32_t structure = kNone;
};

class Description {
 public:
  // The event at `at`, which ends the chunk. Errors carry offsets in the chunk.
  static base::Result<Description> parse(std::span<const uint8_t> chunk, uint64_t at);

  std::vector<Structure> structures;  // of all producers
  std::vector<Pool> pools;
  std::vector<EventType> events;
  int64_t start_ms = 0, end_ms = 0, start_ticks = 0, ticks_per_second = 0;
  uint64_t newest_checkpoint = 0;
  std::string_view locale;
  int32_t utc_offset_ms = 0;

  // Of two with one id, the later one counts. kNone: there is none.
  uint32_t pool_of(uint32_t id) const;
  uint32_t event_of(uint32_t id) const;

  // Whether its constants can be read, and take bytes.
  bool can_hold_constants(uint32_t pool) const {
    const Structure& structure = structures[pools[pool].structure];
    return structure.usable && structure.least_size > 0 && width_of(pools[pool].key) != 0;
  }
  // The pool that an integer is a key of, or kNone.
  uint32_t pool_of(const Field& field) const;

 private:
  base::Status read(read::Cursor& in);
  base::Status read_producer(read::Cursor& in);
  void read_structures(read::Cursor& in);
  void read_events(read::Cursor& in, std::string_view uri);
  void read_pools(read::Cursor& in, std::string_view uri);
  void measure(uint32_t structure, uint32_t depth, std::vector<uint8_t>& state);

  uint32_t first_structure_ = 0;  // of the producer that is read
  std::unordered_map<uint32_t, uint32_t> pool_ids_, event_ids_;
};

// Whether a chunk of this version starts with these bytes.
bool starts_old_chunk(std::span<const uint8_t> bytes);

}  // namespace jfr::old
