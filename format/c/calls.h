// SPDX-License-Identifier: Apache-2.0
// What the calls of jrec.h are made of: a guard that lets no exception out, and rows.
#pragma once

#include "format/c/handles.h"

namespace jfr::c {

// The status of `body()`; when it throws, there was no memory.
template <typename Body>
jrec_status guarded(jrec_file* file, Body body) noexcept {
  try {
    return body();
  } catch (...) {  // std::bad_alloc, or a length that no container has: nothing else is thrown
    if (file != nullptr) file->out_of_memory = true;
    return JREC_MEMORY;
  }
}

// As long as it lives, the file's events are of that type alone.
class OnlyType {
 public:
  explicit OnlyType(jrec_type& type) : file_(type.file) { file_.only = &type; }
  ~OnlyType() { file_.only = nullptr; }
  OnlyType(const OnlyType&) = delete;
  OnlyType& operator=(const OnlyType&) = delete;

 private:
  jrec_file& file_;
};

jrec_status read_rows(jrec_type& type, const jrec_column* columns, size_t count, size_t room, size_t& rows);

}  // namespace jfr::c
