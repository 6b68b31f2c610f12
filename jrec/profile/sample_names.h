// SPDX-License-Identifier: Apache-2.0
// What constants that come with samples are called: the state of a thread, the class that an event is about.
#pragma once

#include <cstdint>
#include <string>

#include "format/reader/chunk.h"

namespace jrec {

// The field "name" of a constant of that type; empty when there is none.
std::string constant_name(jfr::read::Chunk& chunk, uint32_t type, uint64_t key);

// As people write it: byte[], java.lang.String; without package if simple; [unknown] when there is no such constant.
std::string class_name(jfr::read::Chunk& chunk, uint32_t type, uint64_t key, bool simple);

}  // namespace jrec
