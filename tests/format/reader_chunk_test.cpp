// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "format/reader/values.h"
#include "tests/format/reader_builder.h"
#include "tests/format/reader_reading.h"

using namespace jfr::read;
using test::Bytes;
using test::read_texts;
using test::RecordingBuilder;
using Names = std::vector<std::string>;

namespace {

// The first chunk of a recording, kept with its bytes.
struct Opened {
  explicit Opened(Bytes b) : bytes(std::move(b)) {
    ChunkScanner scanner(bytes, problems);
    chunk.emplace(bytes, *scanner.next(), problems);
  }
  std::string constant_text(const char* type_name, uint64_t key) {
    const Type* type = chunk->metadata().find(type_name);
    REQUIRE(type != nullptr);
    Cursor in = chunk->constants().find(chunk->metadata().index_of(type->id), key);
    std::string text;
    if (!in.ok() || !chunk->append_text(in, type->fields[0], text)) return "(none)";
    return text;
  }
  Bytes bytes;
  Problems problems;
  std::optional<Chunk> chunk;
};

}  // namespace

TEST_CASE("golden: the header of a chunk written by JDK 25 decodes as the format page lists it") {
  const Bytes header = {0x46, 0x4c, 0x52, 0x00, 0x00, 0x02, 0x00, 0x01, 0,    0,    0,    0,    0,    0x14,
                        0x38, 0x61, 0,    0,    0,    0,    0,    0x14, 0x38, 0x02, 0,    0,    0,    0,
                        0,    0,    0x25, 0x36, 0x18, 0xea, 0x07, 0x23, 0xb6, 0x1d, 0xde, 0xe4, 0,    0,
                        0,    0x03, 0x43, 0x91, 0x97, 0xe2, 0,    0,    0,    0,    0x35, 0x52, 0xa6, 0xe8,
                        0,    0,    0,    0,    0x3b, 0x9a, 0xca, 0,    0,    0,    0,    0x01};
  REQUIRE(header.size() == 68);
  const auto parsed = parse_chunk_header(header, 0);
  REQUIRE(parsed.ok());
  CHECK(parsed.value().size == 1325153);
  CHECK(parsed.value().checkpoint == 1325058);
  CHECK(parsed.value().metadata == 9526);
  CHECK(parsed.value().start_ns == 1795255251421224676);
  CHECK(parsed.value().duration_ns == 14018516962);
  CHECK(parsed.value().start_ticks == 894609128);
  CHECK(parsed.value().ticks_per_second == 1000000000);
  CHECK(parsed.value().state == 0);
  CHECK_FALSE(parsed.value().final_chunk);
}

TEST_CASE("events of every chunk come out in file order") {
  const auto reading = read_texts(RecordingBuilder().text(1, "a").text(2, "b").next_chunk().text(3, "c").bytes());
  CHECK(reading.texts == Names{"a", "b", "c"});
  CHECK(reading.chunks.size() == 2);
  CHECK(reading.problems == Names{});
}

TEST_CASE("fields are bound by name and read with their width and sign") {
  Opened opened(RecordingBuilder().sample(1234, 5, -3).bytes());
  auto walk = opened.chunk->events();
  Event event;
  do REQUIRE(walk.next(event));
  while (event.type_id != RecordingBuilder::kSample);
  const Type& type = *opened.chunk->type_of(event);
  CHECK(type.name == "jdk.ExecutionSample");
  CHECK(type.event);
  Cursor weight = opened.chunk->field(event, type, type.field("weight"));
  CHECK(read_integer(weight, Kind::kInt) == -3);
  CHECK(weight.remaining() == 0);
  Cursor stack = opened.chunk->field(event, type, type.field("stackTrace"));
  CHECK(stack.leb() == 5);
  CHECK(type.field("nothing") == -1);
}

TEST_CASE("constants are found in every checkpoint of the chain, and a missing key is none") {
  Opened opened(
      RecordingBuilder().symbol(1, "one").flush().symbol(2, "two").flush().text(1, "x").symbol(3, "three").bytes());
  CHECK(opened.constant_text("jdk.types.Symbol", 1) == "one");
  CHECK(opened.constant_text("jdk.types.Symbol", 2) == "two");
  CHECK(opened.constant_text("jdk.types.Symbol", 3) == "three");
  CHECK(opened.constant_text("jdk.types.Symbol", 4) == "(none)");
  CHECK(opened.constant_text("jdk.types.Symbol", 0) == "(none)");
  CHECK(opened.problems.empty());
}

TEST_CASE("key 0 may be a constant like any other") {
  Opened opened(RecordingBuilder().frame_type(0, "Interpreted").bytes());
  CHECK(opened.constant_text("jdk.types.FrameType", 0) == "Interpreted");
}

TEST_CASE("of a key that stands in several checkpoints the oldest wins") {
  Opened opened(RecordingBuilder().symbol(1, "old").flush().symbol(1, "new").flush().bytes());
  CHECK(opened.constant_text("jdk.types.Symbol", 1) == "old");
}

TEST_CASE("constants of one chunk are not seen in the next") {
  const Bytes file = RecordingBuilder().symbol(1, "first").next_chunk().symbol(1, "second").symbol(2, "other").bytes();
  Problems problems;
  ChunkScanner scanner(file, problems);
  scanner.next();
  Chunk second(file, *scanner.next(), problems);
  const Type* symbol = second.metadata().find("jdk.types.Symbol");
  Cursor in = second.constants().find(second.metadata().index_of(symbol->id), 1);
  std::string text;
  second.append_text(in, symbol->fields[0], text);
  CHECK(text == "second");
}

TEST_CASE("many constants are all found by their keys") {
  RecordingBuilder builder;
  for (uint64_t key = 1; key <= 500; ++key) builder.symbol(key << 33 | key, "s" + std::to_string(key));
  Opened opened(builder.text(1, "x").bytes());
  for (uint64_t key = 1; key <= 500; ++key)
    REQUIRE(opened.constant_text("jdk.types.Symbol", key << 33 | key) == "s" + std::to_string(key));
}

TEST_CASE("the time of a tick follows from the header, and the offset of the region from the metadata") {
  Opened opened(RecordingBuilder().bytes());
  CHECK(opened.chunk->clock().unix_ns(1000) == 1'700'000'000'000'000'000);
  CHECK(opened.chunk->clock().unix_ns(1500) == 1'700'000'000'000'000'500);
  CHECK(opened.chunk->clock().span_ns(7) == 7);
  CHECK(opened.chunk->metadata().utc_offset_ms() == 3600000);
}

TEST_CASE("an unfinished chunk is read up to its size, and the segment in flight behind it is no damage") {
  RecordingBuilder builder;
  builder.state = 17;
  Bytes file = builder.text(1, "flushed").bytes();
  file.insert(file.end(), {9, 11, 2, 3, 99, 'x'});
  const auto reading = read_texts(file);
  CHECK(reading.texts == Names{"flushed"});
  CHECK(reading.problems == Names{});
}

TEST_CASE("trailing bytes inside an event are passed over, and so are events of unknown types") {
  const auto reading = read_texts(
      RecordingBuilder().raw({4, 99, 1, 2}).text(1, "a").raw({8, 11, 5, 3, 1, 'b', 0xee, 0xee}).text(2, "c").bytes());
  CHECK(reading.texts == Names{"a", "b", "c"});
  CHECK(reading.problems == Names{});
}
