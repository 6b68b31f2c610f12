// SPDX-License-Identifier: Apache-2.0
#include "jrec/flame/page_data.h"

#include <zlib.h>

#include <cstdint>

namespace jrec {
namespace {

constexpr int kLevel = 3;  // 6 takes three times as long, and a tenth less room
constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void append_base64(std::string_view bytes, std::string& out) {
  const auto byte = [&](size_t i) { return i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : 0u; };
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const uint32_t three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    out += kDigits[three >> 18];
    out += kDigits[three >> 12 & 63];
    out += i + 1 < bytes.size() ? kDigits[three >> 6 & 63] : '=';
    out += i + 2 < bytes.size() ? kDigits[three & 63] : '=';
  }
}

std::string compressed(std::string_view text) {
  uLongf size = compressBound(text.size());
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size(),
            kLevel);  // cannot fail: there is room, and the level exists
  out.resize(size);
  return out;
}

}  // namespace

void append_page_data(std::string_view json, std::string& out) {
  const bool plain = json.size() <= kPlainBytes;
  out += plain ? "<script type=\"application/json\" id=\"data\">" : "<script type=\"application/zlib\" id=\"data\">";
  if (plain)
    out += json;
  else
    append_base64(compressed(json), out);
  out += "</script>";
}

}  // namespace jrec
