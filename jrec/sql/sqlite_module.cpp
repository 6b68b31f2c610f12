// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/sqlite_module.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdlib>

namespace jrec {
namespace {

using Key = SqlColumn::Key;

// idxStr of a scan: the columns that are used, in hexadecimal, a colon, and for each argument what it is.
constexpr char kRecordingIs = 'r', kStackIs = 's', kEventIs = 'e', kFrom = 'f', kTo = 't';

struct VirtualTable : sqlite3_vtab {
  SqlTable* table = nullptr;
};

struct VirtualScan : sqlite3_vtab_cursor {
  std::unique_ptr<SqlRows> rows;
  bool at_end = true;
  int64_t row = 0;
};

std::string quoted_name(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::string declaration(const SqlTable& table) {
  std::string sql = "CREATE TABLE x(";
  for (const SqlColumn& column : table.columns())
    sql += (sql.back() == '(' ? "" : ", ") + quoted_name(column.name) + " " + column.type;
  return sql + ")";
}

int vtab_connect(sqlite3* database, void* table, int, const char* const*, sqlite3_vtab** out, char**) {
  const int declared = sqlite3_declare_vtab(database, declaration(*static_cast<SqlTable*>(table)).c_str());
  if (declared != SQLITE_OK) return declared;
  auto* made = new VirtualTable;
  made->table = static_cast<SqlTable*>(table);
  *out = made;
  return SQLITE_OK;
}

int vtab_disconnect(sqlite3_vtab* table) {
  delete static_cast<VirtualTable*>(table);
  return SQLITE_OK;
}

// 0: it does not help.
char argument_of(Key key, unsigned char op) {
  const bool equal = op == SQLITE_INDEX_CONSTRAINT_EQ;
  switch (key) {
    case Key::kRecording: return equal ? kRecordingIs : '\0';
    case Key::kStack: return equal ? kStackIs : '\0';
    case Key::kEvent: return equal ? kEventIs : '\0';
    case Key::kTime:
      if (op == SQLITE_INDEX_CONSTRAINT_GT || op == SQLITE_INDEX_CONSTRAINT_GE) return kFrom;
      return op == SQLITE_INDEX_CONSTRAINT_LT || op == SQLITE_INDEX_CONSTRAINT_LE ? kTo : '\0';
    case Key::kNone: break;
  }
  return '\0';
}

double rows_left(char argument) {
  switch (argument) {
    case kStackIs: return 1e-5;
    case kRecordingIs: return 0.05;
    default: return 0.3;
  }
}

int vtab_best_index(sqlite3_vtab* table, sqlite3_index_info* info) {
  const std::vector<SqlColumn>& columns = static_cast<VirtualTable*>(table)->table->columns();
  std::string arguments;
  double rows = 1e6;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (constraint.usable == 0 || constraint.iColumn < 0) continue;
    const char argument = argument_of(columns[static_cast<size_t>(constraint.iColumn)].key, constraint.op);
    if (argument == '\0') continue;
    arguments += argument;
    info->aConstraintUsage[i].argvIndex = static_cast<int>(arguments.size());
    rows *= rows_left(argument);
  }
  info->idxStr = sqlite3_mprintf("%llx:%s", static_cast<unsigned long long>(info->colUsed), arguments.c_str());
  info->needToFreeIdxStr = 1;
  info->estimatedCost = rows;
  info->estimatedRows = std::max<sqlite3_int64>(1, static_cast<sqlite3_int64>(rows));
  return info->idxStr == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int vtab_open(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  *out = new VirtualScan;
  return SQLITE_OK;
}

int vtab_close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<VirtualScan*>(cursor);
  return SQLITE_OK;
}

int vtab_next(sqlite3_vtab_cursor* cursor) {
  auto& scan = *static_cast<VirtualScan*>(cursor);
  scan.at_end = !scan.rows->next();
  ++scan.row;
  return SQLITE_OK;
}

// A number that is compared with a whole one: half a nanosecond does not matter.
int64_t integer_of(sqlite3_value* value) { return sqlite3_value_int64(value); }

SqlWanted wanted_of(const char* plan, sqlite3_value** values) {
  SqlWanted wanted;
  char* arguments = nullptr;
  wanted.columns = std::strtoull(plan, &arguments, 16);
  ++arguments;  // behind the colon
  for (size_t i = 0; arguments[i] != '\0'; ++i) {
    const bool number = sqlite3_value_numeric_type(values[i]) == SQLITE_INTEGER;
    switch (arguments[i]) {
      case kRecordingIs:
        if (number) wanted.recording = integer_of(values[i]);
        break;
      case kStackIs: wanted.stack = integer_of(values[i]); break;
      case kEventIs:
        if (const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(values[i]))) wanted.event = text;
        break;
      case kFrom:
        if (number) wanted.from_ns = std::max(wanted.from_ns, integer_of(values[i]));
        break;
      case kTo:
        if (number) wanted.to_ns = std::min(wanted.to_ns, integer_of(values[i]));
        break;
      default: break;
    }
  }
  return wanted;
}

int vtab_filter(sqlite3_vtab_cursor* cursor, int, const char* plan, int, sqlite3_value** values) {
  auto& scan = *static_cast<VirtualScan*>(cursor);
  scan.rows = static_cast<VirtualTable*>(cursor->pVtab)->table->scan(wanted_of(plan, values));
  scan.row = 0;
  return vtab_next(cursor);
}

int vtab_at_end(sqlite3_vtab_cursor* cursor) { return static_cast<VirtualScan*>(cursor)->at_end ? 1 : 0; }

// SQLite's integers end with a long. What is beyond, of unsigned longs, is its digits as a text, which is larger than
// any number to SQLite and loses none of them.
void give_whole(sqlite3_context* context, Whole number) {
  if (number == held_in_long(number)) return sqlite3_result_int64(context, held_in_long(number));
  const std::string digits = fmt::format("{}", number);
  sqlite3_result_text64(context, digits.data(), digits.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

int vtab_column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int index) {
  const Cell cell = static_cast<VirtualScan*>(cursor)->rows->column(static_cast<size_t>(index));
  switch (cell.kind) {
    case Cell::Kind::kNull: sqlite3_result_null(context); break;
    case Cell::Kind::kInteger: give_whole(context, cell.integer); break;
    case Cell::Kind::kReal: sqlite3_result_double(context, cell.real); break;
    case Cell::Kind::kText:
      sqlite3_result_text64(context, cell.text.data(), cell.text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
      break;
  }
  return SQLITE_OK;
}

int vtab_row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* out) {
  *out = static_cast<VirtualScan*>(cursor)->row;
  return SQLITE_OK;
}

const sqlite3_module& the_module() {
  static const sqlite3_module module = [] {
    sqlite3_module made{};
    made.xCreate = made.xConnect = vtab_connect;  // there is nothing to make or to drop
    made.xBestIndex = vtab_best_index;
    made.xDestroy = made.xDisconnect = vtab_disconnect;
    made.xOpen = vtab_open;
    made.xClose = vtab_close;
    made.xFilter = vtab_filter;
    made.xNext = vtab_next;
    made.xEof = vtab_at_end;
    made.xColumn = vtab_column;
    made.xRowid = vtab_row_id;
    return made;
  }();
  return module;
}

}  // namespace

bool add_module(sqlite3* database, SqlTable& table) {
  return sqlite3_create_module_v2(database, table.name().c_str(), &the_module(), &table, nullptr) == SQLITE_OK;
}

}  // namespace jrec
