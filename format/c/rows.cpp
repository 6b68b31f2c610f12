// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "format/c/calls.h"

namespace jfr::c {
namespace {

template <typename T, typename Read>
jrec_status put(const jrec_column& column, size_t row, Read read) {
  T value = 0;
  const jrec_status status = read(value);
  static_cast<T*>(column.values)[row] = status == JREC_OK ? value : T{0};
  if (column.present != nullptr) column.present[row] = status == JREC_OK;
  return status;
}

jrec_status put_value(const jrec_column& column, size_t row) {
  jrec_field& field = *column.field;
  switch (column.as) {
    case JREC_INTEGER: return put<int64_t>(column, row, [&](int64_t& value) { return field.integer(value); });
    case JREC_REAL: return put<double>(column, row, [&](double& value) { return field.real(value); });
    case JREC_TEXT: return put<uint32_t>(column, row, [&](uint32_t& value) { return field.name_number(value); });
    default: return put<uint32_t>(column, row, [&](uint32_t& value) { return field.stack_number(value); });
  }
}

bool of_the_type(const jrec_type& type, const jrec_column& column) {
  const bool known =
      column.as == JREC_INTEGER || column.as == JREC_REAL || column.as == JREC_TEXT || column.as == JREC_STACK;
  return known && column.field != nullptr && &column.field->type == &type && column.values != nullptr;
}

}  // namespace

jrec_status read_rows(jrec_type& type, const jrec_column* columns, size_t count, size_t room, size_t& rows) {
  jrec_file& file = type.file;
  for (size_t i = 0; i < count; ++i)
    if (!of_the_type(type, columns[i]))
      return file.fail(JREC_USAGE,
                       "column " + std::to_string(i) + " has no field of " + type.name + ", or no such kind");
  const OnlyType only(type);
  for (rows = 0; rows < room; ++rows) {
    if (const jrec_status status = file.next(); status != JREC_OK) return status;
    for (size_t i = 0; i < count; ++i)
      if (const jrec_status status = put_value(columns[i], rows); status == JREC_LIMIT) return status;
  }
  return JREC_OK;
}

}  // namespace jfr::c
