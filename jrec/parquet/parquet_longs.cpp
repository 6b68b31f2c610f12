// SPDX-License-Identifier: Apache-2.0
#include "jrec/parquet/parquet_longs.h"

#include <zstd.h>

#include "format/reader/mapped_file.h"
#include "jrec/parquet/column_chunk.h"
#include "jrec/parquet/parquet_tail.h"
#include "jrec/parquet/parquet_writer.h"

namespace jrec {
namespace {

using base::corrupt;
using base::Result;
using base::Status;
using Longs = std::vector<int64_t>;

constexpr size_t kMostLongs = size_t{1} << 24;  // of a file

// One page of longs, as ParquetWriter writes a unique column.
Status append_page(std::span<const uint8_t> file, const ThriftValue& column, Longs& out) {
  constexpr int kLong = 2;
  const ThriftValue& meta = column.at(3);
  const auto begin = static_cast<uint64_t>(meta.at(9).number);
  size_t at = begin;
  const auto head = ThriftValue::read(file, at);
  if (!head || meta.at(1).number != kLong || meta.at(4).number != kParquetZstd || meta.at(11).number != 0 ||
      head->at(5).at(2).number != static_cast<int64_t>(ParquetEncoding::kPlain))
    return corrupt(begin, "has stacks that jrec did not write, and nothing can be added to them");
  const auto count = static_cast<uint64_t>(head->at(5).at(1).number);
  const auto packed = static_cast<uint64_t>(head->at(3).number);
  if (count > ParquetWriter::kRowsOfGroup || packed > file.size() - at || out.size() > kMostLongs)
    return corrupt(begin, "has a damaged page");
  const size_t before = out.size();
  out.resize(before + count);
  const size_t size = count * sizeof out[0];
  if (ZSTD_decompress(out.data() + before, size, file.data() + at, packed) != size)
    return corrupt(begin, "has a damaged page");
  return base::Done{};
}

}  // namespace

Result<Longs> read_first_longs(const std::string& path) {
  const auto file = jfr::read::MappedFile::open(path);
  if (!file) return file.error();
  const auto footer = parquet_footer(file->bytes());
  if (!footer) return footer.error();
  Longs longs;
  for (const ThriftValue& group : footer->at(4).items) {
    if (group.at(1).items.empty()) return corrupt(0, "has a row group without columns");
    if (const Status read = append_page(file->bytes(), group.at(1).items[0], longs); !read) return read.error();
  }
  return longs;
}

}  // namespace jrec
