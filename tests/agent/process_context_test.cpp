// SPDX-License-Identifier: Apache-2.0
// The names of attributes that an OpenTelemetry SDK tells of its process, from bytes that may be anybody's.
#include "agent/context/process_context.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace process_context_test {

using namespace rec::agent;

std::string field(uint32_t number, const std::string& content) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(content.size())} + content;
}

// KeyValue {key, AnyValue {ArrayValue {AnyValue {name}, ...}}}, as the field `attributes` of ProcessContext.
std::string key_map(const std::vector<std::string>& names, const std::string& key = "threadlocal.attribute_key_map") {
  std::string values;
  for (const std::string& name : names) values += field(1, field(1, name));
  return field(2, field(1, key) + field(2, field(5, values)));
}

std::string keys(const std::string& payload, size_t most = 4096) {
  return attribute_keys_of({reinterpret_cast<const uint8_t*>(payload.data()), payload.size()}, most);
}

std::array<uint8_t, kProcessContextBytes> header(const char* signature, uint32_t version, uint32_t size,
                                                 uint64_t published, uint64_t payload) {
  std::array<uint8_t, kProcessContextBytes> bytes{};
  std::memcpy(bytes.data(), signature, 8);
  std::memcpy(&bytes[8], &version, 4);
  std::memcpy(&bytes[12], &size, 4);
  std::memcpy(&bytes[16], &published, 8);
  std::memcpy(&bytes[24], &payload, 8);
  return bytes;
}

bool parses(const std::array<uint8_t, kProcessContextBytes>& bytes) {
  ProcessContextHeader parsed;
  return parse_process_context(bytes, parsed);
}

TEST_CASE("the names of attributes stand in the order of their indexes, each behind its length") {
  const std::string other = field(1, "a resource") + key_map({"no"}, "threadlocal.schema_version");
  CHECK(keys(other + key_map({"http.route", "tenant"})) == "\x0ahttp.route\x06tenant");
  CHECK(keys(other).empty());
  CHECK(keys("").empty());
}

TEST_CASE("a name that is too long or for which there is no room is empty, and the others keep their indexes") {
  CHECK(keys(key_map({"", "b"})) == std::string("\0\x01"
                                                "b",
                                                3));
  CHECK(keys(key_map({"first", "second", "b"}), 9) == std::string("\x05"
                                                                  "first\0\x01"
                                                                  "b",
                                                                  9));
}

TEST_CASE("damage: of a payload that is cut, or has any wrong byte, something is read or nothing") {
  const std::string whole = key_map({"http.route", "tenant"});
  for (size_t size = 0; size < whole.size(); ++size) CHECK(keys(whole.substr(0, size)).size() <= 18);
  for (size_t at = 0; at < whole.size(); ++at)
    for (const int bit : {1, 0x80, 0xff}) {
      std::string wrong = whole;
      wrong[at] = static_cast<char>(wrong[at] ^ bit);
      CHECK(keys(wrong).size() <= 4096);
    }
}

TEST_CASE("a header counts that is whole, of the version that we read, and not being changed") {
  CHECK(parses(header("OTEL_CTX", 2, 100, 1, 4096)));
  CHECK_FALSE(parses(header("OTEL_CTY", 2, 100, 1, 4096)));
  CHECK_FALSE(parses(header("OTEL_CTX", 3, 100, 1, 4096)));
  CHECK_FALSE(parses(header("OTEL_CTX", 2, 100, 0, 4096)));
  CHECK_FALSE(parses(header("OTEL_CTX", 2, 100, 1, 0)));
  CHECK_FALSE(parses(header("OTEL_CTX", 2, 1 << 30, 1, 4096)));
}

TEST_CASE("the mapping of a process context is found by any of its three names") {
  const std::string before =
      "00400000-00401000 r-xp 00000000 08:01 12   /bin/OTEL_CTX\n7f00-7f10 rw-p 00000000 00:00 0\n";
  for (const char* name : {"/memfd:OTEL_CTX (deleted)", "[anon:OTEL_CTX]", "[anon_shmem:OTEL_CTX]"})
    CHECK(process_context_in(before + "7f12a000-7f12b000 rw-p 00000000 00:01 99   " + name + "\n") == 0x7f12a000);
  CHECK(process_context_in(before) == 0);
}

}  // namespace process_context_test
