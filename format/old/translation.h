// SPDX-License-Identifier: Apache-2.0
// Translation writes values of version 0.9 in the encoding of version 2, and keeps the constants that they refer to.
//
//   fields() --a key--> constant() --its fields--> fields() ...     each constant once, when something first refers to it
//                            |
//                            v
//                         pools, which become one checkpoint at the end of the chunk
//
// A key of the old format may mean several constants, at different times. So keys are given out anew; 0 means null, and
// so does a key that has no constant. Another chunk goes on behind them: the JDK's reader keeps what a key meant in the
// chunk before. A constant that refers to itself, or is the last of a chain longer than
// kMostReferences, refers to null there. Constants that nothing refers to are not written.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "format/old/constants.h"
#include "format/old/schema.h"
#include "format/writer/byte_sink.h"

namespace jfr::old {

class Translation {
 public:
  static constexpr uint32_t kMostReferences = 64;

  // All must outlive it.
  Translation(std::span<const uint8_t> chunk, const Description& description, const Schema& schema,
              Constants& constants, uint32_t last_key);

  // The fields of a structure, as they were at that time. What does not fit fails the cursor. kilobytes: a field whose
  // number is written 1024 times as large.
  void fields(read::Cursor& in, uint32_t structure, int64_t at, ByteSink& out, uint32_t kilobytes = kNone);

  // New keys.
  uint64_t constant(uint32_t pool, uint64_t key, int64_t at);
  uint64_t thread(uint64_t id, int64_t at);  // by its id in the system

  // The checkpoint event that holds what was referred to.
  void write_checkpoint(ByteSink& out, int64_t ticks) const;

  uint32_t last_key() const;  // that was given out

 private:
  struct NewPool {
    ByteSink entries;
    std::unordered_map<std::string, uint32_t> known;  // entries, to their keys
  };

  void field(read::Cursor& in, const FieldPlan& plan, int64_t at, ByteSink& out);
  void reference(read::Cursor& in, const FieldPlan& plan, DataType type, int64_t at, ByteSink& out);
  uint64_t translated(uint32_t pool, Constant& constant);
  uint64_t loader(uint64_t class_key);
  uint32_t next_key(const NewPool& pool) const { return keys_before_ + static_cast<uint32_t>(pool.known.size()) + 1; }
  void nested(read::Cursor& in, uint32_t structure, int64_t at, ByteSink& out);
  void add_group(const Constant* java_thread, ByteSink& out);
  void list_java_threads();
  const Constant* java_thread(uint64_t id, int64_t at) const;

  // The field of that index, of a constant.
  read::Cursor at_field(uint32_t pool, const Constant& constant, uint32_t field) const;

  const std::span<const uint8_t> chunk_;
  const Description& description_;
  const Schema& schema_;
  Constants& constants_;
  const uint32_t keys_before_;  // in other chunks
  std::vector<NewPool> pools_;  // as the old ones
  NewPool threads_;
  ByteSink loaders_;
  std::unordered_map<uint64_t, bool> has_loader_;
  std::unordered_map<uint64_t, std::vector<const Constant*>> java_threads_;  // by the id in the system, then by time
  uint32_t references_ = 0;                                                  // that are being followed
};

}  // namespace jfr::old
