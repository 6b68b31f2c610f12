// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/table.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "jrec/base/append_format.h"
#include "jrec/base/colour.h"
#include "jrec/base/columns.h"
#include "jrec/base/escape.h"

namespace jrec {
namespace {

struct TableColumn {
  std::string caption;
  bool right = false;
  bool code = false;
  size_t width = 0;
  std::vector<std::string> cells;
};

bool at_right(const Cell& cell) {
  return cell.number() && cell.content != Content::kTime && cell.content != Content::kFlag;
}

TableColumn column_of(const Rows& rows, size_t index) {
  TableColumn column{.caption = plain(rows.columns[index].caption)};
  bool texts = false;
  column.width = text_width(column.caption);
  for (const auto& row : rows.rows) {
    const Cell& cell = row[index];
    column.cells.push_back(show(cell, rows.utc_offset_s));
    column.width = std::max(column.width, text_width(column.cells.back()));
    column.right |= at_right(cell);
    column.code |= cell.content == Content::kCode;
    texts |= cell.kind == Cell::Kind::kText;
  }
  column.right &= !texts;
  return column;
}

size_t total_width(const std::vector<TableColumn>& columns) {
  size_t total = columns.empty() ? 0 : columns.size() - 1;
  for (const TableColumn& column : columns) total += column.width;
  return total;
}

// Takes from the widest texts until the table fits; false when it cannot.
bool squeeze(std::vector<TableColumn>& columns, size_t width) {
  for (size_t total = total_width(columns); total > width;) {
    TableColumn* widest = nullptr;
    size_t second = kNarrowestText;
    for (TableColumn& column : columns) {
      if (column.right || column.width <= kNarrowestText) continue;
      if (widest == nullptr || column.width > widest->width) {
        if (widest != nullptr) second = std::max(second, widest->width);
        widest = &column;
      } else {
        second = std::max(second, column.width);
      }
    }
    if (widest == nullptr) return false;
    const size_t room = std::max<size_t>(widest->width - second, 1);
    const size_t taken = std::min(room, total - width);
    widest->width -= taken;
    total -= taken;
  }
  return true;
}

// How many columns at the right do not fit.
size_t fit(std::vector<TableColumn>& columns, size_t width) {
  const std::vector<TableColumn> wanted = columns;
  while (columns.size() > 1 && !squeeze(columns, width)) {
    const size_t fewer = columns.size() - 1;
    columns.assign(wanted.begin(), wanted.begin() + static_cast<ptrdiff_t>(fewer));
  }
  return wanted.size() - columns.size();
}

void append_padded(const std::string& text, const TableColumn& column, bool last, std::string& out) {
  const size_t used = text_width(text);
  const size_t padding = column.width > used ? column.width - used : 0;
  if (column.right) out.append(padding, ' ');
  out += text;
  if (!column.right && !last) out.append(padding, ' ');
}

template <typename Text>
void append_line(const std::vector<TableColumn>& columns, Text text, std::string& out) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i != 0) out += ' ';
    append_padded(text(columns[i]), columns[i], i + 1 == columns.size(), out);
  }
  out += '\n';
}

// GC ID -> gcId, Max. Duration -> maxDuration, stackTrace stays: capitals that follow a capital become small.
std::string json_name(std::string_view caption) {
  std::string name;
  bool first_letter = true, capital = false;
  for (const char c : caption) {
    const auto letter = static_cast<unsigned char>(c);
    if (letter < 0x80 && !std::isalnum(letter)) {
      first_letter = true;
      continue;
    }
    const bool small = name.empty() || (!first_letter && capital);
    name += static_cast<char>(small ? std::tolower(letter) : first_letter ? std::toupper(letter) : letter);
    capital = std::isupper(letter) != 0;
    first_letter = false;
  }
  return name.empty() ? "value" : name;
}

}  // namespace

std::string shortened(std::string text, size_t width, bool code, Truncate truncate) {
  if (text_width(text) <= width) return text;
  if (code && text.ends_with(')')) {
    const size_t open = text.rfind('(');
    if (open != std::string::npos) text = text.substr(0, open) + "(...)";
    if (text_width(text) <= width) return text;
  }
  if (width <= 3) return std::string(width, '.');
  const size_t kept = width - 3;
  const bool keep_end = truncate == Truncate::kBeginning || (truncate == Truncate::kByContent && code);
  return keep_end ? "..." + std::string(last_columns(text, kept)) : std::string(first_columns(text, kept)) + "...";
}

namespace {

void append_title(const View& view, const TableStyle& style, std::string& out) {
  const bool code = view.title.find(' ') == std::string::npos;  // an event type without a label
  out += shortened(plain(view.title), style.width, code, style.truncate) + "\n\n";
}

}  // namespace

void append_table(const View& view, const Rows& rows, const TableStyle& style, std::string& out) {
  std::vector<TableColumn> columns;
  for (size_t i = 0; i < rows.columns.size(); ++i) columns.push_back(column_of(rows, i));
  const size_t dropped = fit(columns, style.width);
  append_title(view, style, out);
  const auto text = [&](const TableColumn& column, const std::string& whole) {
    return shortened(whole, column.width, column.code, style.truncate);
  };
  std::string captions;
  append_line(
      columns, [&](const TableColumn& column) { return text(column, column.caption); }, captions);
  out += coloured(Colour::kBold, captions);
  append_line(
      columns, [](const TableColumn& column) { return std::string(column.width, '-'); }, out);
  for (size_t row = 0; row < rows.rows.size(); ++row)
    append_line(
        columns, [&](const TableColumn& column) { return text(column, column.cells[row]); }, out);
  if (rows.left_out != 0) append_format(out, "({} more rows: --rows)\n", rows.left_out);
  if (dropped != 0) append_format(out, "({} more columns: --width, --json)\n", dropped);
}

// A text of several lines, as of a system's /etc/os-release, in one.
Cell in_one_line(Cell cell) {
  for (char& c : cell.text)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  return cell;
}

void append_form(const View& view, const Rows& rows, const TableStyle& style, std::string& out) {
  append_title(view, style, out);
  std::vector<std::string> captions;
  for (const Column& column : rows.columns) captions.push_back(plain(column.caption));
  size_t widest = 0;
  for (const std::string& caption : captions) widest = std::max(widest, text_width(caption));
  for (const auto& row : rows.rows) {
    if (&row != &rows.rows.front()) out += '\n';
    for (size_t i = 0; i < row.size(); ++i) {
      out += captions[i] + ":";
      out.append(widest + 1 - text_width(captions[i]), ' ');
      const size_t left = style.width > widest + 2 ? style.width - widest - 2 : 0;
      out += shortened(show(in_one_line(row[i]), rows.utc_offset_s), std::max(left, kNarrowestText),
                       row[i].content == Content::kCode, style.truncate);
      out += '\n';
    }
  }
}

void append_json_rows(const Rows& rows, std::string& out) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const Column& column : rows.columns) {
    const std::string name = json_name(column.caption);
    std::string unique = name;
    for (int i = 2; !taken.insert(unique).second; ++i) unique = name + std::to_string(i);
    names.push_back(unique);
  }
  out += '[';
  const char* separator = "\n";
  for (const auto& row : rows.rows) {
    out += separator;
    separator = ",\n";
    for (size_t i = 0; i < row.size(); ++i) {
      out += i == 0 ? '{' : ',';
      append_json_string(names[i], out);
      out += ':';
      show_json(row[i], rows.utc_offset_s, out);
    }
    out += '}';
  }
  out += "\n]";
}

}  // namespace jrec
