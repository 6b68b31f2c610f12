// SPDX-License-Identifier: Apache-2.0
// FieldPath is where a path such as "sampledThread.javaName" leads in the types of one chunk: through structs and constants, and into boxes of
// one value (boxes.h) as if they were not there.
#pragma once

#include <string_view>
#include <vector>

#include "format/reader/metadata.h"

namespace jfr::read {

struct FieldPath {
  std::vector<int>
      steps;  // numbers of fields, each in the type that the one before leads to; empty: there is no such field
  const Field* last = nullptr;  // as declared

  static FieldPath of(const Metadata& metadata, const Type& type, std::string_view path);
};

}  // namespace jfr::read
