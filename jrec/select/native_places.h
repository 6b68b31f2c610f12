// SPDX-License-Identifier: Apache-2.0
// NativePlaces is where the native functions of a chunk lie: which build of which library, and at which addresses of its file. As the chunk's
// events tell: rec.NativeModule of a class, rec.NativeFunction of a method. Other recordings have neither, and none of these.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "format/reader/chunk.h"

namespace jrec {

// Of one build: its code, by the addresses that are in the file: [start, limit) of them begins at file_offset. Zeros: not told.
struct LibraryBuild {
  std::string path, build_id;  // build_id: hexadecimal; empty: it has none
  uint64_t start = 0, limit = 0, file_offset = 0;
};

struct NativePlace {
  LibraryBuild library;
  std::vector<uint64_t> addresses;
};

// By key of the method, ascending. Of libraries without a build id too.
std::map<uint64_t, NativePlace> native_places(jfr::read::Chunk& chunk);

// A cursor at that field of the value which begins at `value`.
jfr::read::Cursor at_field(jfr::read::Cursor value, const jfr::read::Metadata& metadata, const jfr::read::Type& type,
                           int index);

}  // namespace jrec
