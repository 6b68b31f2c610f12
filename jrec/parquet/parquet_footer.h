// SPDX-License-Identifier: Apache-2.0
// The footer of a Parquet file: FileMetaData of parquet.thrift.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "jrec/parquet/column_chunk.h"
#include "jrec/parquet/parquet_column.h"

namespace jrec {

struct ParquetGroup {
  uint64_t rows = 0;
  std::vector<ColumnChunk> chunks;      // without their bytes
  std::vector<uint64_t> begins, sizes;  // of these, in the file
};

struct ParquetFooter {
  ParquetColumns columns;
  std::vector<ParquetGroup> groups;
  uint64_t rows = 0;
  std::vector<std::pair<std::string, std::string>> facts;

  std::vector<uint8_t> bytes() const;
};

}  // namespace jrec
