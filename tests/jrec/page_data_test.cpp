// SPDX-License-Identifier: Apache-2.0
// The data of a page, as it is and compressed.
#include "jrec/flame/page_data.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include <string>
#include <vector>

using namespace jrec;

namespace {

std::string from_base64(const std::string& text) {
  static const std::string kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<uint32_t>(kDigits.find(c));
    if ((count += 6) < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xff);
  }
  return out;
}

std::string unpacked(const std::string& bytes, size_t size) {
  std::string out(size, '\0');
  uLongf length = size;
  REQUIRE(uncompress(reinterpret_cast<Bytef*>(out.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()),
                     bytes.size()) == Z_OK);
  out.resize(length);
  return out;
}

}  // namespace

TEST_CASE("a page's data is JSON as it is, and compressed beyond a mebibyte, to be unpacked to the byte") {
  std::string element;
  append_page_data("{\"a\":1}", element);
  CHECK(element == "<script type=\"application/json\" id=\"data\">{\"a\":1}</script>");

  const std::string opening = "<script type=\"application/zlib\" id=\"data\">", closing = "</script>";
  for (const size_t more : {1, 2, 3}) {  // base64 ends in three ways
    std::string json;
    for (uint32_t i = 0; json.size() < kPlainBytes + more; ++i) json += std::to_string(i * 2654435761u) + ',';
    element.clear();
    append_page_data(json, element);
    REQUIRE(element.starts_with(opening));
    REQUIRE(element.ends_with(closing));
    CHECK(element.size() < json.size());
    const std::string packed = element.substr(opening.size(), element.size() - opening.size() - closing.size());
    CHECK(unpacked(from_base64(packed), json.size()) == json);
  }
}
