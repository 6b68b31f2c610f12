// SPDX-License-Identifier: Apache-2.0
#include "jrec/parquet/parquet_writer.h"

#include <utility>

#include "base/file_io.h"
#include "jrec/parquet/column_chunk.h"

namespace jrec {
namespace {

constexpr std::string_view kMagic = "PAR1";

}  // namespace

ParquetWriter::ParquetWriter(int fd, const ParquetColumns& columns, Facts facts) : fd_(fd) {
  footer_.columns = columns;
  footer_.facts = std::move(facts);
  for (const ParquetColumn& column : columns) columns_.emplace_back(column);
  write(kMagic.data(), kMagic.size());
}

void ParquetWriter::end_rows(size_t count) {
  footer_.rows += count;
  rows_in_group_ += count;
  if (rows_in_group_ >= kRowsOfGroup) return end_group();
  uint64_t bytes = 0;
  for (const ColumnValues& column : columns_) bytes += column.bytes();
  if (bytes >= kBytesOfGroup) end_group();
}

void ParquetWriter::end_group() {
  if (rows_in_group_ == 0) return;
  ParquetGroup group;
  group.rows = std::exchange(rows_in_group_, 0);
  for (ColumnValues& values : columns_) {
    base::Result<ColumnChunk> chunk = make_column_chunk(values, kZstdLevel);
    values.clear();
    if (!chunk) {
      if (status_.ok()) status_ = chunk.error();
      continue;
    }
    group.begins.push_back(at_);
    group.sizes.push_back(chunk->bytes.size());
    write(chunk->bytes.data(), chunk->bytes.size());
    chunk->bytes = {};
    group.chunks.push_back(std::move(*chunk));
  }
  footer_.groups.push_back(std::move(group));
}

void ParquetWriter::write(const void* bytes, size_t size) {
  if (!status_.ok()) return;
  if (!base::write_all(fd_, bytes, size)) status_ = base::system_error("cannot write");
  at_ += size;
}

base::Status ParquetWriter::finish() {
  end_group();
  if (!status_.ok()) return status_;
  const std::vector<uint8_t> footer = footer_.bytes();
  const auto size = static_cast<uint32_t>(footer.size());
  write(footer.data(), footer.size());
  write(&size, sizeof size);  // little-endian, as this machine is
  write(kMagic.data(), kMagic.size());
  return status_;
}

}  // namespace jrec
