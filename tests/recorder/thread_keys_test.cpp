// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/thread_keys.h"

#include <doctest/doctest.h>

using rec::ThreadKeys;

TEST_CASE("a thread's key is its id, as long as its constant stays the same") {
  ThreadKeys keys(1000);
  for (uint32_t chunk = 1; chunk < 5; ++chunk) {
    keys.start_chunk(chunk);
    const auto first = keys.key_of(7, 1), second = keys.key_of(7, 1);
    CHECK(first.key == 7);
    CHECK(first.fresh);
    CHECK(second.key == 7);
    CHECK_FALSE(second.fresh);
    CHECK(keys.key_of(8, 1).key == 8);
  }
}

TEST_CASE("no key means something else in the chunk behind, whatever names a thread gets") {
  ThreadKeys keys(1000);
  std::unordered_map<uint64_t, uint32_t> before;
  const uint32_t names[][2] = {{1, 1}, {2, 2}, {1, 2}, {2, 1}, {3, 3}, {3, 1}, {1, 1}, {2, 3}};
  for (uint32_t chunk = 1; const auto& in_chunk : names) {
    keys.start_chunk(chunk++);
    std::unordered_map<uint64_t, uint32_t> now;
    for (const uint32_t name : in_chunk) {
      const auto [key, fresh] = keys.key_of(7, name);
      CHECK(fresh != now.contains(key));
      CHECK(now.try_emplace(key, name).first->second == name);
      if (const auto other = before.find(key); other != before.end()) CHECK(other->second == name);
    }
    before = now;
  }
}
