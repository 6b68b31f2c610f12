// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/append_format.h"

#include <fmt/format.h>

#include <iterator>

namespace jrec {

void append_formatted(std::string& out, fmt::string_view format, fmt::format_args values) {
  fmt::vformat_to(std::back_inserter(out), format, values);
}

std::string joined(std::span<const std::string> words, std::string_view between) {
  std::string all;
  for (const std::string& word : words) {
    if (&word != &words.front()) all += between;
    all += word;
  }
  return all;
}

}  // namespace jrec
