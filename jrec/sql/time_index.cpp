// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/time_index.h"

#include <algorithm>
#include <utility>

namespace jrec {
namespace {

constexpr size_t kScansBefore = 2;

// Rows in the order of time, with some of their columns.
class TimeIndex {
 public:
  TimeIndex(SqlTable& table, size_t time_column, uint64_t columns) : columns_(columns) {
    for (size_t i = 0; i < table.columns().size(); ++i) {
      places_.push_back(width_);
      if (SqlWanted::uses(columns, i)) ++width_;
    }
    whole_ = read(*table.scan({}), time_column);
    std::ranges::stable_sort(rows_, {}, &Row::time);
  }

  bool has(uint64_t columns) const { return whole_ && (columns & ~columns_) == 0; }
  const Cell& cell(size_t row, size_t column) const { return cells_[rows_[row].first_cell + places_[column]]; }
  size_t first_from(int64_t time) const { return place(std::ranges::lower_bound(rows_, time, {}, &Row::time)); }
  size_t end_of(int64_t time) const { return place(std::ranges::upper_bound(rows_, time, {}, &Row::time)); }

 private:
  struct Row {
    int64_t time = 0;
    size_t first_cell = 0;
  };

  // A row without a time is in no range. False: there are too many.
  bool read(SqlRows& from, size_t time_column) {
    while (from.next()) {
      const Cell time = from.column(time_column);
      if (time.kind != Cell::Kind::kInteger) continue;
      if (cells_.size() + width_ > kMostCells) return cells_.clear(), rows_.clear(), false;
      rows_.push_back({held_in_long(time.integer), cells_.size()});
      for (size_t i = 0; i < places_.size(); ++i)
        if (SqlWanted::uses(columns_, i)) cells_.push_back(from.column(i));
    }
    return true;
  }

  size_t place(std::vector<Row>::const_iterator at) const { return static_cast<size_t>(at - rows_.begin()); }

  const uint64_t columns_;
  size_t width_ = 0;            // cells of a row
  std::vector<size_t> places_;  // of a column among them
  std::vector<Row> rows_;
  std::vector<Cell> cells_;
  bool whole_ = false;
};

class IndexedRows final : public SqlRows {
 public:
  IndexedRows(const TimeIndex& index, const SqlWanted& wanted)
      : index_(index), at_(index.first_from(wanted.from_ns)), end_(index.end_of(wanted.to_ns)) {}

  bool next() override {
    if (at_ >= end_) return false;
    row_ = at_++;
    return true;
  }
  Cell column(size_t column) override { return index_.cell(row_, column); }

 private:
  const TimeIndex& index_;
  size_t at_, end_, row_ = 0;
};

class IndexedTable final : public SqlTable {
 public:
  IndexedTable(std::unique_ptr<SqlTable> table, size_t time_column)
      : SqlTable(table->name(), table->columns()), table_(std::move(table)), time_column_(time_column) {}

  std::unique_ptr<SqlRows> scan(const SqlWanted& wanted) override {
    const bool by_time = wanted.from_ns != INT64_MIN || wanted.to_ns != INT64_MAX;
    if (!by_time || scans_++ < kScansBefore) return table_->scan(wanted);
    if (!index_) index_ = std::make_unique<TimeIndex>(*table_, time_column_, wanted.columns);
    if (!index_->has(wanted.columns)) return table_->scan(wanted);
    return std::make_unique<IndexedRows>(*index_, wanted);
  }

 private:
  const std::unique_ptr<SqlTable> table_;
  const size_t time_column_;
  size_t scans_ = 0;  // by time
  std::unique_ptr<TimeIndex> index_;
};

}  // namespace

std::unique_ptr<SqlTable> with_time_index(std::unique_ptr<SqlTable> table) {
  const auto& columns = table->columns();
  const auto time = std::ranges::find(columns, SqlColumn::Key::kTime, &SqlColumn::key);
  if (time == columns.end()) return table;
  const auto place = static_cast<size_t>(time - columns.begin());
  return std::make_unique<IndexedTable>(std::move(table), place);
}

}  // namespace jrec
