// SPDX-License-Identifier: Apache-2.0
// Stacks that are placed by what they share with those before make the tree that they make one by one.
#include "jrec/profile/stack_paths.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/profile/frame_names.h"
#include "jrec/profile/stack_placer.h"
#include "tests/format/reader_builder.h"

namespace jrec {
namespace {

using Refs = std::vector<test::RecordingBuilder::FrameRef>;

constexpr uint64_t kMethods = 700;  // keys of one byte, and of two that end like others of one
constexpr uint64_t kStacks = 3000;

// Frames of a few threads that go on and back: most of a stack is that of one before.
std::vector<Refs> stacks_of_threads(std::mt19937& random) {
  std::vector<Refs> threads(12), stacks;
  while (stacks.size() < kStacks) {
    Refs& now = threads[random() % threads.size()];  // outermost first
    now.resize(now.size() - std::min<size_t>(now.size(), random() % 9));
    for (unsigned more = random() % 12; more > 0; --more)
      now.push_back({1 + random() % kMethods, static_cast<int32_t>(random() % 300), 1 + random() % 3});
    if (now.empty()) continue;
    stacks.emplace_back(now.rbegin(), now.rend());
  }
  return stacks;
}

test::Bytes recording_of(const std::vector<Refs>& stacks) {
  test::RecordingBuilder builder;
  builder.frame_type(1, "Interpreted")
      .frame_type(2, "JIT compiled")
      .frame_type(3, "Inlined")
      .symbol(1, "a/B")
      .klass(1, 1);
  for (uint64_t i = 1; i <= kMethods; ++i) builder.symbol(1 + i, "m" + std::to_string(i % 500)).method(i, 1, 1 + i);
  for (size_t i = 0; i < stacks.size(); ++i) builder.stack(1 + i, stacks[i]);
  return builder.bytes();
}

void check_same(const StackTree& a, const StackTree& b) {
  REQUIRE(a.nodes().size() == b.nodes().size());
  REQUIRE(std::ranges::equal(a.names(), b.names()));
  CHECK(a.total() == b.total());
  CHECK(a.totals() == b.totals());
  for (size_t i = 0; i < a.nodes().size(); ++i) {
    REQUIRE(a.nodes()[i].name == b.nodes()[i].name);
    REQUIRE(a.nodes()[i].parent == b.nodes()[i].parent);
    REQUIRE(a.nodes()[i].kind == b.nodes()[i].kind);
    REQUIRE(a.self(i) == b.self(i));
  }
}

TEST_CASE("stacks placed by what they share with others make the same tree as each by itself") {
  std::mt19937 random(11);
  const test::Bytes file = recording_of(stacks_of_threads(random));
  jfr::read::Problems problems;
  jfr::read::ChunkScanner scanner(file, problems);
  jfr::read::Chunk chunk(file, *scanner.next(), problems);
  StackTree shared, plain;
  FrameNames names(chunk, shared), plain_names(chunk, plain);
  StackPlacer placer(shared, names);
  for (uint64_t i = 0; i < kStacks; ++i) {
    const uint64_t key = 1 + random() % kStacks, weight = random() % 50;
    bool truncated = false;
    const uint32_t node = plain.add(plain_names.stack(key, truncated), weight);
    const FrameNames::StackBytes bytes = names.find(key);
    REQUIRE(bytes.count != 0);
    if (random() % 20 == 0)
      CHECK(placer.place(names.stack(key, truncated), weight) == node);
    else
      CHECK(placer.end(placer.path_of(bytes), weight) == node);
  }
  placer.finish();
  check_same(shared, plain);
}

TEST_CASE("the bytes that two stretches end with are counted, by words and one by one") {
  std::mt19937 random(12);
  for (int round = 0; round < 2000; ++round) {
    std::vector<uint8_t> a(random() % 40), b(random() % 40);
    const size_t same = std::min({a.size(), b.size(), static_cast<size_t>(random() % 40)});
    for (uint8_t& byte : a) byte = 1;
    for (uint8_t& byte : b) byte = 2;
    std::fill_n(a.rbegin(), same, uint8_t{3});
    std::fill_n(b.rbegin(), same, uint8_t{3});
    REQUIRE(shared_end(a, b) == same);
  }
}

}  // namespace
}  // namespace jrec
