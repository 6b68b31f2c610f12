// SPDX-License-Identifier: Apache-2.0
// SqlTable is a table that a query may name. Its rows are read from the chunks when the query asks for them: nothing is
// imported. What a query wants of a row's key columns is told to scan() in advance, so that chunks of another time and
// recording are passed over; rows that do not match may come nevertheless, the engine looks again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/view/cell.h"

namespace jrec {

struct SqlColumn {
  enum class Key : uint8_t { kNone, kRecording, kTime, kStack, kEvent };
  enum class Native : uint8_t {
    kLong,
    kInt,
    kFlag,
    kTime,
    kStack
  };  // what an INTEGER is, for engines that have more types

  std::string name;
  const char* type = "";  // INTEGER, UNSIGNED (a long without a sign), HUGEINT (some of each), REAL, TEXT
  Key key = Key::kNone;
  Native native = Native::kLong;
};

// A chunk that is open already, and its place in the source.
struct SqlOneChunk {
  size_t index = 0;
  jfr::read::Chunk* chunk = nullptr;
};

// What is wanted of the key columns, and which columns will be read.
struct SqlWanted {
  std::optional<int64_t> recording, stack;
  std::optional<std::string> event;
  std::optional<SqlOneChunk> only;  // rows of events come from this chunk
  int64_t from_ns = INT64_MIN, to_ns = INT64_MAX;
  uint64_t columns = UINT64_MAX;  // a bit each, the highest for all that have none

  static bool uses(uint64_t columns, size_t index) { return (columns >> (index < 63 ? index : 63) & 1) != 0; }
};

class SqlRows {
 public:
  virtual ~SqlRows() = default;
  virtual bool next() = 0;                // false: there are no more
  virtual Cell column(size_t index) = 0;  // of the row
};

// Where an engine puts what a query gives: `columns` once for each statement, then a row after the other until one is
// refused.
struct SqlSink {
  std::function<void(const std::vector<std::string>& columns)> columns;
  std::function<bool(const std::vector<Cell>& row)> row;
};

class SqlTable {
 public:
  SqlTable(std::string name, std::vector<SqlColumn> columns) : name_(std::move(name)), columns_(std::move(columns)) {}
  virtual ~SqlTable() = default;

  const std::string& name() const { return name_; }
  const std::vector<SqlColumn>& columns() const { return columns_; }
  virtual std::unique_ptr<SqlRows> scan(const SqlWanted& wanted) = 0;

 private:
  const std::string name_;
  const std::vector<SqlColumn> columns_;
};

}  // namespace jrec
