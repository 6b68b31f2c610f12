// SPDX-License-Identifier: Apache-2.0
// The commands that check recordings and write new ones: verify, cut, scrub, merge, disassemble.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "format/reader/chunk.h"
#include "format/reader/chunk_scanner.h"
#include "jrec/files/disassemble.h"
#include "tests/jrec/files.h"

using namespace jrec;
using namespace test;

namespace {

uint64_t id_of_type(const Bytes& recording, size_t chunk_number, const char* name) {
  jfr::read::Problems problems;
  jfr::read::ChunkScanner scanner(recording, problems);
  for (size_t i = 0; const auto extent = scanner.next(); ++i) {
    const jfr::read::Chunk chunk(recording, *extent, problems);
    const jfr::read::Type* type = chunk.metadata().find(name);
    if (i == chunk_number) return type == nullptr ? 0 : type->id;
  }
  return 0;
}

uint64_t metadata_id(const Bytes& recording, size_t chunk_number) {
  jfr::read::Problems problems;
  jfr::read::ChunkScanner scanner(recording, problems);
  for (size_t i = 0; const auto extent = scanner.next(); ++i)
    if (i == chunk_number) return jfr::read::Chunk(recording, *extent, problems).metadata().id();
  return 0;
}

void put_header(Bytes& recording, size_t at, uint64_t value) {
  for (size_t i = 0; i < 8; ++i) recording[at + i] = static_cast<uint8_t>(value >> (56 - 8 * i));
}

std::vector<jfr::read::ChunkHeader> headers_of(const Bytes& recording) {
  jfr::read::Problems problems;
  jfr::read::ChunkScanner scanner(recording, problems);
  std::vector<jfr::read::ChunkHeader> headers;
  while (const auto extent = scanner.next()) headers.push_back(extent->header);
  return headers;
}

// When events start, read as the JDK does: all by the clock of one header.
std::vector<int64_t> start_times(const Bytes& recording, const jfr::read::ChunkHeader& header) {
  jfr::read::Problems problems;
  jfr::read::ChunkScanner scanner(recording, problems);
  std::vector<int64_t> times;
  while (const auto extent = scanner.next()) {
    jfr::read::Chunk chunk(recording, *extent, problems);
    jfr::read::EventWalk events = chunk.events();
    for (jfr::read::Event event; events.next(event);)
      if (event.type_id > jfr::kCheckpointType)
        times.push_back(jfr::read::Clock(header).unix_ns(static_cast<int64_t>(chunk.body(event).leb())));
  }
  return times;
}

}  // namespace

TEST_CASE("verify finds nothing in what is whole") {
  const Workplace place;
  const Printed printed = verified(place, place.write("a.jfr", two_chunks()));
  CHECK(printed.code == kDone);
  CHECK(has(printed.text, "2 chunks, 5 events"));
  CHECK(has(printed.text, "no problem"));
}

