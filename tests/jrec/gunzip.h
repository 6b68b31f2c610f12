// SPDX-License-Identifier: Apache-2.0
// What a gzip file of a test holds, with zlib and nothing of ours.
#pragma once

#include <doctest/doctest.h>
#include <zlib.h>

#include <string>

namespace test {

inline std::string gunzip(const std::string& packed) {
  std::string text(1 << 20, '\0');
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<unsigned>(packed.size());
  stream.next_out = reinterpret_cast<unsigned char*>(text.data());
  stream.avail_out = static_cast<unsigned>(text.size());
  CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

}  // namespace test
