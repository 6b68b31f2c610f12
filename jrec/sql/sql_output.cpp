// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/sql_output.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "jrec/base/columns.h"
#include "jrec/base/escape.h"

namespace jrec {
namespace {

std::string cell_text(const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::kNull: return "";
    case Cell::Kind::kInteger: return fmt::format("{}", cell.integer);
    case Cell::Kind::kReal: return fmt::format("{}", cell.real);
    case Cell::Kind::kText: break;
  }
  return plain(cell.text);
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

void append_json_row(const std::vector<std::string>& names, const std::vector<Cell>& row, std::string& out) {
  out += '{';
  for (size_t i = 0; i < row.size(); ++i) {
    if (i != 0) out += ", ";
    append_json_string(names[i], out);
    out += ": ";
    const bool endless = row[i].kind == Cell::Kind::kReal && !std::isfinite(row[i].real);
    if (row[i].null() || endless)
      out += "null";
    else if (row[i].kind == Cell::Kind::kText)
      append_json_string(row[i].text, out);
    else
      out += cell_text(row[i]);
  }
  out += "}\n";
}

// An object has each of its names once: n, n_2.
std::vector<std::string> each_once(const std::vector<std::string>& names) {
  std::set<std::string> taken(names.begin(), names.end()), met;
  std::vector<std::string> unique;
  for (const std::string& name : names) {
    std::string own = name;
    for (int i = 2; (own != name && taken.contains(own)) || !met.insert(own).second; ++i)
      own = fmt::format("{}_{}", name, i);
    unique.push_back(own);
  }
  return unique;
}

}  // namespace

void SqlOutput::columns(const std::vector<std::string>& names) {
  finish();  // of the statement before
  names_ = format_ == SqlFormat::kJson ? each_once(names) : names;
  measured_ = false;
  numbers_.assign(names.size(), true);
  widths_.clear();
  const size_t least = format_ == SqlFormat::kMarkdown ? kNarrowestMarkdown : 0;
  for (const std::string& name : names) widths_.push_back(std::max(text_width(shown(plain(name))), least));
  names_due_ = format_ == SqlFormat::kCsv;
}

void SqlOutput::add_names() {
  if (!std::exchange(names_due_, false)) return;
  for (size_t i = 0; i < names_.size(); ++i) out_.add((i == 0 ? "" : ",") + csv_text(plain(names_[i])));
  out_.add("\n");
}

bool SqlOutput::row(const std::vector<Cell>& row) {
  if (format_ == SqlFormat::kJson) {
    append_json_row(names_, row, out_.text());
    out_.flush_if_large();
    return out_.ok();
  }
  std::vector<std::string> texts;
  for (size_t i = 0; i < row.size(); ++i) {
    texts.push_back(shown(cell_text(row[i])));
    if (!measured_ && row[i].kind == Cell::Kind::kText) numbers_[i] = false;
  }
  if (format_ == SqlFormat::kCsv) {
    add_names();
    for (size_t i = 0; i < texts.size(); ++i) out_.add((i == 0 ? "" : ",") + csv_text(texts[i]));
    out_.add("\n");
  } else if (measured_) {
    add_line(texts);
  } else {
    for (size_t i = 0; i < texts.size(); ++i) widths_[i] = std::max(widths_[i], text_width(texts[i]));
    waiting_.push_back(std::move(texts));
    if (waiting_.size() == kMeasured) flush_table();
  }
  return out_.ok();
}

void SqlOutput::refused() {
  if (!waiting_.empty()) finish();
}

void SqlOutput::finish() {
  add_names();
  if (is_table() && !names_.empty() && !measured_) flush_table();
}

void SqlOutput::flush_table() {
  std::vector<std::string> names;
  for (const std::string& name : names_) names.push_back(shown(plain(name)));
  add_line(names);
  add_rule();
  measured_ = true;
  for (const auto& texts : waiting_) add_line(texts);
  waiting_.clear();
}

// A bar would end the cell of a Markdown table, and what stands there is no HTML.
std::string SqlOutput::shown(const std::string& text) const {
  if (format_ != SqlFormat::kMarkdown || text.find_first_of("|<") == std::string::npos) return text;
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : c == '<' ? "&lt;" : std::string(1, c);
  return out;
}

// Under the names; in Markdown a colon says that a column stands at the right.
void SqlOutput::add_rule() {
  std::vector<std::string> rules;
  for (size_t i = 0; i < widths_.size(); ++i) {
    rules.emplace_back(widths_[i], '-');
    if (format_ == SqlFormat::kMarkdown && numbers_[i]) rules.back().back() = ':';
  }
  add_line(rules);
}

void SqlOutput::add_line(const std::vector<std::string>& texts) {
  const bool markdown = format_ == SqlFormat::kMarkdown;
  std::string line = markdown ? "| " : "";
  for (size_t i = 0; i < texts.size(); ++i) {
    const size_t width = text_width(texts[i]);
    const std::string room(widths_[i] > width ? widths_[i] - width : 0, ' ');
    if (i != 0) line += markdown ? " | " : "  ";
    line += numbers_[i] ? room + texts[i] : texts[i] + room;
  }
  if (markdown)
    line += " |";
  else
    line.erase(line.find_last_not_of(' ') + 1);
  out_.add(line + "\n");
}

}  // namespace jrec
