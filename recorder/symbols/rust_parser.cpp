// SPDX-License-Identifier: Apache-2.0
#include "recorder/symbols/rust_parser.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace rec {
namespace {

constexpr size_t kMostLetters = 256;  // of an identifier in punycode

bool is_decimal(char letter) { return letter >= '0' && letter <= '9'; }
bool is_lower(char letter) { return letter >= 'a' && letter <= 'z'; }
bool is_upper(char letter) { return letter >= 'A' && letter <= 'Z'; }

// 63 or less; more: no digit.
unsigned base62_digit(char letter) {
  if (is_decimal(letter)) return static_cast<unsigned>(letter - '0');
  if (is_lower(letter)) return static_cast<unsigned>(letter - 'a') + 10;
  return is_upper(letter) ? static_cast<unsigned>(letter - 'A') + 36 : 99;
}

void append_utf8(uint32_t letter, std::string& out) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | (letter >> shift & 0x3f)); };
  if (letter < 0x80) {
    out += static_cast<char>(letter);
  } else if (letter < 0x800) {
    out += static_cast<char>(0xc0 | letter >> 6), tail(0);
  } else if (letter < 0x10000) {
    out += static_cast<char>(0xe0 | letter >> 12), tail(6), tail(0);
  } else {
    out += static_cast<char>(0xf0 | letter >> 18), tail(12), tail(6), tail(0);
  }
}

// RFC 3492, section 6.1.
uint64_t adapted_bias(uint64_t delta, uint64_t letters, bool first) {
  delta = delta / (first ? 700 : 2);
  delta += delta / letters;
  uint64_t k = 0;
  for (; delta > 455; k += 36) delta /= 35;
  return k + 36 * delta / (delta + 38);
}

// RFC 3492, section 6.2, with "_" between the plain letters and the others. Nothing: it is no punycode.
std::optional<std::string> decoded(std::string_view text) {
  const size_t bar = text.rfind('_');
  std::vector<uint32_t> letters;
  if (bar != text.npos) letters.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(bar));
  uint64_t letter = 128, place = 0, bias = 72;
  for (size_t at = bar == text.npos ? 0 : bar + 1; at < text.size();) {
    const uint64_t before = place;
    uint64_t weight = 1;
    for (uint64_t k = 36;; k += 36) {
      if (at == text.size() || weight > UINT32_MAX) return {};
      const char each = text[at++];
      if (!is_decimal(each) && !is_lower(each)) return {};
      const uint64_t digit =
          is_decimal(each) ? static_cast<uint64_t>(each - '0') + 26 : static_cast<uint64_t>(each - 'a');
      const uint64_t least = k <= bias ? 1 : std::min<uint64_t>(k - bias, 26);
      place += digit * weight;
      if (digit < least) break;
      weight *= 36 - least;
    }
    const uint64_t count = letters.size() + 1;
    bias = adapted_bias(place - before, count, before == 0);
    letter += place / count;
    place %= count;
    if (letter > 0x10ffff || (letter >= 0xd800 && letter < 0xe000) || count > kMostLetters) return {};
    letters.insert(letters.begin() + static_cast<std::ptrdiff_t>(place++), static_cast<uint32_t>(letter));
  }
  std::string out;
  for (const uint32_t each : letters) append_utf8(each, out);
  return out;
}

}  // namespace

char RustParser::next() {
  if (failed_ || at_end() || ++steps_ > kMostSteps) return fail(), '\0';
  return text_[at_++];
}

uint64_t RustParser::decimal() {
  if (!is_decimal(peek())) return fail(), 0;
  if (eat('0')) return 0;
  uint64_t value = 0;
  while (is_decimal(peek()) && value <= text_.size()) value = value * 10 + static_cast<uint64_t>(text_[at_++] - '0');
  return value;
}

uint64_t RustParser::base62() {
  if (eat('_')) return 0;
  uint64_t value = 0;
  while (!eat('_')) {
    const unsigned digit = base62_digit(next());
    if (digit > 61 || value > (UINT64_MAX - 99) / 62) return fail(), 0;
    value = value * 62 + digit;
  }
  return value + 1;
}

uint64_t RustParser::tagged(char tag) { return eat(tag) ? base62() + 1 : 0; }

std::string_view RustParser::hexadecimal() {
  const size_t begin = at_;
  while (is_decimal(peek()) || (peek() >= 'a' && peek() <= 'f')) ++at_;
  const std::string_view digits = text_.substr(begin, at_ - begin);
  if (!eat('_')) return fail(), std::string_view();
  return digits;
}

std::string RustParser::identifier() {
  const bool is_punycode = eat('u');
  const uint64_t size = decimal();
  eat('_');
  if (failed_ || size > text_.size() - at_) return fail(), std::string();
  const std::string_view text = text_.substr(at_, size);
  at_ += size;
  if (!is_punycode) return std::string(text);
  return decoded(text).value_or("punycode{" + std::string(text) + '}');
}

size_t RustParser::reference() {
  const size_t letter_at = at_ - 1;
  const uint64_t to = base62();
  if (failed_ || to >= letter_at) return fail(), at_;
  return to;
}

}  // namespace rec
