// SPDX-License-Identifier: Apache-2.0
// What the numbers of a field are, as its annotations say: how they are shown, and what may be compared with them.
#pragma once

#include <cstdint>

#include "format/reader/metadata.h"
#include "jrec/values/whole.h"

namespace jrec {

enum class Content : uint8_t {
  kPlain,
  kFlag,
  kTime,  // nanoseconds since 1970
  kSpan,  // nanoseconds; INT64_MAX is forever
  kBytes,
  kBytesPerSecond,
  kBits,
  kBitsPerSecond,
  kShare,    // 0.05 is 5%
  kAddress,  // hexadecimal
  kHertz,
  kCode,  // text: a class, a method, a path: its end says more than its beginning
};

Content content_of(const jfr::read::Field& field);
// A number that is never below 0: declared so, or an address.
bool has_no_sign(const jfr::read::Field& field);
// Whether such numbers may be beyond a long.
bool may_exceed_long(const jfr::read::Field& field);
// What read_integer() has read, as it is meant. An address of 32 bits is widened with its sign first, as the JDK shows it: that of
// an int of -1 is 0xFFFFFFFFFFFFFFFF.
Whole meant_number(const jfr::read::Field& field, int64_t raw);

}  // namespace jrec
