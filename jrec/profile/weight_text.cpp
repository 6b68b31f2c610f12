// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/weight_text.h"

#include "jrec/values/text_units.h"
#include "jrec/values/time_text.h"

namespace jrec {

std::string weight_text(uint64_t weight, std::string_view unit) {
  std::string text;
  if (unit == "bytes")
    append_bytes(weight, false, text);
  else if (unit == "ns")
    append_span(static_cast<int64_t>(weight / kNanosPerSecond), static_cast<int32_t>(weight % kNanosPerSecond), text);
  else
    text = std::to_string(weight);
  return text;
}

}  // namespace jrec
