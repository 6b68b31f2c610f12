// SPDX-License-Identifier: Apache-2.0
// Damaged recordings through jrec.h: every call of it, whatever the file says.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/format/c_calls.h"
#include "tests/mutation.h"
#include "tests/thin.h"

using namespace test;

namespace {

struct ReadByC {
  size_t events = 0;
  std::vector<std::string> texts;
  jrec_status end = JREC_OK;
  size_t problems = 0;
};

void read_fields(jrec_file* file, jrec_type* type) {
  const char* path = nullptr;
  jrec_kind kind = JREC_OTHER;
  for (size_t i = 0; i < 64 && jrec_type_field(type, i, &path, &kind) == JREC_OK; ++i) {
    jrec_field* field = nullptr;
    const char* text = nullptr;
    int64_t integer = 0;
    double real = 0;
    uint32_t stack = 0;
    REQUIRE(jrec_bind(type, path, &field) == JREC_OK);
    REQUIRE(jrec_int64(field, &integer) <= JREC_NULL);
    REQUIRE(jrec_double(field, &real) <= JREC_NULL);
    REQUIRE(jrec_text(field, &text, nullptr) <= JREC_NULL);
    if (jrec_stack(field, &stack) == JREC_OK) c_stack(file, stack);
  }
  int64_t ns = 0;
  REQUIRE(jrec_start_time(file, &ns) <= JREC_NULL);
  REQUIRE(jrec_duration(file, &ns) <= JREC_NULL);
}

ReadByC read_by_c(const Bytes& bytes) {
  CFile c(bytes);
  REQUIRE(c.opened == JREC_OK);
  jrec_field* const text = c.field("test.Text", "text");
  ReadByC read;
  jrec_type* type = nullptr;
  while ((read.end = jrec_next(c.file, &type)) == JREC_OK) {
    ++read.events;
    read_fields(c.file, type);
    const char* at = nullptr;
    if (jrec_text(text, &at, nullptr) == JREC_OK) read.texts.emplace_back(at);
  }
  read.problems = jrec_problem_count(c.file);
  uint64_t offset = 0;
  for (size_t i = 0; const char* problem = jrec_problem(c.file, i, &offset); ++i) REQUIRE(problem[0] != 0);
  REQUIRE((read.end == JREC_END || read.end == JREC_DAMAGED));
  REQUIRE((read.end == JREC_DAMAGED) == (read.problems != 0));
  if (read.end == JREC_DAMAGED) REQUIRE(c.error().starts_with("made.jfr: at 0x"));
  return read;
}

// The rows of samples, twice read: by small rooms and at once.
size_t rows_by_c(const Bytes& bytes, size_t room) {
  CFile c(bytes);
  std::vector<uint32_t> stacks(room), threads(room);
  std::vector<int64_t> times(room);
  const jrec_column columns[] = {{c.field("jdk.ExecutionSample", "stackTrace"), JREC_STACK, stacks.data(), nullptr},
                                 {c.field("jdk.ExecutionSample", "sampledThread"), JREC_TEXT, threads.data(), nullptr},
                                 {c.field("jdk.ExecutionSample", "startTime"), JREC_INTEGER, times.data(), nullptr}};
  size_t all = 0, rows = 0;
  jrec_status status = JREC_OK;
  while (status == JREC_OK) {
    status = jrec_rows(c.type("jdk.ExecutionSample"), columns, 3, room, &rows);
    all += rows;
  }
  REQUIRE((status == JREC_END || status == JREC_DAMAGED));
  return all;
}

}  // namespace

TEST_CASE("damage: through C, a recording cut at any byte yields the events before the cut, and says so at the end") {
  const Bytes whole = shapes();
  REQUIRE(read_by_c(whole).texts == std::vector<std::string>{"first", "second"});
  size_t most = 0;
  for (size_t size = 0; size < whole.size(); size += ::test::kThin) {
    const ReadByC read = read_by_c(Bytes(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)));
    REQUIRE(read.events >= most);
    most = read.events;
  }
  CHECK(most == 7);
}

TEST_CASE("damage: through C, no mutation makes a call fail in a way that it may not, and other chunks are read") {
  const Victim victim(shapes());
  REQUIRE(victim.chunks.size() == 2);
  for (uint64_t number = 0; number < 3000; number += ::test::kThin) {
    const Mutation made = mutate(victim, number);
    CAPTURE(number);
    CAPTURE(made.kind);
    const ReadByC read = read_by_c(made.bytes);
    const auto has = [&](const char* text) {
      return std::find(read.texts.begin(), read.texts.end(), text) != read.texts.end();
    };
    if (made.spared(0)) REQUIRE(has("first"));
    if (made.spared(1)) REQUIRE(has("second"));
    REQUIRE(rows_by_c(made.bytes, 2) == rows_by_c(made.bytes, 100));
  }
}

TEST_CASE("damage: through C, an end that is not the end of all is DAMAGED, with file, offset and reason") {
  Bytes bytes = shapes();
  const Victim victim(bytes);
  bytes[victim.chunks[1].offset] = 'X';
  CFile c(bytes);
  size_t events = 0;
  jrec_status status = JREC_OK;
  while ((status = jrec_next(c.file, nullptr)) == JREC_OK) ++events;
  CHECK(events == 3);
  CHECK(status == JREC_DAMAGED);
  char place[64];
  std::snprintf(place, sizeof place, "made.jfr: at 0x%llx: ", static_cast<unsigned long long>(victim.chunks[1].offset));
  CHECK(c.error().starts_with(place));
  CHECK(jrec_problem_count(c.file) == 1);
  CFile nothing(Bytes{});
  CHECK(jrec_next(nothing.file, nullptr) == JREC_DAMAGED);
  CHECK(nothing.error() == "made.jfr: at 0x0: holds no chunk");
}

TEST_CASE("damage: through C, an event of a type that is not declared is a problem, and passed over") {
  const Bytes bytes = RecordingBuilder().other(77, {1, 2}).other(77, {1, 2}).text(1, "good").bytes();
  const ReadByC read = read_by_c(bytes);
  CHECK(read.texts == std::vector<std::string>{"good"});
  CHECK(read.problems == 1);
}

TEST_CASE("damage: through C, one long class of many methods does not take its length for each") {
  RecordingBuilder builder;
  const std::string name(10'000, 'x');
  builder.symbol(1, name).symbol(2, "m").klass(1, 1);
  std::vector<RecordingBuilder::FrameRef> frames;
  for (uint64_t i = 1; i <= 300; ++i) builder.method(i, 1, 2), frames.push_back({i, 1});
  CFile c(builder.stack(1, frames).sample(1500, 1).bytes());
  REQUIRE(jrec_next(c.file, nullptr) == JREC_OK);
  uint32_t stack = 0;
  CHECK(jrec_stack(c.field("jdk.ExecutionSample", "stackTrace"), &stack) == JREC_OK);
  size_t depth = 0;
  CHECK(jrec_stack_size(c.file, stack, &depth, nullptr) == JREC_OK);
  CHECK(depth == 300);
  jrec_frame frame;
  CHECK(jrec_stack_frame(c.file, stack, 299, &frame) == JREC_OK);
  CHECK((frame.type == name));
}
