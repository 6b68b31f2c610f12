// SPDX-License-Identifier: Apache-2.0
// What the constants that come with samples are called: threads, the class that an event is about, the state of a
// thread.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "format/reader/chunk.h"
#include "jrec/values/jvm_numbers.h"

namespace jrec {

struct SampleThread {
  // "[unknown]" when the recording has no constant for it; when that has no name "[virtual 7]" or "[tid=7]", by its id.
  std::string name;
  int64_t os_id = 0;
  int64_t java_id = 0;
  bool is_virtual = false;
  WriterProcess jvm;  // whose thread it is, where its chunk tells: others have threads of the same names and numbers

  int64_t id() const { return os_id != 0 ? os_id : java_id; }
  auto operator<=>(const SampleThread&) const = default;
};

// The thread behind a constant of that type.
SampleThread read_thread(jfr::read::Chunk& chunk, uint32_t type, uint64_t key);

// The field "name" of a constant of that type; empty when there is none.
std::string constant_name(jfr::read::Chunk& chunk, uint32_t type, uint64_t key);

// As people write it: byte[], java.lang.String; without package if simple; [unknown] when there is no such constant.
std::string class_name(jfr::read::Chunk& chunk, uint32_t type, uint64_t key, bool simple);

}  // namespace jrec
