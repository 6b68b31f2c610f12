// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_names.h"

#include "format/reader/value_name.h"
#include "format/reader/values.h"
#include "jrec/profile/plain_field.h"
#include "jrec/values/java_names.h"

namespace jrec {
using jfr::read::Cursor;
using jfr::read::Field;
using jfr::read::Type;

SampleThread read_thread(jfr::read::Chunk& chunk, uint32_t type_index, uint64_t key) {
  SampleThread thread;
  const Type& type = chunk.metadata().types()[type_index];
  Cursor in = chunk.constants().find(type_index, key);
  if (!in.ok() || !type.decodable()) {
    thread.name = "[unknown]";
    thread.java_id = static_cast<int64_t>(key);
    return thread;
  }
  std::string os_name;
  for (const Field& field : type.fields) {
    if (!in.ok()) break;
    if (field.name == "osName")
      chunk.append_text(in, field, os_name);
    else if (field.name == "javaName")
      chunk.append_text(in, field, thread.name);
    else if (field.name == "osThreadId" && is_plain_integer(field))
      thread.os_id = read_integer(in, field.kind);
    else if (field.name == "javaThreadId" && is_plain_integer(field))
      thread.java_id = read_integer(in, field.kind);
    else if (field.name == "virtual" && is_plain_integer(field))
      thread.is_virtual = read_integer(in, field.kind) != 0;
    else
      skip_field(in, chunk.metadata(), field);
  }
  if (thread.name.empty()) thread.name = std::move(os_name);
  if (thread.name.empty())
    thread.name = jfr::read::name_by_id(thread.id() != 0 ? thread.id() : static_cast<int64_t>(key), thread.is_virtual);
  return thread;
}

std::string constant_name(jfr::read::Chunk& chunk, uint32_t type, uint64_t key) {
  std::string name;
  const Type& declared = chunk.metadata().types()[type];
  Cursor in = chunk.constants().find(type, key);
  if (!declared.decodable()) return name;
  for (const Field& field : declared.fields) {
    if (!in.ok()) break;
    if (field.name == "name") {
      chunk.append_text(in, field, name);
      break;
    }
    skip_field(in, chunk.metadata(), field);
  }
  return name;
}

std::string class_name(jfr::read::Chunk& chunk, uint32_t type, uint64_t key, bool simple) {
  std::string name;
  append_class_name(constant_name(chunk, type, key), name);
  if (simple) name.erase(0, name.rfind('.') + 1);
  return name.empty() ? "[unknown]" : name;
}

}  // namespace jrec
