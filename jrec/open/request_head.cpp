// SPDX-License-Identifier: Apache-2.0
#include "jrec/open/request_head.h"

#include <algorithm>
#include <cctype>

namespace jrec {
namespace {

constexpr std::string_view kLineEnd = "\r\n", kHeadEnd = "\r\n\r\n";

// What stands before the separator, which is taken away with it; nothing where there is none.
std::optional<std::string_view> cut(std::string_view& rest, std::string_view separator) {
  const size_t at = rest.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view part = rest.substr(0, at);
  rest.remove_prefix(at + separator.size());
  return part;
}

bool same_word(std::string_view a, std::string_view lower) {
  return std::ranges::equal(a, lower, [](char x, char y) { return std::tolower(static_cast<unsigned char>(x)) == y; });
}

std::string_view without_blanks(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

size_t end_of_head(std::string_view bytes) {
  const size_t at = bytes.find(kHeadEnd);
  return at == std::string_view::npos ? at : at + kHeadEnd.size();
}

std::optional<RequestHead> parse_head(std::string_view bytes) {
  RequestHead head;
  auto line = cut(bytes, kLineEnd);
  if (!line) return std::nullopt;
  const auto method = cut(*line, " "), target = cut(*line, " ");
  if (!method || !target || !line->starts_with("HTTP/1.") || !target->starts_with('/')) return std::nullopt;
  head.method = *method;
  head.target = *target;
  bool has_host = false;
  while ((line = cut(bytes, kLineEnd)) && !line->empty()) {
    const auto name = cut(*line, ":");
    if (!name) return std::nullopt;
    if (!same_word(*name, "host")) continue;
    if (has_host) return std::nullopt;
    has_host = true;
    head.host = without_blanks(*line);
  }
  if (!line) return std::nullopt;
  return head;
}

}  // namespace jrec
