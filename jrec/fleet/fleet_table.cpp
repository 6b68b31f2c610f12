// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_table.h"

#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "jrec/fleet/fleet_path.h"

namespace jrec {
namespace {

using base::Status;
using Native = SqlColumn::Native;
using Key = SqlColumn::Key;

ParquetType type_of(const SqlColumn& column) {
  const std::string_view type = column.type;
  if (column.key == Key::kRecording || type == "TEXT" || type == "HUGEINT") return ParquetType::kText;
  if (type == "REAL") return ParquetType::kReal;
  if (type == "UNSIGNED") return ParquetType::kUnsigned;
  switch (column.native) {
    case Native::kInt: return ParquetType::kInt;
    case Native::kFlag: return ParquetType::kFlag;
    case Native::kTime: return ParquetType::kTime;
    case Native::kStack:
    case Native::kLong: break;
  }
  return ParquetType::kLong;
}

ParquetColumns columns_of(const SqlTable& table) {
  ParquetColumns columns;
  for (const SqlColumn& column : table.columns())
    columns.push_back({free_column_name(column.name, columns), type_of(column), column.key != Key::kRecording});
  return columns;
}

std::string text_of(const Cell& cell) {
  if (cell.kind == Cell::Kind::kInteger) return fmt::format("{}", cell.integer);
  return cell.kind == Cell::Kind::kReal ? fmt::format("{}", cell.real) : cell.text;
}

// Recordings may differ in what a field is: the column is of a type that has all of its values.
void put_cell(const Cell& cell, ColumnValues& out) {
  switch (out.column().type) {
    case ParquetType::kText: return cell.null() ? out.add_null() : out.add_text(text_of(cell));
    case ParquetType::kReal: return cell.number() ? out.add_real(static_cast<double>(cell.as_real())) : out.add_null();
    case ParquetType::kUnsigned:
      return cell.kind == Cell::Kind::kInteger ? out.add(static_cast<int64_t>(static_cast<uint64_t>(cell.integer)))
                                               : out.add_null();
    case ParquetType::kTime:
      return cell.kind == Cell::Kind::kInteger ? out.add(micros_of(held_in_long(cell.integer))) : out.add_null();
    case ParquetType::kInt:
      if (cell.kind != Cell::Kind::kInteger || cell.integer != static_cast<int32_t>(cell.integer))
        return out.add_null();
      return out.add(held_in_long(cell.integer));
    default: break;
  }
  return cell.kind == Cell::Kind::kInteger ? out.add(held_in_long(cell.integer)) : out.add_null();
}

}  // namespace

FleetTable::FleetTable(SqlWorld& world, SqlTable& table, FleetPlace place)
    : world_(world),
      table_(table),
      place_(std::move(place)),
      columns_(columns_of(table)),
      files_(place_.append, place_.partition, table.name(), columns_) {
  for (size_t i = 0; i < table.columns().size(); ++i) {
    if (table.columns()[i].key == Key::kTime) time_ = static_cast<int>(i);
    if (table.columns()[i].key == Key::kRecording) recording_ = static_cast<int>(i);
    if (table.columns()[i].native == Native::kStack) stack_columns_.push_back(i);
  }
}

Status FleetTable::add(const SqlOneChunk& chunk, StacksUsed& stacks) {
  SqlWanted wanted;
  wanted.only = chunk;
  const auto rows = table_.scan(wanted);
  while (rows->next())
    if (const Status put = put_row(*rows, stacks); !put) return put;
  return base::Done{};
}

Status FleetTable::put_row(SqlRows& rows, StacksUsed& stacks) {
  if (time_ < 0 && !is_new(rows)) return base::Done{};
  const int64_t day = day_of_row(rows);
  const auto file = files_.of(day);
  if (!file) return file.error();
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (static_cast<int>(i) == recording_)
      (*file)->column(i).add_text(place_.append.id());
    else
      put_cell(rows.column(i), (*file)->column(i));
  }
  for (const size_t i : stack_columns_)
    if (const Cell stack = rows.column(i); !stack.null()) stacks.add(day, held_in_long(stack.integer), world_.stacks);
  (*file)->end_row();
  return base::Done{};
}

int64_t FleetTable::day_of_row(SqlRows& rows) const {
  if (time_ < 0) return place_.days.first();
  const Cell time = rows.column(static_cast<size_t>(time_));
  return time.kind == Cell::Kind::kInteger ? place_.days.of(held_in_long(time.integer)) : place_.days.first();
}

bool FleetTable::is_new(SqlRows& rows) {
  std::string all;
  for (size_t i = 0; i < columns_.size(); ++i) all += rows.column(i).identity() + '\0';
  return met_.insert(std::move(all)).second;
}

}  // namespace jrec