TEST_CASE("verify tells of every kind of trouble, with chunk, offset and reason") {
  const Workplace place;
  const auto finds = [&](const Bytes& recording, const std::string& what, int code) {
    const Printed printed = verified(place, place.write("a.jfr", recording), true);
    CHECK_MESSAGE(has(printed.text, what), printed.text);
    CHECK(printed.code == code);
  };
  using Builder = RecordingBuilder;
  finds(Builder().sample(1500, 9).bytes(), "names constant 9 of jdk.types.StackTrace", kDone);
  finds(Builder().frame_type(1, "x").stack(1, {{77, 1}}).sample(1500, 1).bytes(), "stack frame without method (77)",
        kDone);
  finds(Builder().frame_type(1, "x").symbol(2, "m").method(1, 0, 2).stack(1, {{1, 1}}).bytes(),
        "method without class (0)", kDone);
  finds(Builder().raw({4, 99, 1, 1}).bytes(), "type 99, which is not declared", kDamaged);
  finds(Builder().raw({3, Builder::kSample, 1}).bytes(), "fields of jdk.ExecutionSample do not fit", kDamaged);
  finds(Builder().raw({7, Builder::kText, 1, 0, 0, 0, 0}).bytes(), "3 bytes behind its last field", kDone);
  finds(Builder().text(9'000'000'000, "late").bytes(), "after the end of the chunk", kDone);
  finds(Builder().symbol(1, "a").flush().symbol(1, "b").bytes(), "constant 1 of jdk.types.Symbol has a second meaning",
        kDone);
  finds(Builder().symbol(1, "a").next_chunk().symbol(1, "b").bytes(), "meant something else in the chunk before",
        kDone);
  finds(Builder().symbol(1, "a").klass(5, 1).next_chunk().symbol(2, "b").klass(5, 2).bytes(),
        "constant 5 of java.lang.Class meant something else", kDone);
  finds(Builder().symbol(1, "a").klass(5, 1).next_chunk().symbol(2, "a").klass(5, 2).bytes(), "\"warnings\":0", kDone);
  finds(Builder().raw({0, 0, 0}).sample(1500, 0).bytes(), "event is smaller than its own head", kDamaged);
  Bytes cut = two_chunks();
  cut.resize(cut.size() - 5);
  finds(cut, "\"chunk\":1", kDamaged);
  Bytes no_checkpoint = Builder().symbol(1, "a").bytes();
  std::fill(no_checkpoint.begin() + 16, no_checkpoint.begin() + 23, uint8_t{0});
  no_checkpoint[23] = 3;
  finds(no_checkpoint, "header places the checkpoint at 0x3", kDamaged);
  finds(Bytes(100, 7), "not a flight recording", kNothingReadable);
}

TEST_CASE("verify keeps a few problems of a kind and counts the others") {
  const Workplace place;
  RecordingBuilder builder;
  for (int i = 0; i < 1000; ++i) builder.raw({4, 99, 1, 1});
  const Printed printed = verified(place, place.write("a.jfr", builder.bytes()));
  CHECK(occurrences(printed.text, "which is not declared") == 5);
  CHECK(has(printed.text, "995 more of event"));
  CHECK(has(printed.text, "1000 damages"));
}

TEST_CASE("cut keeps the events that were asked for, and the others' bytes are gone") {
  const Workplace place;
  RewriteOptions options = cut_of(place, two_chunks());
  options.selection.filter.events = "jdk.ExecutionSample";
  CHECK(rewritten(place, options) == kDone);
  const std::string out = place.read("out.jfr");
  CHECK_FALSE(has(out, "hunter2"));
  CHECK(has(out, "app/Hidden"));
  CHECK(has(summary_of(place, options.out).text, "\"name\":\"jdk.ExecutionSample\",\"count\":3,"));
  CHECK(has(verified(place, options.out).text, "2 chunks, 3 events"));
  CHECK(has(verified(place, options.out).text, "no problem"));
  CHECK(collapsed(place, options.out) == collapsed(place, options.file));
}

TEST_CASE("cut by time keeps events that start in the range, and no chunk without events") {
  const Workplace place;
  RewriteOptions options = cut_of(place, two_chunks());
  options.selection.filter.from = "1400ms";
  CHECK(rewritten(place, options) == kDone);
  CHECK(has(verified(place, options.out).text, "1 chunk, 2 events"));
  options.selection.filter.from = "";
  options.selection.filter.to = "400ms";
  CHECK(rewritten(place, options) == kDone);
  CHECK(has(verified(place, options.out).text, "1 chunk, 2 events"));
}

TEST_CASE("cut of everything leaves a recording without events") {
  const Workplace place;
  RewriteOptions options = cut_of(place, two_chunks());
  options.selection.exclude_events = "*";
  CHECK(rewritten(place, options) == kDone);
  CHECK(has(verified(place, options.out).text, "1 chunk, 0 events"));
  CHECK(verified(place, options.out).code == kDone);
}

TEST_CASE("cut of nothing keeps every event and every constant, over several checkpoints") {
  const Workplace place;
  const Bytes recording = RecordingBuilder()
                              .frame_type(1, "x")
                              .simple_stack(1, "a/A", "f")
                              .sample(1100, 1)
                              .flush()
                              .simple_stack(2, "b/B", "g")
                              .sample(1200, 2)
                              .flush()
                              .sample(1300, 1)
                              .bytes();
  const RewriteOptions options = cut_of(place, recording);
  CHECK(rewritten(place, options) == kDone);
  CHECK(collapsed(place, options.out) == "a.A.f 2\nb.B.g 1\n");
  CHECK(has(verified(place, options.out).text, "no problem"));
}

TEST_CASE("scrub leaves no byte of what is left out, nor of constants that only it used") {
  const Workplace place;
  RewriteOptions options = scrub_of(place, two_chunks());
  options.selection.exclude_events = "test.*";
  options.selection.filter.to = "400ms";
  CHECK(rewritten(place, options) == kDone);
  const std::string out = place.read("out.jfr");
  for (const char* gone : {"hunter2", "first", "app/Hidden", "secretWork"}) CHECK_FALSE(has(out, gone));
  CHECK(has(out, "app/Kept"));
  CHECK(collapsed(place, options.out) == "app.Kept.run 1\n");
  CHECK(has(verified(place, options.out).text, "no problem"));
}

TEST_CASE("what is excluded goes when nothing else is asked for, by name and by the words of jfr scrub") {
  const Workplace place;
  for (const char* excluded : {"test.Text", "Text", "test.*"}) {
    for (const bool prune : {false, true}) {
      RewriteOptions options = cut_of(place, two_chunks());
      options.prune = prune;
      options.selection.exclude_events = excluded;
      CHECK(rewritten(place, options) == kDone);
      const std::string out = place.read("out.jfr");
      CHECK_FALSE(has(out, "hunter2"));
      CHECK(has(verified(place, options.out).text, "2 chunks, 3 events"));
    }
  }
}

TEST_CASE("events of undeclared types stay only where nothing is asked for") {
  const Workplace place;
  RewriteOptions options = cut_of(place, RecordingBuilder().raw({8, 99, 'u', 'n', 'k', 'n', 'o', 'w'}).bytes());
  CHECK(rewritten(place, options) == kDamaged);
  CHECK(has(place.read("out.jfr"), "unknow"));
  options.selection.filter.events = "jdk.ExecutionSample";
  CHECK(rewritten(place, options) == kDamaged);
  CHECK_FALSE(has(place.read("out.jfr"), "unknow"));
}

TEST_CASE("scrub --secrets replaces secrets in texts and keeps the events") {
  const Workplace place;
  RewriteOptions options = scrub_of(place, two_chunks());
  options.secrets = true;
  CHECK(rewritten(place, options) == kDone);
  const std::string out = place.read("out.jfr");
  CHECK_FALSE(has(out, "hunter2"));
  CHECK(has(out, "password=[redacted] and more"));
  CHECK(has(verified(place, options.out).text, "2 chunks, 5 events"));
  CHECK(has(verified(place, options.out).text, "no problem"));
}

TEST_CASE("scrub drops bytes that no field owns, and events that cannot be decoded") {
  const Workplace place;
  const Bytes recording = RecordingBuilder()
                              .raw({11, RecordingBuilder::kText, 1, 1, 'h', 'i', 'd', 'd', 'e', 'n', '!'})
                              .raw({8, 99, 'u', 'n', 'k', 'n', 'o', 'w'})
                              .raw({8, RecordingBuilder::kText, 1, 3, 50, 'l', 'o', 'n'})
                              .text(1500, "good")
                              .bytes();
  RewriteOptions options = scrub_of(place, recording);
  CHECK(rewritten(place, options) == kDamaged);
  const std::string out = place.read("out.jfr");
  for (const char* gone : {"hidden", "unknow", "lon"}) CHECK_MESSAGE(!has(out.substr(out.find("good")), gone), gone);
  CHECK(has(out, "good"));
  CHECK(has(verified(place, options.out).text, "1 chunk, 2 events"));
}

TEST_CASE("an output is its owner's, appears whole, and never stands where the input stood") {
  const Workplace place;
  RewriteOptions options = cut_of(place, two_chunks());
  CHECK(rewritten(place, options) == kDone);
  struct stat status {};
  REQUIRE(::stat(options.out.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  options.out = options.file;
  CHECK(rewritten(place, options) == kUsageError);
  CHECK(bytes_of(place, "in.jfr") == two_chunks());
  options.out = place.path("missing/out.jfr");
  CHECK(rewritten(place, options) == kOutputFailed);
  options.out = place.path("out.jfr");
  options.file = place.write("bad.jfr", Bytes(500, 1));
  CHECK(rewritten(place, options) == kNothingReadable);
  CHECK(files_in(place.path("")) == 4);  // in, out, bad and what was printed: no temporary is left
}

TEST_CASE("merge keeps constants of different programs apart, though they have the same keys") {
  const Workplace place;
  const auto program = [](const char* name) {
    return RecordingBuilder().frame_type(1, name).simple_stack(1, name, "run").sample(1500, 1).bytes();
  };
  const std::string a = place.write("a.jfr", program("a/A")), b = place.write("b.jfr", program("b/B"));
  CHECK(merged(place, {a, b}) == kDone);
  CHECK(collapsed(place, place.path("out.jfr")) == "a.A.run 1\nb.B.run 1\n");
  CHECK(has(verified(place, place.path("out.jfr")).text, "2 chunks, 2 events"));
  CHECK(has(verified(place, place.path("out.jfr")).text, "no problem"));
  const Bytes out = bytes_of(place, "out.jfr");
  CHECK(id_of_type(out, 0, "jdk.ExecutionSample") == id_of_type(out, 1, "jdk.ExecutionSample"));
  CHECK(id_of_type(out, 0, "jdk.types.Symbol") != id_of_type(out, 1, "jdk.types.Symbol"));
  CHECK(id_of_type(out, 1, "jdk.types.Symbol") != 0);
  CHECK(metadata_id(out, 0) != metadata_id(out, 1));
  CHECK(metadata_id(out, 1) > 0xffff);
  CHECK((out[67] & 2) == 0);
}

TEST_CASE("merge puts the chunks of all programs on one clock, and every event stays at its time") {
  const Workplace place;
  const auto program = [](const char* name, uint64_t start_ns, uint64_t start_ticks, uint64_t ticks_per_second) {
    Bytes recording = RecordingBuilder().frame_type(1, name).simple_stack(1, name, "run").sample(5000, 1).bytes();
    put_header(recording, 32, start_ns);
    put_header(recording, 48, start_ticks);
    put_header(recording, 56, ticks_per_second);
    return recording;
  };
  constexpr uint64_t kStart = 1'700'000'000'000'000'000;
  const std::string a = place.write("a.jfr", program("a/A", kStart + 1'000'000'000, 1000, 2'000'000'000));
  const std::string b = place.write("b.jfr", program("b/B", kStart, 2000, 1'000'000'000));
  CHECK(merged(place, {a, b}) == kDone);
  const Bytes out = bytes_of(place, "out.jfr");
  const std::vector<jfr::read::ChunkHeader> headers = headers_of(out);
  REQUIRE(headers.size() == 2);
  CHECK(headers[0].start_ns == kStart);
  CHECK(headers[1].start_ns == kStart + 1'000'000'000);
  CHECK(headers[0].ticks_per_second == headers[1].ticks_per_second);
  CHECK(jfr::read::Clock(headers[0]).unix_ns(headers[1].start_ticks) == headers[1].start_ns);
  // 5000 ticks are 4000 behind the one start, 2 to a nanosecond, and 3000 behind the other.
  CHECK(start_times(out, headers[0]) == std::vector<int64_t>{kStart + 3000, kStart + 1'000'002'000});
}

TEST_CASE("merge takes a chunk that stands in two files once") {
  const Workplace place;
  const std::string a = place.write("a.jfr", two_chunks()), b = place.write("b.jfr", two_chunks());
  CHECK(merged(place, {a, b}) == kDone);
  CHECK(has(verified(place, place.path("out.jfr")).text, "2 chunks, 5 events"));
}

TEST_CASE("merge of one recording is that recording, marked at its end") {
  const Workplace place;
  Bytes recording = two_chunks();
  CHECK(merged(place, {place.write("a.jfr", recording)}) == kDone);
  Bytes out = bytes_of(place, "out.jfr");
  REQUIRE(out.size() == recording.size());
  size_t differences = 0;
  for (size_t i = 0; i < out.size(); ++i) differences += out[i] != recording[i];
  CHECK(differences == 1);  // the flag of the last chunk
}

TEST_CASE("disassembled pieces joined are the recording, and no file is written over") {
  const Workplace place;
  const Quiet quiet;
  const std::string file = place.write("big.jfr", two_chunks());
  DisassembleOptions options;
  options.file = file;
  options.directory = place.path("pieces");
  options.max_chunks = 1;
  std::filesystem::create_directory(options.directory);
  int code = -1;
  place.output_of([&](Output& out) { return run_disassemble(options, out); }, code);
  CHECK(code == kDone);
  CHECK(files_in(options.directory) == 2);
  CHECK(place.read("pieces/big_0.jfr") + place.read("pieces/big_1.jfr") == place.read("big.jfr"));
  place.output_of([&](Output& out) { return run_disassemble(options, out); }, code);
  CHECK(code == kUsageError);
  CHECK(files_in(options.directory) == 2);
}

TEST_CASE("damage: metadata behind an impossible event goes into what is cut, scrubbed and merged") {
  const Workplace place;
  Bytes bad = RecordingBuilder().symbol(1, "a").flush().text(1500, "kept").bytes();
  const jfr::read::ChunkHeader header = headers_of(bad).at(0);
  REQUIRE(header.metadata < header.checkpoint);
  bad.insert(bad.begin() + jfr::kHeaderSize, 3, uint8_t{0});  // the walk goes on at the checkpoint
  put_header(bad, jfr::kSizeOffset, header.size + 3);
  put_header(bad, jfr::kCheckpointOffset, header.checkpoint + 3);
  put_header(bad, jfr::kMetadataOffset, header.metadata + 3);
  for (const bool prune : {false, true}) {
    RewriteOptions options = cut_of(place, bad);
    options.prune = prune;
    CHECK(rewritten(place, options) == kDamaged);
    CHECK(summary_of(place, options.out).code == kDone);
    CHECK(has(summary_of(place, options.out).text, "{\"name\":\"test.Text\",\"count\":1,"));
  }
  CHECK(merged(place, {place.write("bad.jfr", bad)}) == kDamaged);
  CHECK(summary_of(place, place.path("out.jfr")).code == kDone);
  CHECK(has(summary_of(place, place.path("out.jfr")).text, "{\"name\":\"test.Text\",\"count\":1,"));
}

TEST_CASE("damage: mutated recordings never break a command, and what it writes can be read") {
  const Workplace place;
  const Bytes good = two_chunks();
  const std::string other = place.write("other.jfr", good);
  std::mt19937 random(20);
  for (int round = 0; round < 300; ++round) {
    Bytes bad = good;
    for (int flips = static_cast<int>(random() % 6) + 1; flips > 0; --flips)
      bad[random() % bad.size()] = static_cast<uint8_t>(random() % 3 == 0 ? 0xff : random());
    if (random() % 4 == 0) bad.resize(random() % bad.size());
    const std::string file = place.write("bad.jfr", bad);
    INFO("round " << round);
    const int code = verified(place, file).code;
    CHECK((code == kDone || code == kDamaged || code == kNothingReadable || (bad.empty() && code == kNothingReadable)));
    RewriteOptions options = scrub_of(place, bad);
    options.secrets = true;
    options.prune = round % 2 == 0;
    options.selection.filter.to = round % 3 == 0 ? "1s" : "";
    const int cut = rewritten(place, options);
    CHECK((cut == kDone || cut == kDamaged || cut == kNothingReadable));
    if (cut != kNothingReadable && options.prune) {
      const Printed after = verified(place, options.out, true);
      CHECK_MESSAGE(!has(after.text, "\"kind\":\"structure\""), after.text);
      CHECK_MESSAGE(!has(after.text, "\"kind\":\"checkpoint\""), after.text);
      CHECK_MESSAGE(!has(after.text, "\"kind\":\"event\""), after.text);
    }
    const int together = merged(place, {other, file});
    CHECK((together == kDone || together == kDamaged));
  }
}
