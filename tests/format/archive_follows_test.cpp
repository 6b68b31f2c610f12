// SPDX-License-Identifier: Apache-2.0
// What a chunk leaves out of its columns as it follows from others: the order of stacks, keys of methods that count up,
// addresses of functions that the base has.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "format/archive/chunk_codec.h"
#include "format/archive/chunk_model.h"
#include "format/archive/known_addresses.h"
#include "format/archive/stack_order.h"
#include "format/writer/checkpoint_builder.h"
#include "format/writer/chunk_file.h"
#include "tests/format/writer_disk.h"
#include "tests/thin.h"

namespace jfr::archive::test {
namespace {

using Bytes = std::vector<uint8_t>;
using Numbers = std::vector<uint64_t>;

constexpr uint64_t kFunctions = 200, kLibrary = 0x4000009, kFirstKey = 0x80000, kStacksOfCalls = 150;

// A recording of native code: a library, whose functions have keys that count up as they are met, and where they are.
class NativeRun {
 public:
  NativeRun(uint32_t seed, StackOrder order) : random_(seed), order_(order) {}

  Bytes chunk() {
    const ::scratch::Disk disk;
    auto file = ChunkFile::create(disk.directory(), "a.jfr", 1 << 20, {1'700'000'000'000'000'000, 1'000});
    REQUIRE(file.ok());
    std::vector<uint64_t> met(kFunctions);
    for (uint64_t i = 0; i < kFunctions; ++i) met[i] = i;
    std::ranges::shuffle(met, random_);
    CheckpointBuilder constants;
    add_names(constants, met);
    add_stacks(constants);
    REQUIRE(file->append(constants, events(met).bytes(), 2'000'000'000).ok());
    REQUIRE(file->close(3'000'000'000, true).ok());
    return ::scratch::Disk::read(disk.path("a.jfr"));
  }

 private:
  static void add_symbol(CheckpointBuilder& to, uint64_t key, const std::string& text) {
    to.pool(TypeId::kSymbol).entry(key).text(text);
  }
  static void add_names(CheckpointBuilder& to, const Numbers& met) {
    add_symbol(to, 1, "libshop.so");
    add_symbol(to, 2, "()");
    auto& library = to.pool(TypeId::kClass).entry(kLibrary);
    for (const uint64_t field : {0, 1, 0, 1}) library.leb(field);
    library.boolean(false);
    for (uint64_t i = 0; i < met.size(); ++i) {
      add_symbol(to, 10 + i, "shop::function" + std::to_string(met[i]));
      auto& method = to.pool(TypeId::kMethod).entry(kFirstKey + i);
      for (const uint64_t field : {kLibrary, 10 + i, uint64_t{2}, uint64_t{0}}) method.leb(field);
      method.boolean(false);
    }
  }

  void add_stacks(CheckpointBuilder& to) {
    std::vector<std::vector<StackFrame>> frames;
    std::vector<PooledStack> stacks;
    for (uint64_t key = 1; key <= kStacksOfCalls; ++key) {
      auto& stack = frames.emplace_back();
      for (uint64_t depth = 2 + random_() % 12, at = random_() % 3; depth > 0;
           --depth, at = at * 5 % kFunctions + random_() % 2)
        stack.insert(stack.begin(), {kFirstKey + at, 10 + at, at % 60, 1});
      stacks.push_back({key, hash_of_stack(stack), key - 1});
    }
    if (order_ == StackOrder::kAsTold)
      std::ranges::shuffle(stacks, random_);
    else
      put_in_order(stacks, order_);
    for (const PooledStack& each : stacks) {
      auto& stack = to.pool(TypeId::kStackTrace).entry(each.key);
      stack.boolean(false);
      stack.leb(frames[each.at].size());
      for (const StackFrame& frame : frames[each.at])
        for (const uint64_t field : frame) stack.leb(field);
    }
  }

  // As the JDK does it.
  static uint64_t hash_of_stack(const std::vector<StackFrame>& stack) {
    uint64_t hash = 1;
    for (const StackFrame& frame : stack)
      for (const size_t field : {0, 2, 3}) hash = hash * 31 + frame[field];
    return hash;
  }

  static ByteSink events(const Numbers& met) {
    ByteSink to;
    for (uint64_t i = 0; i < met.size(); ++i) {
      const size_t at = to.reserve_size();
      to.leb(static_cast<uint64_t>(TypeId::kRecNativeFunction));
      for (const uint64_t field : {uint64_t{1'000'000}, kFirstKey + i, 0x9e37'79b9 * (met[i] + 1) % (1 << 24)})
        to.leb(field);
      to.patch_size(at, static_cast<uint32_t>(to.size() - at));
    }
    return to;
  }

  std::mt19937 random_;
  const StackOrder order_;
};

size_t packed_bytes(const Blocks& blocks) { return pack_blocks(blocks, 3, nullptr).size(); }

Blocks blocks_of(const Bytes& chunk, const LexiconSource& lexicons = {}, NewCodings news = kAllCodings) {
  const auto coded = encode_chunk(chunk, lexicons, news);
  REQUIRE(coded.has_value());
  const auto back = decode_chunk(coded->blocks, coded->metadata, chunk.size(), lexicons);
  REQUIRE(back.ok());
  CHECK(*back == chunk);
  return coded->blocks;
}

LexiconSource lexicon_of_run(const Bytes& chunk) {
  const auto coded = encode_chunk(chunk);
  REQUIRE(coded.has_value());
  const auto metadata = metadata_of(coded->metadata[coded->types]);
  REQUIRE(metadata.ok());
  return [lexicon = Lexicon::of(coded->blocks, *metadata, value_limit(chunk.size()))] { return lexicon; };
}

}  // namespace

TEST_CASE("golden: stacks have the hash that the JDK orders them by, and are found in that order") {
  StackHash hash;
  hash.push(StackHash::of({5, 99, 7, 1}));
  CHECK(hash.hash() == ((1 * 31 + 5) * 31 + 7) * 31 + 1);
  hash.push(StackHash::of({2, 0, 3, 4}));  // called by the first
  CHECK(hash.hash() == (((((1 * 31 + 2) * 31 + 3) * 31 + 4) * 31 + 5) * 31 + 7) * 31 + 1);
  hash.cut(1);
  CHECK(hash.hash() == 34'814);
  std::vector<PooledStack> stacks;
  for (uint64_t key = 1; key <= 100; ++key) stacks.push_back({key, key % 7 == 0 ? 3 : key << 30, key});
  for (const StackOrder order : {StackOrder::kBuckets32, StackOrder::kBuckets64}) {
    std::vector<PooledStack> ordered = stacks;
    put_in_order(ordered, order);
    CHECK(order_of(ordered) == order);
    std::swap(ordered[10], ordered[60]);
    CHECK(order_of(ordered) == StackOrder::kAsTold);
  }
  CHECK(order_of(stacks) == StackOrder::kAsTold);
  CHECK(order_of({}) == StackOrder::kAsTold);
}

TEST_CASE("archive: stacks in the order of the JDK need no keys") {
  const size_t any = packed_bytes(blocks_of(NativeRun(1, StackOrder::kAsTold).chunk()));
  for (const StackOrder order : {StackOrder::kBuckets32, StackOrder::kBuckets64}) {
    const Bytes chunk = NativeRun(1, order).chunk();
    CHECK(packed_bytes(blocks_of(chunk)) + kStacksOfCalls / 2 < any);
    CHECK(packed_bytes(blocks_of(chunk)) < packed_bytes(blocks_of(chunk, {}, {true, true, false})));
  }
}

TEST_CASE("archive: functions of a library that the base has are where they are there") {
  const auto lexicon = lexicon_of_run(NativeRun(1, StackOrder::kBuckets32).chunk());
  const Bytes chunk = NativeRun(2, StackOrder::kBuckets64).chunk();
  const size_t now = packed_bytes(blocks_of(chunk, lexicon)),
               before = packed_bytes(blocks_of(chunk, lexicon, {true, true, false}));
  CHECK(now + 2 * kFunctions < before);  // three bytes of an address, and what told the keys apart
}

TEST_CASE("an address is told by the method that has it, and by itself where that is unknown") {
  KnownAddresses known;
  known.add(4, 0, 1'000);
  known.add(4, 1, 2'000);
  read::KeyTable<uint32_t> numbers;
  numbers.find_or_add(77, 4);
  const Numbers methods = {77, 78, 77, 77}, addresses = {1'000, 5, 2'000, 3'000}, codes = {0, 6, 0, 3'001};
  CHECK(code_addresses(methods, addresses, known, numbers) == codes);
  CHECK(restore_addresses(methods, codes, known, numbers) == addresses);
  CHECK_FALSE(code_addresses({methods.begin(), 1}, Numbers{~uint64_t{0}}, known, numbers));
  CHECK_FALSE(restore_addresses(methods, Numbers{0, 0, 0, 0}, known, numbers));  // the second has no address there
  CHECK_FALSE(restore_addresses(methods, Numbers{0}, known, numbers));
}

TEST_CASE("damage: columns that leave something out, changed anywhere, are another chunk or none") {
  const auto lexicon = lexicon_of_run(NativeRun(1, StackOrder::kBuckets32).chunk());
  const Bytes chunk = NativeRun(2, StackOrder::kBuckets64).chunk();
  auto coded = encode_chunk(chunk, lexicon);
  REQUIRE(coded.has_value());
  size_t refused = 0;
  for (Bytes* const block : {&coded->blocks.front, &coded->blocks.modelled})
    for (size_t i = 0; i < block->size(); i += 3 * ::test::kThin) {
      uint8_t& byte = (*block)[i];
      const uint8_t before = byte;
      for (const int change : {1, 0x10, 0xff}) {
        byte = static_cast<uint8_t>(before ^ change);
        const auto back = decode_chunk(coded->blocks, coded->metadata, chunk.size(), lexicon);
        refused += !back.ok();
        if (back.ok()) CHECK(back->size() == chunk.size());
      }
      byte = before;
    }
  CHECK(refused > 0);
}

}  // namespace jfr::archive::test
