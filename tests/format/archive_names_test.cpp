// SPDX-License-Identifier: Apache-2.0
// Chunks of one program name the same things by other keys and in another order; packed with one of them, they get small,
// and come back to the byte.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "base/leb128.h"
#include "format/archive/call_memory.h"
#include "format/archive/chunk_codec.h"
#include "format/archive/chunk_model.h"
#include "format/archive/lexicon.h"
#include "format/archive/stack_model.h"
#include "format/writer/checkpoint_builder.h"
#include "format/writer/chunk_file.h"
#include "tests/format/writer_disk.h"

namespace jfr::archive::test {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr uint64_t kMethods = 300, kClasses = 40, kStacks = 120;

// What differs between two runs of a program.
struct Run {
  uint32_t seed = 1;
  uint64_t own_methods = 0;  // that no other run has
  bool twins = false;        // all classes are there twice, of two loaders
};

class Program {
 public:
  explicit Program(const Run& run) : run_(run), random_(run.seed) {}

  Bytes chunk() {
    const ::scratch::Disk disk;
    auto file = ChunkFile::create(disk.directory(), "a.jfr", 1 << 20, {1'700'000'000'000'000'000, 1'000});
    REQUIRE(file.ok());
    CheckpointBuilder constants;
    add_names(constants);
    for (uint64_t id = 1; id <= kStacks; ++id) add_stack(constants, id);
    REQUIRE(file->append(constants, events().bytes(), 2'000'000'000).ok());
    REQUIRE(file->close(3'000'000'000, true).ok());
    return ::scratch::Disk::read(disk.path("a.jfr"));
  }

 private:
  uint64_t key_of(uint64_t number) const { return number * 7 + run_.seed * 1'000; }
  uint64_t method_key(uint64_t method) const { return key_of(method % kClasses) << 16 | method; }

  void add_names(CheckpointBuilder& to) {
    std::vector<uint64_t> methods(kMethods + run_.own_methods), classes(kClasses);
    std::iota(methods.begin(), methods.end(), 0);
    std::iota(classes.begin(), classes.end(), 0);
    std::ranges::shuffle(methods, random_);
    std::ranges::shuffle(classes, random_);
    for (const uint64_t each : classes)
      add_class(to, key_of(each), 10'000 + each, "shop/service/internal/Component" + std::to_string(each));
    if (run_.twins)
      for (const uint64_t each : classes) add_class(to, key_of(each) + 1, 10'000 + each, "");
    for (const uint64_t each : methods) add_method(to, each);
    to.pool(TypeId::kSymbol).entry(key_of(9'000)).text("(Ljava/lang/String;I)V");
  }

  void add_class(CheckpointBuilder& to, uint64_t key, uint64_t symbol, const std::string& name) {
    if (!name.empty()) to.pool(TypeId::kSymbol).entry(key_of(symbol)).text(name);
    auto& java_class = to.pool(TypeId::kClass).entry(key);
    for (const uint64_t field : {uint64_t{0}, key_of(symbol), uint64_t{0}, uint64_t{1}}) java_class.leb(field);
    java_class.boolean(false);
  }

  void add_method(CheckpointBuilder& to, uint64_t method) {
    const std::string own = method < kMethods ? "" : "$" + std::to_string(run_.seed);
    to.pool(TypeId::kSymbol).entry(key_of(method)).text("handleTheRequestNumber" + std::to_string(method) + own);
    const uint64_t twin = run_.twins && method % 3 == 0 ? 1 : 0;
    auto& java_method = to.pool(TypeId::kMethod).entry(method_key(method));
    for (const uint64_t field : {key_of(method % kClasses) + twin, key_of(method), key_of(9'000), uint64_t{9}})
      java_method.leb(field);
    java_method.boolean(method % 11 == 0);
  }

  // Who calls whom is the same in all runs.
  void add_stack(CheckpointBuilder& to, uint64_t id) {
    std::vector<uint64_t> frames;
    uint64_t method = random_() % 5;
    for (uint64_t depth = 5 + random_() % 30; depth > 0; --depth) {
      frames.push_back(method);
      method = (method * 31 + random_() % 3 + 7) % (kMethods + run_.own_methods);
    }
    auto& stack = to.pool(TypeId::kStackTrace).entry(key_of(id));
    stack.boolean(false);
    stack.leb(frames.size());
    for (size_t i = frames.size(); i-- > 0;) {
      stack.leb(method_key(frames[i]));
      stack.leb_i32(static_cast<int32_t>(10 + frames[i] % 90));
      stack.leb_i32(static_cast<int32_t>(frames[i] % 50));
      stack.leb(1 + frames[i] % 2);
    }
  }

  ByteSink events() {
    ByteSink to;
    for (uint64_t id = 1; id <= kStacks; ++id) {
      const size_t at = to.reserve_size();
      to.leb(static_cast<uint64_t>(TypeId::kExecutionSample));
      to.leb_i64(static_cast<int64_t>(1'000'000 * id + random_() % 1'000));
      for (const uint64_t field : {uint64_t{1}, key_of(id), uint64_t{5}}) to.leb(field);
      to.patch_size(at, static_cast<uint32_t>(to.size() - at));
    }
    return to;
  }

  const Run run_;
  std::mt19937 random_;
};

std::shared_ptr<const Lexicon> lexicon_of(const Bytes& chunk) {
  const auto coded = encode_chunk(chunk);
  REQUIRE(coded.has_value());
  const auto metadata = metadata_of(coded->metadata[coded->types]);
  REQUIRE(metadata.ok());
  return Lexicon::of(coded->blocks, *metadata, value_limit(chunk.size()));
}

size_t packed_size(const Blocks& blocks) { return pack_blocks(blocks, 3, nullptr).size(); }

// Packed with the lexicon of another run, as a share of what it takes alone.
double share_of(const Run& run, const std::shared_ptr<const Lexicon>& lexicon) {
  const Bytes chunk = Program(run).chunk();
  const LexiconSource source = [&] { return lexicon; };
  const auto alone = encode_chunk(chunk), coded = encode_chunk(chunk, source);
  REQUIRE(alone.has_value());
  REQUIRE(coded.has_value());
  const auto back = decode_chunk(coded->blocks, coded->metadata, chunk.size(), source);
  REQUIRE(back.ok());
  CHECK(back.value() == chunk);
  CHECK_FALSE(decode_chunk(coded->blocks, coded->metadata, chunk.size()).ok());  // nobody can read it without
  return static_cast<double>(packed_size(coded->blocks)) / static_cast<double>(packed_size(alone->blocks));
}

}  // namespace

TEST_CASE("archive: names that another chunk has are not kept again") {
  const auto lexicon = lexicon_of(Program({1, 0, false}).chunk());
  REQUIRE(lexicon != nullptr);
  CHECK(lexicon->methods().size() == kMethods);
  CHECK(lexicon->symbols().size() == kMethods + kClasses + 1);
  CHECK(share_of({2, 0, false}, lexicon) < 0.75);
  CHECK(share_of({1, 0, false}, lexicon) < 0.75);
}

TEST_CASE("archive: names that another chunk has not, or has twice, come back as well") {
  const auto lexicon = lexicon_of(Program({1, 0, false}).chunk());
  CHECK(share_of({3, 50, false}, lexicon) < 1);
  CHECK(share_of({4, 20, true}, lexicon) < 1);
  const auto of_twins = lexicon_of(Program({5, 10, true}).chunk());
  REQUIRE(of_twins != nullptr);
  CHECK(share_of({6, 10, true}, of_twins) < 1);
  CHECK(share_of({7, 0, false}, of_twins) < 1);
}

TEST_CASE("archive: how many methods the base knows tells a chunk of the same program from another's") {
  const auto lexicon = lexicon_of(Program({1, 0, false}).chunk());
  const LexiconSource source = [&] { return lexicon; };
  const auto known = [&](const Run& run, const LexiconSource& from) {
    return encode_chunk(Program(run).chunk(), from)->known_methods;
  };
  CHECK(known({2, 0, false}, source) == 1);
  CHECK(known({3, 100, false}, source) == 0.75);
  CHECK(known({3, 0, false}, {}) == 0);
}

TEST_CASE("archive: a chunk that was packed with a lexicon makes none") {
  const auto lexicon = lexicon_of(Program({1, 0, false}).chunk());
  const Bytes chunk = Program({2, 0, false}).chunk();
  const auto coded = encode_chunk(chunk, [&] { return lexicon; });
  REQUIRE(coded.has_value());
  const auto metadata = metadata_of(coded->metadata[coded->types]);
  CHECK(Lexicon::of(coded->blocks, *metadata, value_limit(chunk.size())) == nullptr);
}

TEST_CASE("archive: bases have the names of all of them, and each is read with those before it") {
  std::shared_ptr<const Lexicon> lexicon = lexicon_of(Program({1, 30, false}).chunk());
  const Run twins{4, 20, true};
  const auto known = [&] {
    return encode_chunk(Program({9, 100, false}).chunk(), [&] { return lexicon; })->known_methods;
  };
  CHECK(known() == 0.75);
  for (const Run& run : {Run{9, 60, false}, twins, Run{5, 0, false}}) {
    const Bytes chunk = Program(run).chunk();
    const auto coded = encode_chunk(chunk, [&] { return lexicon; });
    REQUIRE(coded.has_value());
    const auto metadata = metadata_of(coded->metadata[coded->types]);
    const auto all = Lexicon::of(coded->blocks, *metadata, value_limit(chunk.size()), lexicon);
    REQUIRE(all != nullptr);
    CHECK(std::ranges::equal(std::span(all->methods()).first(lexicon->methods().size()), lexicon->methods()));
    CHECK(all->methods().size() == lexicon->methods().size() + (run.seed == 5 ? 0 : run.own_methods));
    CHECK(share_of(run, all) < 0.8);
    lexicon = all;
  }
  CHECK(known() == 0.9);
}

// As they stand in a chunk.
static Bytes wire_of_stack(const std::vector<StackFrame>& stack) {
  Bytes wire;
  for (const StackFrame& frame : stack)
    for (const uint64_t field : frame) base::append_leb(field, wire);
  return wire;
}

TEST_CASE("archive: stacks come back as they were, whatever they share") {
  std::mt19937 random(2);
  Streams written;
  StackModel encoder(written);
  constexpr std::array<uint64_t, 7> kMethodIds = {0, 1, 127, 128, 1u << 20, uint64_t{1} << 55, ~uint64_t{0}};
  std::vector<std::vector<StackFrame>> stacks;
  std::deque<Bytes> wires;
  for (int i = 0; i < 2'000; ++i) {
    std::vector<StackFrame> stack;
    for (uint64_t depth = random() % 30; depth > 0; --depth)
      stack.push_back({kMethodIds[random() % (i % 3 == 0 ? 5 : 7)], random() % 3, depth % 4, 1});
    if (i % 5 == 4) stack = stacks[random() % stacks.size()];
    if (i % 7 == 6 && !stack.empty()) stack.front() = {99, random() % 50, 0, 2};
    if (i % 90 == 0 && !stack.empty()) stack.back() = {~uint64_t{0}, ~uint64_t{0}, ~uint64_t{1}, 0};
    stacks.push_back(stack);
    encoder.encode(wires.emplace_back(wire_of_stack(stack)), stack.size());
  }
  const auto blocks = unpack_blocks(pack_blocks(written.to_blocks(), 3, nullptr), 1'000'000, nullptr);
  REQUIRE(blocks.has_value());
  Streams read;
  REQUIRE(read.from_blocks(*blocks, 1'000'000));
  StackModel decoder(read);
  for (size_t i = 0; i < stacks.size(); ++i) {
    const std::span<const uint8_t> back = decoder.decode();
    REQUIRE(read.ok());
    CHECK(decoder.depth() == stacks[i].size());
    CHECK(std::ranges::equal(back, wires[i]));
  }
  Streams again;
  REQUIRE(again.from_blocks(*blocks, 1'000'000));
  StackModel learner(again);
  learner.make_room();
  for (const auto& stack : stacks) {
    learner.learn();
    CHECK(learner.depth() == stack.size());
  }
  CHECK(again.ok());
  CHECK(learner.left() == 0);
  REQUIRE(learner.frames().size() == decoder.frames().size());
  for (uint32_t i = 0; i < decoder.frames().size(); ++i)
    CHECK(learner.frames().fields(i) == decoder.frames().fields(i));
}

TEST_CASE("damage: room for stacks is believed up to a size, however many a few bytes tell of") {
  // The second stream, `fresh`: 2^40 numbers, all of them 1,000.
  const Bytes directory = {2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, static_cast<uint8_t>(NumberCoding::kConstant),
                           2, 0,    0};
  Blocks blocks;
  blocks.front.push_back(static_cast<uint8_t>(directory.size()));
  blocks.front.insert(blocks.front.end(), directory.begin(), directory.end());
  blocks.front.insert(blocks.front.end(), {0xe8, 0x07});
  Streams streams;
  REQUIRE(streams.from_blocks(blocks, uint64_t{1} << 41));
  StackModel model(streams);
  model.make_room();
  CHECK(streams.ok());
  CHECK(streams.all(1).empty());
  CHECK_FALSE(streams.ok());
}

TEST_CASE("archive: what called whom is found again by its rank") {
  std::mt19937 random(3);
  CallMemory memory;
  for (int i = 0; i < 5'000; ++i) {
    const Caller caller{static_cast<uint32_t>(random() % 4), static_cast<uint32_t>(1 + random() % 6)};
    const auto frame = static_cast<uint32_t>(1 + random() % 20);
    const CallMemory::Guess guess = memory.guess(caller);
    if (const uint32_t rank = memory.rank(caller, guess, frame); rank != 0 && frame != guess.expected)
      CHECK(memory.at_rank(caller, guess, rank) == frame);
    CHECK(memory.at_rank(caller, guess, CallMemory::kRanks + 1) == 0);
    memory.learn(caller, guess, frame);
    CHECK(memory.guess(caller).expected == frame);
  }
}

TEST_CASE("archive: calls keep their order when frames get other numbers") {
  CallMemory memory;
  for (const uint32_t callee : {5u, 6u, 7u}) memory.learn({1, 2}, memory.guess({1, 2}), callee);
  memory.learn({3, 2}, memory.guess({3, 2}), 4);
  CallMemory other = memory.renumbered({0, 11, 12, 0, 14, 15, 0, 17});  // 3 and 6 are gone
  CHECK(other.guess({11, 12}).expected == 17);
  const CallMemory::Guess guess = other.guess({99, 12});
  CHECK(guess.expected == 14);
  CHECK(other.rank({99, 12}, guess, 17) == 1);
  CHECK(other.rank({99, 12}, guess, 15) == 2);
  CHECK(other.rank({99, 12}, guess, 6) == 0);
}

}  // namespace jfr::archive::test
