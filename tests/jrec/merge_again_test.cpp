// SPDX-License-Identifier: Apache-2.0
// What merge has made is merged once more, beside recordings of the same programs.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "format/header_layout.h"
#include "format/reader/chunk_header.h"
#include "tests/jrec/files.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"

using namespace jrec;
using namespace test;

namespace {

// A chunk of a program, so many seconds behind the first.
Bytes chunk_of(int64_t pid, int64_t behind_s, int samples) {
  using namespace test::made;
  Bytes bytes = MadeEvents()
                    .seconds(2)
                    .add("jdk.JVMInformation", 1, {{"pid", whole(pid)}, {"jvmStartTime", whole(5)}})
                    .samples(samples, {"app.Work.run", "java.lang.Thread.run"})
                    .bytes();
  const int64_t start_ns = jfr::read::parse_chunk_header(bytes, 0)->start_ns + behind_s * 1'000'000'000;
  for (size_t i = 0; i < 8; ++i) bytes[jfr::kStartNanosOffset + i] = static_cast<uint8_t>(start_ns >> (56 - 8 * i));
  return bytes;
}

// When the ticks of each chunk were 0.
std::vector<int64_t> zeros_of(const Bytes& recording) {
  std::vector<int64_t> zeros;
  for (size_t at = 0; at < recording.size();) {
    const auto header = jfr::read::parse_chunk_header(std::span(recording).subspan(at), at);
    REQUIRE(header);
    zeros.push_back(header->start_ns - header->start_ticks);
    at += header->size;
  }
  return zeros;
}

}  // namespace

TEST_CASE("merge of a merged file puts all of its programs' chunks on one clock") {
  const Workplace place;
  const std::string first = place.write("a1.jfr", chunk_of(1, 0, 3)), other = place.write("b.jfr", chunk_of(2, 10, 4)),
                    later = place.write("a2.jfr", chunk_of(1, 30, 5));
  REQUIRE(merged(place, {first, other}) == kDone);
  const std::string day = place.write("day.jfr", bytes_of(place, "out.jfr"));
  CHECK(merged(place, {day, later}) == kDone);
  const std::vector<int64_t> zeros = zeros_of(bytes_of(place, "out.jfr"));
  CHECK(zeros == std::vector<int64_t>(3, zeros[0]));
  CHECK(has(verified(place, place.path("out.jfr")).text, "no problem"));
  CHECK(collapsed(place, place.path("out.jfr")) == "java.lang.Thread.run;app.Work.run 12\n");
}

TEST_CASE("a chunk that merge has put on another clock is taken once beside the one that it was") {
  const Workplace place;
  const std::string first = place.write("a1.jfr", chunk_of(1, 0, 3)), other = place.write("b.jfr", chunk_of(2, 10, 4));
  REQUIRE(merged(place, {first, other}) == kDone);
  const std::string day = place.write("day.jfr", bytes_of(place, "out.jfr"));
  CHECK(merged(place, {day, first}) == kDone);
  CHECK(collapsed(place, place.path("out.jfr")) == "java.lang.Thread.run;app.Work.run 7\n");
  // Side by side, and as members of an archive, which has its chunks in pieces.
  const std::string archive = place.path("a.recz");
  REQUIRE(hear(place, {"archive", "add", "-q", archive, first, day}).code == kDone);
  for (std::vector<std::string> words : {std::vector{first, day}, {archive}}) {
    words.insert(words.begin(), "collapsed");
    CHECK(hear(place, words).out == "java.lang.Thread.run;app.Work.run 7\n");
  }
}

TEST_CASE("chunks that begin together and hold other events are all taken, however long they are") {
  using namespace test::made;
  const Workplace place;
  const std::string first = place.write("a1.jfr", chunk_of(1, 0, 3)), other = place.write("c.jfr", chunk_of(1, 0, 4));
  CHECK(merged(place, {first, other}) == kDone);
  CHECK(collapsed(place, place.path("out.jfr")) == "java.lang.Thread.run;app.Work.run 7\n");
  // As cut makes them, of other events and with an earlier end.
  MadeEvents part;
  for (int i = 0; i < 9; ++i) part.add("app.Order", i, {{"x", whole(i)}});
  const std::string shorter = place.write("part.jfr", part.seconds(1).bytes());
  CHECK(merged(place, {first, shorter}) == kDone);
  CHECK(has(summary_of(place, place.path("out.jfr")).text, "\"name\":\"app.Order\",\"count\":9,"));
  const Quiet quiet;
  int code = -1;
  const std::string both = place.output_of(
      [&](Output& out) {
        return run_summary({{first, shorter}, true}, out);
      },
      code);
  CHECK(has(both, "\"name\":\"app.Order\",\"count\":9,"));
}
