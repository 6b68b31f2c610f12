// SPDX-License-Identifier: Apache-2.0
// ChunkRewrite writes a chunk once more with some of its events only.
//
//   plan()    which events stay; with prune, which constants these reach
//   write()   header, events, checkpoints, metadata
//
// What is left out is not there any more: no byte of it is copied. Events that stay keep their order and their bytes,
// unless the rule edits them. An event that cannot be decoded is not taken over: the JDK's reader would end there.
// Checkpoints are linked anew; copies of the old header among the constants go. With prune, constants that no event reaches
// go as well, each constant stays once, and nothing that cannot be decoded is taken over: nobody can say what is in it. The
// header keeps the chunk's times unless clip() is called, and its clock unless retime() gives another: no event moves.
//
// A damaged chunk yields what can be read of it, noted in its Problems. Memory: four bytes for each event that stays,
// and with prune some forty for each constant that stays.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "format/reader/checkpoint_walk.h"
#include "format/reader/chunk.h"
#include "format/reader/key_hash.h"
#include "jrec/files/clipped_header.h"
#include "jrec/files/common_clock.h"
#include "jrec/files/recording_output.h"
#include "jrec/files/type_ids.h"
#include "jrec/files/wire_bytes.h"
#include "jrec/input/recording_span.h"

namespace jrec {

// Which events stay, and what becomes of them.
class EventRule {
 public:
  virtual ~EventRule() = default;
  virtual void begin(jfr::read::Chunk&) {}
  // type is null when the event's is not declared.
  virtual bool keeps(jfr::read::Chunk& chunk, const jfr::read::Event& event, const jfr::read::Type* type) = 0;
  // Puts the event's fields as they are to be, and says true; or false: as they are. Must do the same each time.
  virtual bool edits(jfr::read::Chunk&, const jfr::read::Event&, const jfr::read::Type&, WireBytes&) { return false; }
};

// What becomes of constants: those that stay may change, and others may come.
class ConstantRule {
 public:
  virtual ~ConstantRule() = default;
  // Whether constants of that type are asked for at all.
  virtual bool edits(uint32_t type) const = 0;
  // Puts the value as it is to be, and says true; or false: as it is.
  virtual bool edits(uint32_t type, uint64_t key, jfr::read::Cursor value, WireBytes& out) = 0;
  // Appends pools (type id, count, constants), and says how many. After all others.
  virtual uint64_t add_pools(WireBytes& out) = 0;
};

// The constants that are reached from what was marked.
class ReachedConstants {
 public:
  explicit ReachedConstants(jfr::read::Chunk& chunk) : chunk_(chunk), keys_(chunk.metadata().types().size()) {}
  void mark(uint32_t type, uint64_t key);
  void follow(ConstantRule* rule);  // everything that marked constants name, as the rule leaves them
  bool has(uint32_t type, uint64_t key) const { return keys_[type].contains(key); }

 private:
  struct Constant {
    uint32_t type;
    uint64_t key;
  };
  jfr::read::Chunk& chunk_;
  std::vector<std::unordered_set<uint64_t, jfr::read::KeyHash>> keys_;  // by type
  std::vector<Constant> to_follow_;
};

class ChunkRewrite {
 public:
  ChunkRewrite(jfr::read::Chunk& chunk, EventRule& rule, bool prune);

  // Writes other numbers for the types, and with them this metadata event. Call before plan(). `ids` must last.
  void renumber(const TypeIds::Map& ids, std::vector<uint8_t> metadata);
  // Writes times by another clock; `from` is the one that the chunk is read by. Both must last.
  void retime(const CommonClock& to, const jfr::read::Clock& from);
  // The header says that the chunk begins and ends within this time, to a nanosecond of its clock. Not with retime().
  void clip(const TimeRange& time) { time_ = time; }
  // Changes constants. Call before plan().
  void edit_constants(ConstantRule& rule) { constants_ = &rule; }
  // Where the metadata stands that the chunk is read by; 0: there is none.
  uint64_t metadata_at() const { return metadata_at_; }

  // True: there is something to write.
  bool plan();
  uint64_t kept() const { return kept_; }
  uint64_t left_out() const { return left_out_; }
  void write(RecordingOutput& out);

 private:
  uint64_t find_metadata() const;
  HeaderBytes header() const;
  bool consider(const jfr::read::Event& event);
  bool is_sound(const jfr::read::Event& event, const jfr::read::Type* type);
  bool trace(const jfr::read::Event& event, const jfr::read::Type& type);
  bool leaves_out(const jfr::read::Event& event, const jfr::read::Type& type);  // and notes it
  void write_metadata(uint64_t at, RecordingOutput& out);
  void write_event(const jfr::read::Event& event, RecordingOutput& out);
  void write_checkpoint(const jfr::read::Event& event, RecordingOutput& out);
  void copy_pools(const jfr::read::Event& event, WireBytes& pools, uint64_t& count);
  void copy_constant(uint32_t type, const jfr::read::CheckpointWalk::Constant& constant);
  bool touches(const jfr::read::Event& event) const;
  void write_more_constants(RecordingOutput& out);
  void put_checkpoint(uint64_t start, uint64_t duration, uint8_t flags, uint64_t count, std::span<const uint8_t> pools,
                      RecordingOutput& out);
  jfr::read::Event event_at(uint64_t at) const;
  uint64_t id_of(uint64_t type_id) const;

  jfr::read::Chunk& chunk_;
  EventRule& rule_;
  bool prune_;
  uint32_t header_type_;  // of constants that hold a copy of the chunk's header
  uint64_t metadata_at_ = 0;
  std::vector<uint32_t> plan_;  // where what stays stands, in order
  ReachedConstants reached_;
  uint64_t kept_ = 0, left_out_ = 0;
  ConstantRule* constants_ = nullptr;   // null: they are as they are
  const TypeIds::Map* ids_ = nullptr;   // null: types keep their numbers
  std::vector<uint8_t> metadata_;       // instead of the chunk's own, with ids_
  const CommonClock* clock_ = nullptr;  // null: times stay ticks of the chunk's clock
  std::optional<CommonTicks> ticks_;
  TimeRange time_;
  RecordingOutput::Places places_;
  WireBytes edited_, retimed_, scratch_;
};

}  // namespace jrec
