// SPDX-License-Identifier: Apache-2.0
// ParquetColumn says what a column of a Parquet file holds. Columns that follow each other under one `group` are the
// fields of a list's elements, or the key and the value of a map:
//
//   {"time", kTime}                                        required int64 time (TIMESTAMP(MICROS, UTC))
//   {"version", kText, true}                               optional binary version (STRING)
//   {"method", kText, false, kList, "frames"},             required group frames (LIST) { repeated group list {
//   {"line", kInt, false, kList, "frames"}                   required group element { binary method; int32 line } } }
//   {"key", kText, false, kMap, "labels"}, {"value", ...}  required group labels (MAP) { repeated group key_value { .. } }
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace jrec {

enum class ParquetType : uint8_t {
  kFlag,      // BOOLEAN
  kInt,       // INT32
  kLong,      // INT64
  kUnsigned,  // INT64 (UINT_64)
  kReal,      // DOUBLE
  kTime,      // INT64, microseconds since 1970 (TIMESTAMP, UTC): Spark reads no nanoseconds
  kText,      // BYTE_ARRAY (STRING)
};

struct ParquetColumn {
  enum class Shape : uint8_t { kOne, kList, kMap };

  std::string name;
  ParquetType type = ParquetType::kText;
  bool nullable = false;  // of kOne only
  Shape shape = Shape::kOne;
  std::string group;    // of kList and kMap
  bool unique = false;  // no value comes twice: no dictionary is tried (parquet_longs.h reads such a column)

  bool repeated() const { return shape != Shape::kOne; }
  // From the root of the schema to its values.
  std::vector<std::string> path() const {
    if (shape == Shape::kList) return {group, "list", "element", name};
    if (shape == Shape::kMap) return {group, "key_value", name};
    return {name};
  }
};

using ParquetColumns = std::vector<ParquetColumn>;

}  // namespace jrec
