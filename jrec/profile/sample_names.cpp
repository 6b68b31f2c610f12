// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_names.h"

#include "format/reader/values.h"
#include "jrec/values/java_names.h"

namespace jrec {

std::string constant_name(jfr::read::Chunk& chunk, uint32_t type, uint64_t key) {
  std::string name;
  const jfr::read::Type& declared = chunk.metadata().types()[type];
  jfr::read::Cursor in = chunk.constants().find(type, key);
  if (!declared.decodable()) return name;
  for (const jfr::read::Field& field : declared.fields) {
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
