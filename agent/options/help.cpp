// SPDX-License-Identifier: Apache-2.0
#include "agent/options/help.h"

#include <algorithm>
#include <string_view>

#include "agent/options/option_table.h"
#include "base/units.h"

namespace rec::agent {
namespace {

constexpr int kNarrowest = 40;
constexpr size_t kIndent = 6;

std::string_view placeholder(const OptionRow& row) {
  switch (row.kind) {
    case OptionKind::kText: return "TEXT";
    case OptionKind::kSize: return "SIZE";
    case OptionKind::kDuration: return "TIME";
    case OptionKind::kTimes: return "TIME:TIME...";
    case OptionKind::kCount: return "N";
    case OptionKind::kChoice: return row.choices;
    case OptionKind::kWord: return "";
  }
  return "";
}

bool is_time(const OptionRow& row) { return row.kind == OptionKind::kDuration || row.kind == OptionKind::kTimes; }

std::string limit_text(const OptionRow& row, int64_t number) {
  if (row.kind == OptionKind::kSize) return base::size_text(number);
  return is_time(row) ? base::duration_text(number) : std::to_string(number);
}

// Only limits that one may meet: "smallest 50us", "1 to 8192".
std::string limits(const OptionRow& row) {
  if (row.smallest == 0) return "";
  if (is_time(row) || row.largest == INT64_MAX) return "smallest " + limit_text(row, row.smallest);
  return limit_text(row, row.smallest) + " to " + limit_text(row, row.largest);
}

// Words of text, wrapped at width, each line indented.
void wrap(std::string& out, std::string_view text, size_t width, size_t indent) {
  size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (column != 0 && column + 1 + word.size() > width) {
      out += '\n';
      column = 0;
    }
    out += column == 0 ? std::string(indent, ' ') : " ";
    column += (column == 0 ? indent : 1) + word.size();
    out += word;
  }
  out += '\n';
}

std::string head(const OptionRow& row) {
  std::string out(row.key);
  if (row.kind != OptionKind::kWord) out += (row.may_stand_alone ? "[=" : "=") + std::string(placeholder(row));
  if (row.may_stand_alone) out += "]";
  if (!row.synonym.empty()) out += "   (also " + std::string(row.synonym) + ")";
  if (const std::string text = default_of(row); !text.empty()) out += "   [" + text + "]";
  return out;
}

std::string cell(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string code(std::string_view text) { return text.empty() ? "" : "`" + cell(text) + "`"; }

std::string markdown_row(const OptionRow& row) {
  const bool word = row.kind == OptionKind::kWord;
  std::string key = code(std::string(row.key) + (word ? "" : "=" + std::string(placeholder(row))));
  if (row.may_stand_alone) key += " or " + code(row.key);
  if (!row.synonym.empty()) key += "<br>also " + code(row.synonym);
  const std::string bounds = limits(row);
  return "| " + key + " | " + code(default_of(row)) + " | " + cell(row.what) +
         (bounds.empty() ? "" : " Limits: " + bounds + ".") + " |\n";
}

}  // namespace

std::string options_help(int width) {
  const size_t columns = static_cast<size_t>(std::max(width, kNarrowest));
  std::string out = "rec, a flight recorder for the JVM\n\n";
  wrap(out, "java -agentpath:/path/to/librec.so=filename=app.jfr,interval=10ms ...", columns, 2);
  out += '\n';
  wrap(out, "Options are separated by commas; a comma in a value is written \\, or the value put in quotes.", columns,
       0);
  wrap(out, "TIME is a number with ns, us, ms, s, m, h or d; SIZE a number of bytes, or with k, m or g.", columns, 0);
  for (const OptionRow& row : option_table()) {
    out += '\n';
    wrap(out, head(row), columns, 2);
    const std::string bounds = limits(row);
    wrap(out, std::string(row.what) + (bounds.empty() ? "" : " Limits: " + bounds + "."), columns, kIndent);
  }
  return out;
}

std::string options_markdown() {
  std::string out =
      "# Options of the agent\n\n"
      "```\n"
      "java -agentpath:/path/to/librec.so=key=value,key=value,... -jar app.jar\n"
      "```\n\n"
      "This page is made from the table that the agent parses by (`agent/options/option_table.cpp`); a test compares "
      "them.\n\n"
      "| option | default | meaning |\n"
      "|---|---|---|\n";
  for (const OptionRow& row : option_table()) out += markdown_row(row);
  out +=
      "\n"
      "* **TIME**: a whole number with `ns`, `us`, `ms`, `s`, `m`, `h` or `d`; a space between them is allowed.\n"
      "* **SIZE**: a whole number of bytes, or one with `k`, `m` or `g` (powers of 1024) in either case.\n"
      "* **Commas**: `\\,` inside a value, or the value in single or double quotes. A value may hold `=`.\n"
      "* **A key given twice**: the last one counts, but for `event`, of which all are recorded. A key and its synonym "
      "are the same key.\n"
      "* **A key that does not exist, or a value that cannot be**: one line on stderr that names the nearest, and the "
      "application\n"
      "  runs unrecorded; with `onerror=exit` anywhere among the options, the JVM ends instead.\n"
      "* **`%n{MAX}`** looks at the files that are there when the recording starts: `app-%n{3}.jfr` takes `app-1.jfr`, "
      "then 2, 3,\n"
      "  and 1 again. The rest of the name has to stay the same for that, so do not put `%p` or `%t` beside it.\n";
  return out;
}

}  // namespace rec::agent
