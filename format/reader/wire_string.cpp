// SPDX-License-Identifier: Apache-2.0
#include "format/reader/wire_string.h"

#include <algorithm>
#include <cstring>

#include "base/utf8.h"

namespace jfr::read {
namespace {

constexpr uint32_t kReplacement = 0xfffd;

template <typename Chars>
void append_code_point(uint32_t code, Chars& out) {
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    out.push_back(static_cast<char>(0xc0 | code >> 6));
    out.push_back(static_cast<char>(0x80 | (code & 0x3f)));
  } else if (code < 0x10000) {
    out.push_back(static_cast<char>(0xe0 | code >> 12));
    out.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3f)));
    out.push_back(static_cast<char>(0x80 | (code & 0x3f)));
  } else {
    out.push_back(static_cast<char>(0xf0 | code >> 18));
    out.push_back(static_cast<char>(0x80 | (code >> 12 & 0x3f)));
    out.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3f)));
    out.push_back(static_cast<char>(0x80 | (code & 0x3f)));
  }
}

// How many bytes at the front are below 0x80, whatever is behind them.
size_t ascii_length(std::span<const uint8_t> bytes) {
  size_t length = 0;
  for (uint64_t word; length + 8 <= bytes.size(); length += 8) {
    std::memcpy(&word, bytes.data() + length, 8);
    if ((word & 0x8080808080808080) != 0) break;
  }
  while (length < bytes.size() && bytes[length] < 0x80) ++length;
  return length;
}

template <typename Chars>
void append_utf8(std::span<const uint8_t> bytes, Chars& out) {
  while (!bytes.empty()) {
    if (const size_t plain = ascii_length(bytes); plain != 0) {
      out.insert(out.end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(plain));
      bytes = bytes.subspan(plain);
      continue;
    }
    if (const size_t length = base::utf8_length(bytes); length != 0) {
      out.insert(out.end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(length));
      bytes = bytes.subspan(length);
      continue;
    }
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    const base::Surrogates modified = base::surrogates_at({text, bytes.size()});
    append_code_point(modified.bytes != 0 ? modified.point : kReplacement, out);
    bytes = bytes.subspan(std::max<size_t>(modified.bytes, 1));
  }
}

template <typename Chars>
void append_chars(const WireString& string, Chars& out) {
  Cursor in(string.payload, 0);
  uint32_t high = 0;  // a high surrogate that waits for its low one
  for (uint64_t i = 0; i < string.chars; ++i) {
    const auto unit = static_cast<uint32_t>(in.leb() & 0xffff);
    const bool low = (unit & 0xfc00) == 0xdc00;
    if (high != 0) {
      append_code_point(low ? 0x10000 + ((high & 0x3ff) << 10) + (unit & 0x3ff) : kReplacement, out);
      high = 0;
      if (low) continue;
    }
    if ((unit & 0xfc00) == 0xd800)
      high = unit;
    else
      append_code_point(low ? kReplacement : unit, out);
  }
  if (high != 0) append_code_point(kReplacement, out);
}

}  // namespace

WireString read_wire_string(Cursor& in) {
  WireString string;
  const uint8_t form = in.u8();
  string.form = static_cast<StringForm>(form);
  switch (string.form) {
    case StringForm::kNull:
    case StringForm::kEmpty: break;
    case StringForm::kConstant: string.key = in.leb(); break;
    case StringForm::kUtf8:
    case StringForm::kLatin1: string.payload = in.bytes(in.leb()); break;
    case StringForm::kChars: {
      string.chars = in.leb();
      if (string.chars > in.remaining()) in.fail();
      Cursor body = in;
      if (!in.ok()) break;
      in.skip_lebs(string.chars);
      const uint64_t length = in.ok() ? in.at() - body.at() : 0;
      string.payload = body.bytes(length);
      if (!in.ok()) string.chars = 0;
      break;
    }
    default: in.fail(); string.form = StringForm::kNull;
  }
  if (!in.ok()) return WireString{};
  return string;
}

void skip_wire_string(Cursor& in) { read_wire_string(in); }

template <typename Chars>
void append_text(const WireString& string, Chars& out) {
  switch (string.form) {
    case StringForm::kUtf8: append_utf8(string.payload, out); break;
    case StringForm::kLatin1:
      if (ascii_length(string.payload) == string.payload.size())
        out.insert(out.end(), string.payload.begin(), string.payload.end());
      else
        for (const uint8_t byte : string.payload) append_code_point(byte, out);
      break;
    case StringForm::kChars: append_chars(string, out); break;
    default: break;
  }
}

template void append_text(const WireString&, std::string&);
template void append_text(const WireString&, std::vector<char>&);

}  // namespace jfr::read
