// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/recover.h"

#include <doctest/doctest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "jrec/base/exit_code.h"
#include "jrec/files/verify.h"
#include "jrec/print/summary.h"
#include "recover/done_mark.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/our_chunk.h"
#include "tests/thin.h"

namespace test {
namespace {

constexpr size_t kStateAt = 64;
constexpr size_t kSizeAt = 8;
constexpr size_t kCheckpointAt = 16;

// Three samples with their stack, in two flushes.
Bytes chunk() {
  RecordingBuilder builder;
  builder.simple_stack(1, "a/B", "run").sample(1000, 1).sample(2000, 1).flush();
  builder.simple_stack(2, "a/C", "go").sample(3000, 2).flush();
  return builder.bytes();
}

Bytes joined(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Outcome {
  int code;
  std::string said;
};

Outcome recover(const Workplace& place, const std::string& input, jrec::RecoverOptions options = {}) {
  options.input = place.path(input);
  Outcome outcome{};
  outcome.said = place.output_of([&](jrec::Output& out) { return static_cast<int>(jrec::run_recover(options, out)); },
                                 outcome.code);
  return outcome;
}

// app.jfr.chunks with chunks of these names, of three samples each.
std::string make_chunks(const Workplace& place, const std::vector<std::string>& names) {
  const std::string directory = place.path("app.jfr.chunks");
  REQUIRE(mkdir(directory.c_str(), 0700) == 0);
  for (const std::string& name : names) OurChunk().write(directory, name);
  return directory;
}

// How many samples `jrec summary` counts; fails unless the file is whole.
bool has_samples(const Workplace& place, const std::string& name, int count) {
  int code = -1;
  const std::string text = place.output_of(
      [&](jrec::Output& out) {
        return static_cast<int>(jrec::run_summary({.files = {place.path(name)}, .json = true}, out));
      },
      code);
  CHECK(code == 0);
  return text.find("\"name\":\"jdk.ExecutionSample\",\"count\":" + std::to_string(count) + ",") != std::string::npos;
}

TEST_CASE("a whole recording is left as it is, and copied byte for byte when a copy is wished") {
  const Workplace place;
  place.write("a.jfr", joined(chunk(), chunk()));
  const Outcome plain = recover(place, "a.jfr");
  CHECK(plain.code == 0);
  CHECK(plain.said.find("nothing to repair") != std::string::npos);
  CHECK(access(place.path("a-recovered.jfr").c_str(), F_OK) != 0);
  const Outcome copy = recover(place, "a.jfr", {.out = place.path("b.jfr")});
  CHECK(copy.code == 0);
  CHECK(place.read("b.jfr") == place.read("a.jfr"));
}

TEST_CASE("damage: a chunk left open gets the state that readers want, and nothing else changes") {
  const Workplace place;
  Bytes bytes = joined(chunk(), chunk());
  Bytes open = bytes;
  open[chunk().size() + kStateAt] = 7;
  place.write("a.jfr", open);
  CHECK(recover(place, "a.jfr").code == 0);
  CHECK(place.read("a-recovered.jfr") == std::string(bytes.begin(), bytes.end()));
  struct stat st {};
  REQUIRE(stat(place.path("a-recovered.jfr").c_str(), &st) == 0);
  CHECK((st.st_mode & 0777) == 0600);
}

TEST_CASE("damage: a header with size 0 is given the size that there is") {
  const Workplace place;
  Bytes bytes = chunk();
  for (size_t i = 0; i < 8; ++i) bytes[kSizeAt + i] = 0;
  place.write("a.jfr", bytes);
  CHECK(recover(place, "a.jfr").code == 2);
  CHECK(has_samples(place, "a-recovered.jfr", 3));
}

TEST_CASE("damage: cut anywhere, a recording gives one that is whole, or nothing") {
  const Workplace place;
  const Bytes bytes = joined(chunk(), chunk());
  for (size_t size = 1; size < bytes.size(); size += 3) {
    CAPTURE(size);
    place.write("a.jfr", Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
    const Outcome outcome = recover(place, "a.jfr", {.out = place.path("b.jfr")});
    if (size >= chunk().size()) CHECK((outcome.code == 2 || (outcome.code == 0 && size == chunk().size())));
    CHECK((outcome.code == 3) == (access(place.path("b.jfr").c_str(), F_OK) != 0));
    if (outcome.code == 3) continue;
    CHECK(recover(place, "b.jfr").said.find("nothing to repair") != std::string::npos);
    unlink(place.path("b.jfr").c_str());
  }
}

TEST_CASE("damage: what is behind a broken event is saved as well") {
  const Workplace place;
  RecordingBuilder builder;
  builder.simple_stack(1, "a/B", "run").sample(1000, 1).raw(Bytes(40, 0)).flush();
  builder.sample(2000, 1).sample(3000, 1).flush();
  place.write("a.jfr", builder.bytes());
  CHECK(recover(place, "a.jfr").code == 2);
  CHECK(has_samples(place, "a-recovered.jfr", 3));
}

TEST_CASE("damage: tails of zeros and of garbage are cut off, chunks between garbage are kept") {
  const Workplace place;
  const Bytes zeros(1000, 0), garbage(1000, 0xA5), both = joined(chunk(), chunk());
  for (const Bytes& tail : {zeros, garbage}) {
    place.write("a.jfr", joined(joined(chunk(), tail), joined(chunk(), tail)));
    CHECK(recover(place, "a.jfr", {.out = place.path("b.jfr")}).code == 2);
    CHECK(place.read("b.jfr") == std::string(both.begin(), both.end()));
  }
}

TEST_CASE("damage: a last chunk without constants is dropped, and said") {
  const Workplace place;
  RecordingBuilder builder;
  Bytes last = builder.sample(1000, 1).bytes();
  last.resize(size_t{last[kCheckpointAt + 6]} << 8 | last[kCheckpointAt + 7]);  // the only one, at the end
  last[kSizeAt + 4] = 0x40;                                                     // 1 GiB, as while it is written
  place.write("a.jfr", joined(chunk(), last));
  const Outcome outcome = recover(place, "a.jfr", {.json = true});
  CHECK(outcome.code == 2);
  CHECK(outcome.said.find("\"kept\":1,\"repaired\":0,\"dropped\":1") != std::string::npos);
  CHECK(has_samples(place, "a-recovered.jfr", 3));
}

TEST_CASE("nothing is written over without being told to, and nothing at all in a dry run") {
  const Workplace place;
  Bytes bytes = chunk();
  bytes[kStateAt] = 1;
  place.write("a.jfr", bytes);
  place.write("a-recovered.jfr", {'x'});
  CHECK(recover(place, "a.jfr").code == 1);
  CHECK(place.read("a-recovered.jfr") == "x");
  CHECK(recover(place, "a.jfr", {.out = place.path("a-recovered.jfr"), .dry_run = true}).code == 0);
  CHECK(place.read("a-recovered.jfr") == "x");
}

TEST_CASE("damage: what a recording is recovered from is not written over, by whatever name it is called") {
  const Workplace place;
  Bytes bytes = chunk();
  bytes[kStateAt] = 1;
  place.write("a.jfr", bytes);
  std::filesystem::create_symlink(place.path("a.jfr"), place.path("link.jfr"));
  const std::string before = place.read("a.jfr");
  for (const char* name : {"a.jfr", "./a.jfr", "link.jfr"}) {
    CHECK(recover(place, "a.jfr", {.out = place.path(name)}).code == jrec::kUsageError);
    CHECK(place.read("a.jfr") == before);
  }
}

TEST_CASE("damage: no file, an empty one and one that is no recording have their exit codes") {
  const Workplace place;
  CHECK(recover(place, "none.jfr").code == 1);
  place.write("empty.jfr", {});
  CHECK(recover(place, "empty.jfr").code == 3);
  place.write("text.jfr", Bytes(5000, 'x'));
  CHECK(recover(place, "text.jfr").code == 3);
}

TEST_CASE("the directory of a process that lives is refused and not touched") {
  const Workplace place;
  const std::string directory = make_chunks(place, {"2026_11_21_13_45_10-4711-0001.jfr"});
  const int owner = open(directory.c_str(), O_RDONLY | O_DIRECTORY);
  REQUIRE(flock(owner, LOCK_EX | LOCK_NB) == 0);
  CHECK(recover(place, "app.jfr.chunks").code == 1);
  CHECK(access(place.path("app.jfr").c_str(), F_OK) != 0);
  close(owner);
  CHECK(recover(place, "app.jfr.chunks").code == 0);
  CHECK(has_samples(place, "app.jfr", 3));
  CHECK(access(directory.c_str(), F_OK) != 0);
}

TEST_CASE("damage: a directory with a broken chunk gives what is good, and stays") {
  const Workplace place;
  const std::string directory = place.path("app.jfr.chunks");
  REQUIRE(mkdir(directory.c_str(), 0700) == 0);
  place.write("app.jfr", {'o', 'l', 'd'});
  const std::string cut = "2026_11_21_12_45_10-4711-0002.jfr";
  OurChunk().write(directory, "2026_11_21_13_45_10-4711-0001.jfr");
  OurChunk().write(directory, cut);
  std::filesystem::resize_file(directory + "/" + cut, std::filesystem::file_size(directory + "/" + cut) - 5);
  CHECK(recover(place, "app.jfr.chunks").code == 2);
  CHECK(place.read("app.jfr") == "old");
  CHECK(access(directory.c_str(), F_OK) == 0);
  CHECK(has_samples(place, "app-recovered.jfr", 6));
}

// As if the recovery before had been killed when it had removed the first of two chunks.
TEST_CASE("damage: a recovery that was killed before it removed its sources is finished, not done again") {
  for (const bool elsewhere : {false, true}) {
    const Workplace place;
    const std::string made = place.path(elsewhere ? "out.jfr" : "app.jfr");
    const jrec::RecoverOptions options{.out = elsewhere ? made : ""};
    const std::string first = "2026_11_21_13_45_10-4711-0001.jfr";
    const std::string directory = make_chunks(place, {first, "2026_11_21_13_45_11-4711-0002.jfr"});
    jrec::RecoverOptions keep = options;
    keep.keep = true;
    REQUIRE(recover(place, "app.jfr.chunks", keep).code == 0);
    const std::string whole = place.read(elsewhere ? "out.jfr" : "app.jfr");
    const int file = open(made.c_str(), O_RDONLY);
    REQUIRE(rec::set_done_mark(directory, 4711, file, made));
    close(file);
    REQUIRE(unlink((directory + "/" + first).c_str()) == 0);
    CHECK(recover(place, "app.jfr.chunks", keep).code == 0);
    CHECK(access(directory.c_str(), F_OK) == 0);
    CHECK(recover(place, "app.jfr.chunks", options).code == 0);
    CHECK(place.read(elsewhere ? "out.jfr" : "app.jfr") == whole);
    CHECK(access(place.path("app-recovered.jfr").c_str(), F_OK) != 0);
    CHECK(access(directory.c_str(), F_OK) != 0);
  }
}

TEST_CASE(
    "damage: a mark of a recording that never got its name, or is another file by now, keeps nothing from being "
    "recovered") {
  const Workplace place;
  const std::string directory = make_chunks(place, {"2026_11_21_13_45_10-4711-0001.jfr"});
  const int other = open(place.write("other", {'x'}).c_str(), O_RDONLY);
  REQUIRE(rec::set_done_mark(directory, 4711, other, place.path("app.jfr")));
  close(other);
  CHECK(recover(place, "app.jfr.chunks").code == 0);
  CHECK(has_samples(place, "app.jfr", 3));
  CHECK(access(directory.c_str(), F_OK) != 0);
}

TEST_CASE("a recording is not written among the chunks that it is made of") {
  const Workplace place;
  const std::string chunk = "2026_11_21_13_45_10-4711-0001.jfr", directory = make_chunks(place, {chunk});
  CHECK(recover(place, "app.jfr.chunks", {.out = directory + "/" + chunk}).code == 1);
  CHECK(recover(place, "app.jfr.chunks", {.out = directory + "/new.jfr"}).code == 1);
  CHECK(recover(place, "app.jfr.chunks").code == 0);
  CHECK(has_samples(place, "app.jfr", 3));
}

TEST_CASE("chunks of two processes never come into one recording") {
  const Workplace place;
  make_chunks(place, {"2026_11_21_13_45_10-17-0001.jfr", "2026_11_21_13_45_10-18-0001.jfr"});
  CHECK(recover(place, "app.jfr.chunks").code == 0);
  CHECK(has_samples(place, "app-recovered-17.jfr", 3));
  CHECK(has_samples(place, "app-recovered-18.jfr", 3));
}

TEST_CASE("damage: of chunks in which any bit has turned, all is recovered, or what is ruined is said and they stay") {
  const Workplace place;
  const std::string directory = make_chunks(place, {"2026_11_21_13_45_10-4711-0001.jfr"});
  OurChunk{.closed = false}.write(directory, "2026_11_21_13_45_11-4711-0002.jfr");
  const jrec::RecoverOptions options{.out = place.path("out.jfr"), .keep = true};
  REQUIRE(recover(place, "app.jfr.chunks", options).code == 0);
  const std::string whole = place.read("out.jfr");
  const size_t step = ::test::kThin == 1 ? 1 : 5;
  unsigned ruined = 0, healed = 0;
  for (const char* name : {"2026_11_21_13_45_10-4711-0001.jfr", "2026_11_21_13_45_11-4711-0002.jfr"}) {
    const std::string path = std::string("app.jfr.chunks/") + name, before = place.read(path);
    for (size_t bit = 0; bit < before.size() * 8; bit += (bit < 68 * 8 ? 13 : 1511) * step) {
      CAPTURE(path);
      CAPTURE(bit);
      Bytes bytes(before.begin(), before.end());
      bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
      place.write(path, bytes);
      const Outcome outcome = recover(place, "app.jfr.chunks", {.out = place.path("out.jfr")});
      if (outcome.code == 0) {
        ++healed;
        CHECK(place.read("out.jfr") == whole);
        REQUIRE(mkdir(directory.c_str(), 0700) == 0);
        OurChunk().write(directory, "2026_11_21_13_45_10-4711-0001.jfr");
        OurChunk{.closed = false}.write(directory, "2026_11_21_13_45_11-4711-0002.jfr");
      } else {
        ++ruined;
        CHECK(outcome.code == 2);
        CHECK(place.read(path) == std::string(bytes.begin(), bytes.end()));
      }
      place.write(path, Bytes(before.begin(), before.end()));
    }
  }
  CHECK(ruined > 60 / step);
  CHECK(healed > 20 / step);  // in the filler, and in what of the header follows from the rest
}

TEST_CASE("damage: what is called whole of another writer's recording is so to verify, wherever it was hit") {
  const Workplace place;
  const auto verified = [&](const std::string& name) {
    int code = -1;
    place.output_of(
        [&](jrec::Output& out) { return static_cast<int>(jrec::run_verify({.files = {place.path(name)}}, out)); },
        code);
    return code;
  };
  const Bytes whole = chunk();
  place.write("a.jfr", whole);
  REQUIRE(verified("a.jfr") == 0);
  REQUIRE(mkdir(place.path("d").c_str(), 0700) == 0);
  unsigned called_whole = 0, called_ruined = 0;
  for (size_t at = 68; at < whole.size(); at += 3)
    for (const bool flip : {true, false}) {
      CAPTURE(at);
      CAPTURE(flip);
      Bytes hit = whole;
      for (size_t i = at; i < std::min(at + (flip ? 1 : 24), hit.size()); ++i)
        hit[i] = flip ? static_cast<uint8_t>(hit[i] ^ 0x08) : uint8_t{0};
      place.write("d/a.jfr", hit);
      const int code = recover(place, "d", {.out = place.path("out.jfr")}).code;
      called_whole += code == 0;
      called_ruined += code != 0;
      if (code == 0) CHECK(verified("out.jfr") == 0);
    }
  CHECK(called_whole > 20);
  CHECK(called_ruined > 200);
}

TEST_CASE("damage: links, pipes and giants named like chunks are not read, and said, and all of it stays") {
  const Workplace place;
  const std::string directory = place.path("app.jfr.chunks");
  REQUIRE(mkdir(directory.c_str(), 0700) == 0);
  const auto named = [&](int number) {
    return directory + "/2026_11_21_13_45_10-4711-000" + std::to_string(number) + ".jfr";
  };
  OurChunk().write(directory, "2026_11_21_13_45_10-4711-0001.jfr");
  REQUIRE(symlink("/dev/zero", named(2).c_str()) == 0);
  REQUIRE(mkfifo(named(3).c_str(), 0600) == 0);
  std::filesystem::copy_file(named(1), named(4));
  REQUIRE(truncate(named(4).c_str(), off_t{20} << 30) == 0);
  std::filesystem::copy_file(named(1), place.path("elsewhere.jfr"));
  REQUIRE(symlink(place.path("elsewhere.jfr").c_str(), named(5).c_str()) == 0);
  REQUIRE(mkdir(named(6).c_str(), 0700) == 0);
  const Outcome outcome = recover(place, "app.jfr.chunks", {.json = true});
  CHECK(outcome.code == 2);
  CHECK(outcome.said.find("\"kept\":1,\"repaired\":0,\"dropped\":5,") != std::string::npos);
  for (int number = 2; number <= 6; ++number) CHECK(outcome.said.find(named(number)) != std::string::npos);
  CHECK(has_samples(place, "app.jfr", 3));
  CHECK(access(named(1).c_str(), F_OK) == 0);
}

}  // namespace
}  // namespace test
