// SPDX-License-Identifier: Apache-2.0
#include "jrec/parquet/parquet_footer.h"

#include <numeric>

#include "jrec/parquet/thrift_writer.h"

namespace jrec {
namespace {

using Shape = ParquetColumn::Shape;
constexpr auto kInt32 = ThriftType::kInt32, kInt64 = ThriftType::kInt64;

// Numbers of parquet.thrift: Repetition, ConvertedType, the fields of LogicalType.
enum Repetition : uint8_t { kRequired, kOptional, kRepeated };
constexpr int kNotConverted = -1, kUtf8 = 0, kConvertedMap = 1, kMapKeyValue = 2, kConvertedList = 3,
              kTimestampMicros = 10, kConvertedUnsigned = 14;
constexpr int kLogicalText = 1, kLogicalMap = 2, kLogicalList = 3, kLogicalTime = 8, kLogicalInteger = 10;

int physical_type(ParquetType type) {
  switch (type) {
    case ParquetType::kFlag: return 0;
    case ParquetType::kInt: return 1;
    case ParquetType::kReal: return 5;
    case ParquetType::kText: return 6;
    default: return 2;
  }
}

class FooterMaker {
 public:
  explicit FooterMaker(const ParquetFooter& footer) : footer_(footer) {}

  std::vector<uint8_t> make() {
    out_.number(1, kInt32, 2);  // the version of the format
    put_schema();
    out_.number(3, kInt64, static_cast<int64_t>(footer_.rows));
    out_.list(4, ThriftType::kStruct, footer_.groups.size());
    for (const ParquetGroup& group : footer_.groups) put_group(group);
    out_.list(5, ThriftType::kStruct, footer_.facts.size());
    for (const auto& [key, value] : footer_.facts) {
      out_.begin_item();
      out_.text(1, key);
      out_.text(2, value);
      out_.end();
    }
    out_.text(6, "rec version " JREC_VERSION " (build 0)");  // readers look here for writers whose statistics are wrong
    put_orders();
    out_.end();
    return out_.bytes();
  }

 private:
  bool begins_group(size_t column) const {
    const ParquetColumns& all = footer_.columns;
    return all[column].repeated() && (column == 0 || all[column - 1].group != all[column].group);
  }
  int fields_of_group(size_t column) const {
    int count = 0;
    for (const ParquetColumn& other : footer_.columns) count += other.group == footer_.columns[column].group;
    return count;
  }

  void put_schema() {
    size_t elements = 1;
    int top = 0;
    for (size_t i = 0; i < footer_.columns.size(); ++i) {
      const bool begins = begins_group(i);
      elements += 1 + (begins ? (footer_.columns[i].shape == Shape::kList ? 3 : 2) : 0);
      top += !footer_.columns[i].repeated() || begins;
    }
    out_.list(2, ThriftType::kStruct, elements);
    put_inner("schema", -1, top, kNotConverted, 0);
    for (size_t i = 0; i < footer_.columns.size(); ++i) {
      if (begins_group(i)) put_group_heads(footer_.columns[i], fields_of_group(i));
      put_leaf(footer_.columns[i]);
    }
  }

  void put_group_heads(const ParquetColumn& column, int fields) {
    if (column.shape == Shape::kList) {
      put_inner(column.group, kRequired, 1, kConvertedList, kLogicalList);
      put_inner("list", kRepeated, 1, kNotConverted, 0);
      put_inner("element", kRequired, fields, kNotConverted, 0);
    } else {
      put_inner(column.group, kRequired, 1, kConvertedMap, kLogicalMap);
      put_inner("key_value", kRepeated, fields, kMapKeyValue, 0);
    }
  }

  void put_inner(const std::string& name, int repetition, int children, int converted, int logical) {
    out_.begin_item();
    if (repetition >= 0) out_.number(3, kInt32, repetition);
    out_.text(4, name);
    out_.number(5, kInt32, children);
    if (converted >= 0) out_.number(6, kInt32, converted);
    if (logical > 0) put_empty_logical(logical);
    out_.end();
  }

  void put_empty_logical(int kind) {
    out_.begin(10);
    out_.begin(kind);
    out_.end();
    out_.end();
  }

