// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: whatever is typed as --where, --from, -I or --events, parsing must neither crash nor hang, and what
// it makes must stay in proportion.   fuzz_expression -max_len=2048 CORPUS
//
// The first byte chooses what the rest is.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "jrec/select/expression.h"
#include "jrec/select/filter.h"
#include "jrec/select/time_range.h"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

// An error says why. What was parsed names no more fields than there are characters.
void expression(const std::string& text) {
  const auto parsed = jrec::Expression::parse(text);
  if (!parsed)
    must(!parsed.error().what.empty());
  else
    must(parsed.value().what_never_holds().size() <= text.size());
}

void moment(const std::string& text) {
  jrec::FilterOptions options;
  options.from = text;
  (void)jrec::Filter::compile(options);
}

void names(const std::string& text) {
  jrec::FilterOptions options;
  options.events = text;
  options.threads = text;
  (void)jrec::Filter::compile(options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0:
    case 1: expression(text); break;
    case 2: moment(text); break;
    default: names(text); break;
  }
  return 0;
}
