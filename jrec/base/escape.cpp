// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/escape.h"

#include <array>
#include <cstdint>

#include "base/utf8.h"
#include "jrec/base/append_format.h"

namespace jrec {
namespace {

constexpr char kHex[] = "0123456789abcdef";
constexpr uint32_t kReplacement = 0xfffd;

void append_u(uint32_t code, std::string& out) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[code >> shift & 15];
}

// What stands behind the backslash for a character that JSON, or a terminal that shows it, cannot take as
// it is: 'u' for the long form, 'm' when the following bytes decide, 0 when it can.
constexpr std::array<char, 256> json_escapes() {
  std::array<char, 256> escapes{};
  for (int i = 0; i < 0x20; ++i) escapes[i] = 'u';
  escapes['\n'] = 'n';
  escapes['\r'] = 'r';
  escapes['\t'] = 't';
  escapes['\b'] = 'b';
  escapes['\f'] = 'f';
  escapes['"'] = '"';
  escapes['\\'] = '\\';
  escapes['<'] = 'u';
  escapes[0x7f] = 'u';
  for (int i = 0x80; i < 0x100; ++i) escapes[i] = 'm';
  return escapes;
}

// Decodes a 2 or 3 byte sequence at the front of valid UTF-8; 0 for anything else.
uint32_t short_sequence(std::string_view text) {
  const auto lead = static_cast<uint8_t>(text.front());
  const size_t length = (lead & 0xe0) == 0xc0 ? 2 : (lead & 0xf0) == 0xe0 ? 3 : 0;
  return length == 0 || text.size() < length ? 0 : base::utf8_point(text.substr(0, length));
}

// C1, separators of lines, and the marks, overrides and isolates that turn the direction of a text.
bool moves_the_cursor(uint32_t code) {
  return (code >= 0x80 && code < 0xa0) || code == 0x61c || (code >= 0x200e && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

// Of several bytes, or one that is no UTF-8. code: 0 if it can stand as it is.
struct Character {
  size_t bytes;
  uint32_t code;
};
Character character_at(std::string_view text) {
  const size_t length = base::utf8_length(text);
  if (length == 0) return {1, kReplacement};
  const uint32_t code = short_sequence(text);
  return {length, moves_the_cursor(code) ? code : 0};
}

const char* entity_of(uint32_t code) {
  switch (code) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&apos;";
    default: return nullptr;
  }
}

}  // namespace

void append_json(std::string_view text, std::string& out) {
  static constexpr std::array<char, 256> kEscapes = json_escapes();
  size_t clean = 0;
  for (size_t i = 0, bytes = 1; i < text.size(); i += bytes) {
    const char escape = kEscapes[static_cast<uint8_t>(text[i])];
    const Character character =
        escape == 'm' ? character_at(text.substr(i)) : Character{1, static_cast<uint8_t>(text[i])};
    bytes = character.bytes;
    if (escape == 0 || (escape == 'm' && character.code == 0)) continue;
    out.append(text, clean, i - clean);
    clean = i + bytes;
    if (escape == 'u' || escape == 'm')
      append_u(character.code, out);
    else
      out += {'\\', escape};
  }
  out.append(text, clean);
}

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  append_json(text, out);
  out += '"';
}

void append_plain(std::string_view text, std::string& out, std::string_view kept) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    if ((byte < 0x20 || byte == 0x7f) && kept.find(text[i]) == std::string_view::npos) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
      continue;
    }
    const uint32_t code = byte >= 0xc0 ? short_sequence(text.substr(i)) : 0;
    if (moves_the_cursor(code)) {
      append_u(code, out);
      i += code < 0x800 ? 1 : 2;
      continue;
    }
    out += text[i];
  }
}

std::string plain(std::string_view text) {
  std::string out;
  append_plain(text, out);
  return out;
}

void append_xml(std::string_view text, std::string& out) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    const uint32_t code = byte < 0x80 ? byte : byte >= 0xc0 ? short_sequence(text.substr(i)) : 0;
    if (const char* entity = entity_of(code); entity != nullptr) {
      out += entity;
    } else if (code == '\n' || code == '\t' || code == '\r' || code == 0x7f || moves_the_cursor(code)) {
      append_format(out, "&#x{:x};", code);
      i += code < 0x80 ? 0 : code < 0x800 ? 1 : 2;
    } else if (byte < 0x20 || code == 0xfffe || code == 0xffff) {
      out += "\xef\xbf\xbd";
      i += byte < 0x20 ? 0 : 2;
    } else {
      out += text[i];
    }
  }
}

void append_html(std::string_view text, std::string& out) {
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
}

}  // namespace jrec