  void put_leaf(const ParquetColumn& column) {
    out_.begin_item();
    out_.number(1, kInt32, physical_type(column.type));
    out_.number(3, kInt32, column.nullable ? kOptional : kRequired);
    out_.text(4, column.name);
    if (column.type == ParquetType::kText) {
      out_.number(6, kInt32, kUtf8);
      put_empty_logical(kLogicalText);
    } else if (column.type == ParquetType::kTime) {
      put_time();
    } else if (column.type == ParquetType::kUnsigned) {
      put_unsigned();
    }
    out_.end();
  }

  void put_time() {
    out_.number(6, kInt32, kTimestampMicros);
    out_.begin(10);
    out_.begin(kLogicalTime);
    out_.flag(1, true);  // UTC
    out_.begin(2);
    out_.begin(2);  // MICROS
    for (int i = 0; i < 4; ++i) out_.end();
  }

  void put_unsigned() {
    out_.number(6, kInt32, kConvertedUnsigned);
    out_.begin(10);
    out_.begin(kLogicalInteger);
    out_.number(1, ThriftType::kByte, 64);
    out_.flag(2, false);
    out_.end();
    out_.end();
  }

  void put_group(const ParquetGroup& group) {
    out_.begin_item();
    out_.list(1, ThriftType::kStruct, group.chunks.size());
    uint64_t unpacked = 0;
    for (size_t i = 0; i < group.chunks.size(); ++i) {
      put_chunk(footer_.columns[i], group.chunks[i], group.begins[i], group.sizes[i]);
      unpacked += group.chunks[i].unpacked_bytes;
    }
    out_.number(2, kInt64, static_cast<int64_t>(unpacked));
    out_.number(3, kInt64, static_cast<int64_t>(group.rows));
    out_.number(5, kInt64, static_cast<int64_t>(group.begins.front()));
    out_.number(6, kInt64, std::accumulate(group.sizes.begin(), group.sizes.end(), int64_t{0}));
    out_.end();
  }

  void put_chunk(const ParquetColumn& column, const ColumnChunk& chunk, uint64_t begin, uint64_t size) {
    out_.begin_item();
    out_.number(2, kInt64, static_cast<int64_t>(begin));
    out_.begin(3);
    out_.number(1, kInt32, physical_type(column.type));
    out_.list(2, kInt32, 3);  // a dictionary is PLAIN by itself, levels are RLE
    for (const auto encoding : {ParquetEncoding::kPlain, ParquetEncoding::kRle, chunk.encoding})
      out_.item(static_cast<int64_t>(encoding));
    const std::vector<std::string> path = column.path();
    out_.list(3, ThriftType::kText, path.size());
    for (const std::string& name : path) out_.item(std::string_view(name));
    out_.number(4, kInt32, kParquetZstd);
    out_.number(5, kInt64, static_cast<int64_t>(chunk.values));
    out_.number(6, kInt64, static_cast<int64_t>(chunk.unpacked_bytes));
    out_.number(7, kInt64, static_cast<int64_t>(size));
    out_.number(9, kInt64, static_cast<int64_t>(begin + chunk.dictionary_bytes));
    if (chunk.dictionary_bytes != 0) out_.number(11, kInt64, static_cast<int64_t>(begin));
    out_.begin(12);
    out_.number(3, kInt64, static_cast<int64_t>(chunk.nulls));
    if (!chunk.most.empty()) {
      out_.text(5, chunk.most);
      out_.text(6, chunk.least);
    }
    out_.end();
    out_.end();
    out_.end();
  }

  // Statistics are in the order of the columns' types.
  void put_orders() {
    out_.list(7, ThriftType::kStruct, footer_.columns.size());
    for (size_t i = 0; i < footer_.columns.size(); ++i) {
      out_.begin_item();
      out_.begin(1);
      out_.end();
      out_.end();
    }
  }

  const ParquetFooter& footer_;
  ThriftWriter out_;
};

}  // namespace

std::vector<uint8_t> ParquetFooter::bytes() const { return FooterMaker(*this).make(); }

}  // namespace jrec
