// SPDX-License-Identifier: Apache-2.0
// What a context's slot refers to (recorder/spool/context_event.h), as text: the span's name, and the attributes of the request.
// Recorder thread, and recovery: whatever is in the facts, they are read within their bounds.
#pragma once

#include <string>
#include <string_view>

#include "recorder/spool/context_event.h"
#include "recorder/spool/fact_reader.h"

namespace rec {

struct ContextTexts {
  std::string_view name;   // empty: it has none
  std::string attributes;  // as attributes_text() has them; likewise
};
ContextTexts context_texts(const FactReader& facts, Ref<EncodedFact> of);

// The refs in front of the attributes; false: the fact is a name alone.
bool context_refs(EncodedFact& fact, ContextRefs& refs);

// "http.route=/cart,tenant.id=7": in the order of the keys, the last value of each, a backslash in front of backslashes, commas and
// equals signs. attributes: | index | length | value | ...; keys: | length | name | ... Attributes of indexes without a name are left
// out, and a last one that is cut.
std::string attributes_text(std::string_view attributes, std::string_view keys);

}  // namespace rec
