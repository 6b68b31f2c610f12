// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/duckdb_api.h"

#include <dlfcn.h>

#include <cstdlib>

#include "jrec/base/loaded_function.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;

#ifdef REC_STATIC_JREC
constexpr bool kIsStatic = true;
#else
constexpr bool kIsStatic = false;
#endif

// The one that was named, or that the environment names, or that the loader knows.
std::string library_name(const std::string& said) {
  const char* in_environment = std::getenv("DUCKDB_LIBRARY");
  if (!said.empty()) return said;
  return in_environment != nullptr && *in_environment != '\0' ? in_environment : "libduckdb.so";
}

// Python's module of DuckDB has the same interface, and needs Python's own library: _duckdb.cpython-311-...so that of 3.11.
std::string python_library(const std::string& name) {
  static constexpr std::string_view kPython = ".cpython-3";
  const size_t at = name.find(kPython);
  if (at == std::string::npos) return {};
  const size_t begin = at + kPython.size(), end = name.find('-', begin);
  return "libpython3." + name.substr(begin, end - begin) + ".so.1.0";
}

void* open_library(const std::string& name) {
  if (void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  const std::string python = python_library(name);
  if (python.empty() || ::dlopen(python.c_str(), RTLD_LAZY | RTLD_GLOBAL) == nullptr) return nullptr;
  return ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
}

// kUsage: what is missing, and where it may be had.
Error no_library(const std::string& name) {
  const char* why = ::dlerror();
  const std::string python = python_library(name);
  return {ErrorCode::kUsage, 0,
          "DuckDB's library cannot be loaded (" + (why != nullptr ? std::string(why) : name) + "): " +
              (python.empty() ? "get libduckdb-linux-amd64.zip from duckdb.org, or pip's duckdb, and say where "
                                "libduckdb.so or _duckdb.cpython-*.so is with --duckdb or $DUCKDB_LIBRARY"
                              : "Python's module of it needs " + python + " as well")};
}

Error no_libraries() {
  return {
      ErrorCode::kUsage, 0,
      "this jrec is one static file, which loads no libraries: SQLite's engine is in it; for DuckDB's build jrec where "
      "it runs (docs/releases.md)"};
}

}  // namespace

base::Result<DuckApi> DuckApi::load(const std::string& said) {
  if (kIsStatic) return no_libraries();
  const std::string name = library_name(said);
  void* library = open_library(name);
  if (library == nullptr) return no_library(name);
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
