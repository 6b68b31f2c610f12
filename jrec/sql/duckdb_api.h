// SPDX-License-Identifier: Apache-2.0
// What jrec calls of DuckDB's C interface (duckdb.org/docs/api/c), found in its library at run time: nothing is linked,
// and who does not ask for DuckDB does not need it.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace jrec {

using DuckHandle = void*;  // of a database, a connection, an appender

// duckdb_result; its members are DuckDB's own.
struct DuckResult {
  uint64_t counts[3];
  void *columns, *error, *data;
};

// duckdb_type, those that have a number in C
enum DuckType : int {
  kDuckInvalid = 0,
  kDuckBoolean = 1,
  kDuckUBigint = 9,
  kDuckFloat = 10,
  kDuckDouble = 11,
  kDuckHugeint = 16,
  kDuckVarchar = 17,
  kDuckDecimal = 19
};

struct DuckApi {
  // kUsage, with what to do, when there is no such library or it is not DuckDB's.
  static base::Result<DuckApi> load(const std::string& library);

  // 0: it went well
  int (*open)(const char* path, DuckHandle* database);
  void (*close)(DuckHandle* database);
  int (*connect)(DuckHandle database, DuckHandle* connection);
  void (*disconnect)(DuckHandle* connection);
  int (*query)(DuckHandle connection, const char* sql, DuckResult* result);
  void (*destroy_result)(DuckResult* result);
  const char* (*result_error)(DuckResult* result);
  uint64_t (*column_count)(DuckResult* result);
  const char* (*column_name)(DuckResult* result, uint64_t column);
  int (*column_type)(DuckResult* result, uint64_t column);
  uint64_t (*row_count)(DuckResult* result);
  bool (*value_is_null)(DuckResult* result, uint64_t column, uint64_t row);
  int64_t (*value_int64)(DuckResult* result, uint64_t column, uint64_t row);
  double (*value_double)(DuckResult* result, uint64_t column, uint64_t row);
  char* (*value_varchar)(DuckResult* result, uint64_t column, uint64_t row);  // to be freed
  void (*free)(void* memory);
  int (*appender_create)(DuckHandle connection, const char* schema, const char* table, DuckHandle* appender);
  const char* (*appender_error)(DuckHandle appender);
  int (*appender_end_row)(DuckHandle appender);
  int (*appender_destroy)(DuckHandle* appender);
  int (*append_int64)(DuckHandle appender, int64_t value);
  int (*append_uint64)(DuckHandle appender, uint64_t value);
  int (*append_double)(DuckHandle appender, double value);
  int (*append_varchar)(DuckHandle appender, const char* text, uint64_t size);
  int (*append_null)(DuckHandle appender);
};

}  // namespace jrec
