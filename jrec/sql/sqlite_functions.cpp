// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/sqlite_functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <string>

#include "jrec/values/text_units.h"
#include "jrec/values/time_text.h"
#include "jrec/view/quantiles.h"

namespace jrec {
namespace {

constexpr double kHalf = 50, kNearly0 = 1e-9;

// Of one group of rows.
struct Group {
  Quantiles* numbers = nullptr;  // from the first number on
  double percent = kHalf;
};

Group* group_of(sqlite3_context* context, bool made) {
  return static_cast<Group*>(sqlite3_aggregate_context(context, made ? sizeof(Group) : 0));
}

void step(sqlite3_context* context, int count, sqlite3_value** values) {
  const int type = sqlite3_value_numeric_type(values[0]);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return;
  Group* group = group_of(context, true);
  if (group == nullptr) return sqlite3_result_error_nomem(context);
  if (group->numbers == nullptr) group->numbers = new Quantiles;
  group->percent = count > 1 ? sqlite3_value_double(values[1]) : kHalf;
  if (group->percent < 0 || group->percent > 100)
    return sqlite3_result_error(context, "percentile() is from 0 to 100", -1);
  group->numbers->add(type == SQLITE_INTEGER ? static_cast<WideReal>(sqlite3_value_int64(values[0]))
                                             : static_cast<WideReal>(sqlite3_value_double(values[0])));
}

void finish(sqlite3_context* context) {
  Group* group = group_of(context, false);
  if (group == nullptr || group->numbers == nullptr) return sqlite3_result_null(context);
  const double share = std::clamp(group->percent / 100, kNearly0, 1 - kNearly0);
  sqlite3_result_double(context, static_cast<double>(group->numbers->at(share)));
  delete group->numbers;
}

void give(sqlite3_context* context, const std::string& text) {
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

// False: it has been said, or given as null.
bool takes_nanos(sqlite3_context* context, sqlite3_value** values) {
  const int type = sqlite3_value_numeric_type(values[0]);
  if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) return true;
  if (type == SQLITE_NULL)
    sqlite3_result_null(context);
  else
    sqlite3_result_error(context, "ts() and duration() take nanoseconds", -1);
  return false;
}

void ts(sqlite3_context* context, int, sqlite3_value** values) {
  if (!takes_nanos(context, values)) return;
  std::string text;
  append_time_ns(sqlite3_value_int64(values[0]), 0, text);
  give(context, text);
}

void duration(sqlite3_context* context, int, sqlite3_value** values) {
  if (!takes_nanos(context, values)) return;
  const int64_t ns = sqlite3_value_int64(values[0]);
  std::string text;
  append_span(floor_div(ns, kNanosPerSecond), static_cast<int32_t>(floor_mod(ns, kNanosPerSecond)), text);
  give(context, text);
}

}  // namespace

void add_functions(sqlite3* database) {
  constexpr int kPure = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
  sqlite3_create_function_v2(database, "median", 1, kPure, nullptr, nullptr, step, finish, nullptr);
  sqlite3_create_function_v2(database, "percentile", 2, kPure, nullptr, nullptr, step, finish, nullptr);
  sqlite3_create_function_v2(database, "ts", 1, kPure, nullptr, ts, nullptr, nullptr, nullptr);
  sqlite3_create_function_v2(database, "duration", 1, kPure, nullptr, duration, nullptr, nullptr, nullptr);
}

}  // namespace jrec
