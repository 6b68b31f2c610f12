// SPDX-License-Identifier: Apache-2.0
// The keys of methods, as columns that say no more than is new.
//
//   key of a method      in HotSpot, of all JDKs, and in what we record it is class << 16 | number in the class:
//                        zigzag of the difference to that, with the number that the lexicon's method has, or 0
//                        What we record of native code counts up over all classes of libraries: where the last method
//                        of the class has another key, the difference is to the one behind the last such key, if
//                        `counted`, which version 5 may have
//   method of a frame    which of the chunk's methods: 0 and the key if it is none, else 1 + zigzag of the distance to
//                        the one behind the last
//
// Whoever writes otherwise keeps the keys as they are.
#pragma once

#include "format/archive/known_names.h"
#include "format/archive/name_columns.h"
#include "format/archive/stream.h"

namespace jfr::archive {

struct MethodKeyStreams {
  explicit MethodKeyStreams(Streams& streams) : coded(streams.add_numbers()) {}
  uint32_t coded;  // one value if something is: 1 keys, 2 methods of frames, 3 both
};

// frames: the stream with the methods of new frames (StackModel). names: null if the chunk has none.
void code_method_keys(Streams& streams, const MethodKeyStreams& own, const NameColumns& columns, uint32_t frames,
                      const KnownNames* names, bool counted);

// Back, in streams that are to be read; names learn of them. False: these columns were not made by code_method_keys().
bool restore_method_keys(Streams& streams, const MethodKeyStreams& own, const NameColumns& columns, uint32_t frames,
                         KnownNames* names, bool counted);

}  // namespace jfr::archive
