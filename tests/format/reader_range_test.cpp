// SPDX-License-Identifier: Apache-2.0
// What a program that reads recordings writes: loops over chunks, events and frames, and fields that are bound once a chunk.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "format/reader/recording_file.h"
#include "tests/base/folder.h"
#include "tests/format/reader_builder.h"

using namespace jfr::read;
using test::Bytes;
using test::RecordingBuilder;
using Names = std::vector<std::string>;

namespace {

// A recording in a file of its own.
struct RangeFile {
  explicit RangeFile(const Bytes& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  RecordingFile open() const {
    auto file = RecordingFile::open(path);
    REQUIRE(file.ok());
    return std::move(*file);
  }
  test::Folder folder;
  std::string path = folder / "a.jfr";
};

Names range_texts(RecordingFile& file) {
  Names texts;
  for (Chunk& chunk : file.chunks()) {
    const Type* type = chunk.metadata().find("test.Text");
    REQUIRE(type != nullptr);
    BoundField text(chunk, *type, "text");
    for (const Event& event : EventRange(chunk, *type)) texts.push_back(text.text(event).value_or("(none)"));
  }
  return texts;
}

}  // namespace

TEST_CASE("a loop over chunks and events of one type meets each once, in the order of the file") {
  const RangeFile saved(RecordingBuilder().text(1, "a").sample(2, 0).text(3, "b").next_chunk().text(4, "c").bytes());
  RecordingFile file = saved.open();
  CHECK(range_texts(file) == Names{"a", "b", "c"});
  CHECK(file.whole().ok());
}

TEST_CASE("a type that a chunk does not declare has no events, and all of them are more than those of one") {
  const RangeFile saved(RecordingBuilder().text(1, "a").sample(2, 0).bytes());
  RecordingFile file = saved.open();
  int none = 0, all = 0, samples = 0;
  for (Chunk& chunk : file.chunks()) {
    for (const Event& event : EventRange(chunk, "no.Such")) none += event.size > 0;
    for (const Event& event : EventRange(chunk)) all += event.type_id > 1;
    for (const Event& event : EventRange(chunk, "jdk.ExecutionSample")) samples += event.size > 0;
  }
  CHECK(none == 0);
  CHECK(all == 2);
  CHECK(samples == 1);
}

TEST_CASE("bound fields tell numbers, times, names and what is inside of structs; what there is not is nothing") {
  const RangeFile saved(
      RecordingBuilder().simple_stack(7, "com/acme/Shop", "sell").sample(1234, 7, -3).sample(5, 0).bytes());
  RecordingFile file = saved.open();
  for (Chunk& chunk : file.chunks()) {
    const Type* type = chunk.metadata().find("jdk.ExecutionSample");
    REQUIRE(type != nullptr);
    BoundField weight(chunk, *type, "weight"), truncated(chunk, *type, "stackTrace.truncated"),
        none(chunk, *type, "nothing"), deep(chunk, *type, "weight.of"), stack(chunk, *type, "stackTrace");
    CHECK(weight.known());
    CHECK_FALSE(none.known());
    CHECK_FALSE(deep.known());
    EventRange samples(chunk, *type);
    auto at = samples.begin();
    REQUIRE_FALSE(at == samples.end());
    CHECK(weight.integer(*at) == -3);
    CHECK(weight.real(*at) == -3.0);
    CHECK_FALSE(weight.text(*at));
    CHECK_FALSE(weight.nanos(*at));
    CHECK(truncated.integer(*at) == 0);
    CHECK_FALSE(none.integer(*at));
    CHECK_FALSE(stack.integer(*at));
    ++at;
    REQUIRE_FALSE(at == samples.end());
    CHECK_FALSE(truncated.integer(*at));
    ++at;
    CHECK(at == samples.end());
  }
  CHECK(file.whole().ok());
}

TEST_CASE("what a recording declares as unsigned has no sign") {
  const RangeFile saved(RecordingBuilder().sample(1, 0, -3).bytes());
  RecordingFile file = saved.open();
  int met = 0;
  for (Chunk& chunk : file.chunks()) {
    const Type* declared = chunk.metadata().find("jdk.ExecutionSample");
    REQUIRE(declared != nullptr);
    Type type = *declared;
    type.fields[static_cast<size_t>(type.field("weight"))].is_unsigned = true;
    BoundField weight(chunk, type, "weight");
    for (const Event& event : EventRange(chunk, type)) {
      CHECK(weight.integer(event) == 4294967293);
      CHECK(weight.real(event) == 4294967293.0);
      ++met;
    }
  }
  CHECK(met == 1);
}

TEST_CASE("times are nanoseconds since the epoch, durations nanoseconds") {
  RecordingBuilder builder({{50,
                             "test.Timed",
                             {{"startTime", RecordingBuilder::kLong, false, false, RecordingBuilder::kTimestamp},
                              {"duration", RecordingBuilder::kLong, false, false, RecordingBuilder::kTimespan}}}});
  Bytes fields;
  RecordingBuilder::leb(fields, 1000);
  RecordingBuilder::leb(fields, 30);
  const RangeFile saved(builder.other(50, fields).bytes());
  RecordingFile file = saved.open();
  int met = 0;
  for (Chunk& chunk : file.chunks()) {
    const Type* type = chunk.metadata().find("test.Timed");
    REQUIRE(type != nullptr);
    BoundField start(chunk, *type, "startTime"), duration(chunk, *type, "duration");
    for (const Event& event : EventRange(chunk, *type)) {
      CHECK(start.nanos(event) == chunk.clock().unix_ns(1000));
      CHECK(duration.nanos(event) == chunk.clock().span_ns(30));
      ++met;
    }
  }
  CHECK(met == 1);
}

TEST_CASE("frames of a stack come innermost first, with names, lines and kinds") {
  const RangeFile saved(RecordingBuilder()
                            .symbol(1, "com/acme/Shop")
                            .klass(2, 1)
                            .symbol(3, "sell")
                            .symbol(4, "open")
                            .method(5, 2, 3)
                            .method(6, 2, 4)
                            .frame_type(1, "JIT compiled")
                            .stack(9, {{5, 42}, {6, 7}, {77, 1}}, true)
                            .sample(1, 9)
                            .sample(2, 0)
                            .bytes());
  RecordingFile file = saved.open();
  Names frames;
  int stacks = 0;
  for (Chunk& chunk : file.chunks()) {
    const Type* type = chunk.metadata().find("jdk.ExecutionSample");
    REQUIRE(type != nullptr);
    BoundField stack(chunk, *type, "stackTrace");
    for (const Event& event : EventRange(chunk, *type)) {
      StackFrames trace(stack, event);
      stacks += trace.truncated() ? 10 : 1;
      for (const Frame& frame : trace)
        frames.push_back(frame.name(stack.fields()) + ":" + std::to_string(frame.line) + " " +
                         frame.kind_name(stack.fields()));
    }
  }
  CHECK(frames == Names{"com.acme.Shop.sell:42 JIT compiled", "com.acme.Shop.open:7 JIT compiled", ":1 JIT compiled"});
  CHECK(stacks == 11);
}

TEST_CASE("damage: a loop over a recording that is cut ends, and whole() says where and what") {
  RecordingBuilder builder;
  builder.text(1, "a").text(2, "b").next_chunk().text(3, "c").text(4, "d");
  const size_t second = builder.chunk_start();
  const Bytes good = builder.bytes();
  for (size_t size = good.size() - 1; size > 0; size -= std::min<size_t>(size, 7)) {
    if (size == second) continue;  // a recording of one chunk, which is whole
    CAPTURE(size);
    const RangeFile saved(Bytes(good.begin(), good.begin() + static_cast<ptrdiff_t>(size)));
    RecordingFile file = saved.open();
    size_t events = 0;
    for (Chunk& chunk : file.chunks()) {
      const Type* type = chunk.metadata().find("jdk.ExecutionSample");
      const Type* text_type = chunk.metadata().find("test.Text");
      if (type == nullptr || text_type == nullptr) continue;
      BoundField text(chunk, *text_type, "text");
      for (const Event& event : EventRange(chunk, *text_type)) events += text.text(event).has_value();
    }
    CHECK(events <= 4);
    const base::Status whole = file.whole();
    REQUIRE_FALSE(whole.ok());
    CHECK_FALSE(whole.error().what.empty());
  }
}

TEST_CASE("a real number is no time, whatever a program declares it to be") {
  using Builder = RecordingBuilder;
  const Builder::EventType type{Builder::kMore,
                                "app.Timed",
                                {{"startTime", Builder::kLong, false, false, Builder::kTimestamp},
                                 {"length", Builder::kDouble, false, false, Builder::kTimespan}}};
  const RangeFile saved(Builder({type}).bytes());
  RecordingFile file = saved.open();
  for (Chunk& chunk : file.chunks()) {
    const Type* declared = chunk.metadata().find("app.Timed");
    REQUIRE(declared != nullptr);
    CHECK(declared->fields[0].meaning == Meaning::kTimestampTicks);
    CHECK(declared->fields[1].meaning == Meaning::kPlain);
  }
}
