// SPDX-License-Identifier: Apache-2.0
// What the footer of a file tells that ParquetWriter wrote: its columns, how many rows it has, and from when to when they are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "jrec/parquet/parquet_column.h"

namespace jrec {

struct ParquetFacts {
  struct Times {
    std::string column;           // the first one of times
    int64_t first = 0, last = 0;  // microseconds since 1970
  };
  ParquetColumns columns;
  uint64_t rows = 0;
  std::map<std::string, std::string> said;  // ParquetWriter::Facts
  std::optional<Times> times;               // nothing: there is no such column, or a row group does not tell

  // Of the last bytes of a file, with all of its footer (parquet_tail.h). kCorrupt: it is damaged, or has what ParquetWriter does
  // not write.
  static base::Result<ParquetFacts> of(std::span<const uint8_t> tail);
};

}  // namespace jrec
