// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/kind_of_name.h"

#include <cstddef>

namespace jrec {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
// What is not ASCII belongs to words, too.
bool is_of_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

std::string_view word_at_start(std::string_view text) {
  size_t size = 0;
  while (size < text.size() && is_of_word(text[size])) ++size;
  return text.substr(0, size);
}

bool is_all_hex(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

bool is_hex_number(std::string_view word) {
  constexpr size_t kFewDigits = 4, kNoWord = 8;
  if (word.starts_with("0x") || word.starts_with("0X")) return is_all_hex(word.substr(2));
  if (word.size() < kFewDigits || !is_all_hex(word)) return false;
  return word.size() >= kNoWord || word.find_first_of("0123456789") != std::string_view::npos;
}

// Of a UUID at the start of the text; 0: there is none.
size_t uuid_size(std::string_view text) {
  constexpr size_t kParts[] = {8, 4, 4, 4, 12};
  size_t size = 0;
  for (const size_t part : kParts) {
    if (size != 0 && (size >= text.size() || text[size++] != '-')) return 0;
    const std::string_view word = word_at_start(text.substr(size));
    if (word.size() != part || !is_all_hex(word)) return 0;
    size += part;
  }
  return size;
}

void append_word(std::string_view word, std::string& kind) {
  if (is_hex_number(word)) return kind.push_back('#');
  bool in_number = false;
  for (const char c : word) {
    if (!is_digit(c))
      kind += c;
    else if (!in_number)
      kind += '#';
    in_number = is_digit(c);
  }
}

}  // namespace

std::string kind_of_name(std::string_view name) {
  std::string kind;
  while (!name.empty()) {
    const size_t uuid = uuid_size(name);
    const std::string_view word = word_at_start(name);
    if (uuid != 0)
      kind += '#';
    else if (!word.empty())
      append_word(word, kind);
    else
      kind += name[0];
    name.remove_prefix(uuid != 0 ? uuid : word.empty() ? 1 : word.size());
  }
  return kind;
}

}  // namespace jrec
