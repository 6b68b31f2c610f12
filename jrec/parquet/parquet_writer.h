// SPDX-License-Identifier: Apache-2.0
// ParquetWriter writes one file of Apache Parquet, which every engine for tables reads. It is a few hundred lines of our
// own because it needs so little: no nested nulls, one page a column and row group, zstd, dictionaries, statistics.
//
//   "PAR1" | row groups: a column chunk for each column (column_chunk.h) | footer, Thrift | u32 of its bytes | "PAR1"
//
//   ParquetWriter file(fd, {{"time", ParquetType::kTime}, {"event"}}, {{"rec.table", "samples"}});
//   file.column(0).add(1'700'000'000'000'000); file.column(1).add_text("jdk.ExecutionSample"); file.end_row();
//   if (const base::Status written = file.finish(); !written) ...
//
// A row group is written when it has kRowsOfGroup rows, or when its values take kBytesOfGroup. Each has the least and
// the largest value of its columns, so that readers pass over those of other times. What fails once stays failed, and
// finish() says why.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "jrec/parquet/column_values.h"
#include "jrec/parquet/parquet_footer.h"

namespace jrec {

class ParquetWriter {
 public:
  static constexpr size_t kRowsOfGroup = 128 * 1024;
  static constexpr uint64_t kBytesOfGroup = 64u << 20;
  static constexpr int kZstdLevel = 3;

  using Facts = std::vector<std::pair<std::string, std::string>>;  // keys and values in the footer

  // The descriptor is the caller's, and stands at the start of an empty file.
  ParquetWriter(int fd, const ParquetColumns& columns, Facts facts);

  ColumnValues& column(size_t index) { return columns_[index]; }
  // Each column has a value, a null or a list more.
  void end_row() { end_rows(1); }
  void end_rows(size_t count);
  size_t rows_to_group_end() const { return kRowsOfGroup - rows_in_group_; }
  // What there is so far becomes a row group: for a file that waits for long.
  void end_group();
  base::Status finish();
  uint64_t rows() const { return footer_.rows; }

 private:
  void write(const void* bytes, size_t size);

  const int fd_;
  ParquetFooter footer_;
  std::vector<ColumnValues> columns_;
  uint64_t at_ = 0;
  size_t rows_in_group_ = 0;
  base::Status status_ = base::Done{};
};

}  // namespace jrec
