// SPDX-License-Identifier: Apache-2.0
#include "recover/name_check.h"

#include <utility>

#include "format/reader/values.h"

namespace rec {

using jfr::read::Field;

std::vector<base::Error> NameCheck::run(uint64_t metadata_at) {
  check_types(metadata_at);
  check_constants("jdk.types.StackTrace", "jdk.types.Method", "stacks have frames whose method is missing");
  check_constants("jdk.types.Method", "java.lang.Class", "methods lack their class");
  return std::move(found_);
}

void NameCheck::check_types(uint64_t metadata_at) {
  size_t bad = 0;
  const jfr::read::Type* first = nullptr;
  for (const jfr::read::Type& type : metadata_.types()) {
    bool good = type.decodable();
    for (const Field& field : type.fields) good = good && field.type != jfr::read::kNoType;
    if (good) continue;
    if (bad++ == 0) first = &type;
  }
  if (bad > 0)
    found_.push_back({base::ErrorCode::kCorrupt, metadata_at,
                      std::to_string(bad) + " types are declared by halves, the first is " + std::string(first->name)});
}

void NameCheck::check_constants(const char* holder, const char* wanted, const char* what) {
  const uint32_t index = metadata_.index_of(holder), other = metadata_.index_of(wanted);
  if (index == jfr::read::kNoType || other == jfr::read::kNoType) return;
  size_t bad = 0;
  uint64_t at = 0;
  for (const uint64_t key : pools_.keys(index)) {
    jfr::read::Cursor in = pools_.find(index, key);
    const uint64_t begins = in.at();
    if (names_all(in, metadata_.types()[index], other) && in.ok()) continue;
    if (bad++ == 0) at = begins;
  }
  if (bad > 0) found_.push_back({base::ErrorCode::kCorrupt, at, std::to_string(bad) + " " + what});
}

// Types that are decodable() do not hold themselves, and have an end.
bool NameCheck::names_all(jfr::read::Cursor& in, const jfr::read::Type& type, uint32_t wanted) {
  bool all = true;
  for (const Field& field : type.fields) {
    uint64_t count = field.array ? read_count(in, metadata_, field) : 1;
    for (; count > 0 && in.ok(); --count) all = names(in, field, wanted) && all;
  }
  return all;
}

bool NameCheck::names(jfr::read::Cursor& in, const Field& field, uint32_t wanted) {
  if (field.type == jfr::read::kNoType) return in.fail(), false;
  const jfr::read::Type& type = metadata_.types()[field.type];
  if (field.constant) {
    const uint64_t key = in.leb();
    return field.type != wanted || pools_.find(wanted, key).ok();
  }
  if (field.kind == jfr::read::Kind::kStruct && type.decodable()) return names_all(in, type, wanted);
  skip_value(in, metadata_, type);
  return true;
}

}  // namespace rec
