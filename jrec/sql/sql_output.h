// SPDX-License-Identifier: Apache-2.0
// SqlOutput prints the rows of a query: a table for people, or one of Markdown, CSV (RFC 4180), or an object of JSON a line.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/output.h"
#include "jrec/sql/sql_command.h"
#include "jrec/view/cell.h"

namespace jrec {

class SqlOutput {
 public:
  SqlOutput(SqlFormat format, Output& out) : format_(format), out_(out) {}

  void columns(const std::vector<std::string>& names);
  bool row(const std::vector<Cell>& row);  // false: nobody reads it
  void finish();
  void refused();  // the query failed: names of columns without a row are left out

 private:
  // Widths of columns are those of the first rows; the table need not be kept as a whole.
  static constexpr size_t kMeasured = 500;
  static constexpr size_t kNarrowestMarkdown = 3;  // so that there is a rule

  bool is_table() const { return format_ == SqlFormat::kTable || format_ == SqlFormat::kMarkdown; }
  std::string shown(const std::string& text) const;
  void add_names();
  void add_rule();
  void flush_table();
  void add_line(const std::vector<std::string>& texts);

  const SqlFormat format_;
  Output& out_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> waiting_;
  std::vector<size_t> widths_;
  std::vector<bool> numbers_;  // columns that stand at the right
  bool measured_ = false;
  bool names_due_ = false;  // of CSV
};

}  // namespace jrec
