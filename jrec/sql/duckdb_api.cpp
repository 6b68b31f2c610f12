// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/duckdb_api.h"

#include <dlfcn.h>

#include <cstdlib>

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;

template <typename Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

// The one that was named, or that the environment names, or that the loader knows.
std::string library_name(const std::string& said) {
  const char* in_environment = std::getenv("DUCKDB_LIBRARY");
  if (!said.empty()) return said;
  return in_environment != nullptr && *in_environment != '\0' ? in_environment : "libduckdb.so";
}

}  // namespace

base::Result<DuckApi> DuckApi::load(const std::string& said) {
  const std::string name = library_name(said);
  void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return Error{ErrorCode::kUsage, 0,
                 "DuckDB's library is not there (" + name +
                     "): get libduckdb-linux-amd64.zip from duckdb.org, and say where libduckdb.so is with --duckdb or "
                     "$DUCKDB_LIBRARY"};
  DuckApi api;
  const bool whole = find_function(library, "duckdb_open", api.open) &&
                     find_function(library, "duckdb_close", api.close) &&
                     find_function(library, "duckdb_connect", api.connect) &&
                     find_function(library, "duckdb_disconnect", api.disconnect) &&
                     find_function(library, "duckdb_query", api.query) &&
                     find_function(library, "duckdb_destroy_result", api.destroy_result) &&
                     find_function(library, "duckdb_result_error", api.result_error) &&
                     find_function(library, "duckdb_column_count", api.column_count) &&
                     find_function(library, "duckdb_column_name", api.column_name) &&
                     find_function(library, "duckdb_column_type", api.column_type) &&
                     find_function(library, "duckdb_row_count", api.row_count) &&
                     find_function(library, "duckdb_value_is_null", api.value_is_null) &&
                     find_function(library, "duckdb_value_int64", api.value_int64) &&
                     find_function(library, "duckdb_value_double", api.value_double) &&
                     find_function(library, "duckdb_value_varchar", api.value_varchar) &&
                     find_function(library, "duckdb_free", api.free) &&
                     find_function(library, "duckdb_appender_create", api.appender_create) &&
                     find_function(library, "duckdb_appender_error", api.appender_error) &&
                     find_function(library, "duckdb_appender_end_row", api.appender_end_row) &&
                     find_function(library, "duckdb_appender_destroy", api.appender_destroy) &&
                     find_function(library, "duckdb_append_int64", api.append_int64) &&
                     find_function(library, "duckdb_append_uint64", api.append_uint64) &&
                     find_function(library, "duckdb_append_double", api.append_double) &&
                     find_function(library, "duckdb_append_varchar_length", api.append_varchar) &&
                     find_function(library, "duckdb_append_null", api.append_null);
  if (!whole) return Error{ErrorCode::kUsage, 0, name + " is not the library of a DuckDB that jrec knows"};
  return api;
}

}  // namespace jrec
