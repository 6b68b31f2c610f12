// SPDX-License-Identifier: Apache-2.0
#include "jrec/parquet/parquet_facts.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "jrec/parquet/parquet_tail.h"
#include "jrec/parquet/thrift_value.h"

namespace jrec {
namespace {

using base::corrupt;
using base::Done;
using base::Result;
using base::Status;
using Shape = ParquetColumn::Shape;

// Names of SchemaElement, ColumnMetaData and Statistics in parquet.thrift. A number that is not there reads as 0, so types are told by
// their converted type first.
constexpr int kPhysical = 1, kRepetition = 3, kName = 4, kChildren = 5, kConverted = 6;
constexpr int kMapType = 1, kListType = 3, kConvertedTime = 10, kConvertedUnsigned64 = 14;
constexpr int kMayBeNull = 1, kMetaData = 3, kStatistics = 12, kLeast = 6, kMost = 5;

bool has_field(const ThriftValue& value, int id) { return std::ranges::find(value.ids, id) != value.ids.end(); }

std::optional<ParquetType> type_of(const ThriftValue& leaf) {
  const int64_t converted = has_field(leaf, kConverted) ? leaf.at(kConverted).number : -1;
  switch (leaf.at(kPhysical).number) {
    case 0: return ParquetType::kFlag;
    case 1: return ParquetType::kInt;
    case 2:
      return converted == kConvertedTime         ? ParquetType::kTime
             : converted == kConvertedUnsigned64 ? ParquetType::kUnsigned
                                                 : ParquetType::kLong;
    case 5: return ParquetType::kReal;
    case 6: return ParquetType::kText;
    default: return std::nullopt;
  }
}

// The elements of a schema stand one behind the other, a group in front of its children.
class SchemaReader {
 public:
  explicit SchemaReader(const ThriftValue& schema) : elements_(schema.items) {}

  Result<ParquetColumns> read() {
    if (elements_.empty()) return foreign();
    for (at_ = 1; at_ < elements_.size();) {
      const Status read = is_group(elements_[at_]) ? read_group() : read_leaf(Shape::kOne, "");
      if (!read) return read.error();
    }
    return std::move(columns_);
  }

 private:
  static base::Error foreign() { return corrupt(0, "has columns that jrec does not write"); }
  static bool is_group(const ThriftValue& element) { return has_field(element, kChildren); }

  Status read_leaf(Shape shape, const std::string& group) {
    if (at_ >= elements_.size() || is_group(elements_[at_])) return foreign();
    const ThriftValue& leaf = elements_[at_++];
    const auto type = type_of(leaf);
    if (!type) return foreign();
    columns_.push_back(
        {std::string(leaf.at(kName).text), *type, leaf.at(kRepetition).number == kMayBeNull, shape, group});
    return Done{};
  }

  Status read_group() {
    const ThriftValue& group = elements_[at_];
    const int64_t converted = group.at(kConverted).number;
    if (converted != kListType && converted != kMapType) return foreign();
    const bool is_list = converted == kListType;
    at_ += is_list ? 2 : 1;  // in a list, the element is a group of its own
    if (at_ >= elements_.size() || !is_group(elements_[at_])) return foreign();
    const int64_t fields = elements_[at_++].at(kChildren).number;
    for (int64_t i = 0; i < fields; ++i)
      if (const Status read = read_leaf(is_list ? Shape::kList : Shape::kMap, std::string(group.at(kName).text)); !read)
        return read;
    return Done{};
  }

  const std::vector<ThriftValue>& elements_;
  size_t at_ = 0;
  ParquetColumns columns_;
};

std::optional<int64_t> long_of(std::string_view bytes) {
  int64_t value = 0;
  if (bytes.size() != sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::optional<ParquetFacts::Times> times_of(const ThriftValue& footer, const ParquetColumns& columns) {
  const auto found = std::ranges::find(columns, ParquetType::kTime, &ParquetColumn::type);
  if (found == columns.end() || found->repeated()) return std::nullopt;
  ParquetFacts::Times times{found->name, INT64_MAX, INT64_MIN};
  const auto column = static_cast<size_t>(found - columns.begin());
  for (const ThriftValue& group : footer.at(4).items) {
    if (column >= group.at(1).items.size()) return std::nullopt;
    const ThriftValue& statistics = group.at(1).items[column].at(kMetaData).at(kStatistics);
    const auto least = long_of(statistics.at(kLeast).text), most = long_of(statistics.at(kMost).text);
    if (!least || !most) return std::nullopt;
    times.first = std::min(times.first, *least), times.last = std::max(times.last, *most);
  }
  if (times.first > times.last) return std::nullopt;
  return times;
}

}  // namespace

Result<ParquetFacts> ParquetFacts::of(std::span<const uint8_t> tail) {
  const auto footer = parquet_footer(tail);
  if (!footer) return footer.error();
  auto columns = SchemaReader(footer->at(2)).read();
  if (!columns) return columns.error();
  if (footer->at(3).number < 0) return corrupt(0, "has a number of rows that cannot be");
  ParquetFacts facts{std::move(*columns), static_cast<uint64_t>(footer->at(3).number), {}, {}};
  for (const ThriftValue& fact : footer->at(5).items) facts.said.emplace(fact.at(1).text, fact.at(2).text);
  facts.times = times_of(*footer, facts.columns);
  return facts;
}

}  // namespace jrec
