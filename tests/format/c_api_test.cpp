// SPDX-License-Identifier: Apache-2.0
// The reader through jrec.h.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/format/c_calls.h"
#include "tests/format/old_builder.h"

using namespace test;

namespace {

// A recording of version 0.9 with one sample, of the thread main.
Bytes old_sample() {
  OldBuilder builder;
  builder.thread(7, "main").java_thread(1, 7).simple_stack(5, "a/A", "run").checkpoint(2000);
  return builder.sample(1500, 7, 5).bytes();
}

}  // namespace

TEST_CASE("a program in C sees the events of all chunks in order, and END only when all was good") {
  const Bytes bytes = shapes();
  CFile c(bytes);
  REQUIRE(c.opened == JREC_OK);
  std::string names;
  jrec_type* type = nullptr;
  jrec_status status = JREC_OK;
  while ((status = jrec_next(c.file, &type)) == JREC_OK) names += std::string(jrec_type_name(type)) + " ";
  CHECK(names ==
        "jdk.ExecutionSample test.Shapes test.Text jdk.ExecutionSample jdk.ExecutionSample jdk.ExecutionSample "
        "test.Text ");
  CHECK(status == JREC_END);
  CHECK(type == nullptr);
  CHECK(jrec_next(c.file, &type) == JREC_END);
  CHECK(c.error().empty());
  CHECK(jrec_api_version() == JREC_API_VERSION);
}

TEST_CASE("a recording of version 0.9 is read like the others") {
  const Bytes bytes = old_sample();
  CFile c(bytes);
  REQUIRE(c.opened == JREC_OK);
  jrec_field* const thread = c.field("jdk.ExecutionSample", "sampledThread.osName");
  REQUIRE(jrec_select(c.type("jdk.ExecutionSample")) == JREC_OK);
  REQUIRE(jrec_next(c.file, nullptr) == JREC_OK);
  CHECK(c_text(thread) == "main");
  int64_t start = 0;
  CHECK(jrec_start_time(c.file, &start) == JREC_OK);
  CHECK(start == 1'000'500'000);
  CHECK(jrec_next(c.file, nullptr) == JREC_END);
}

TEST_CASE("a frame whose class or method has an empty name is its other name, as async-profiler's of native code are") {
  const auto text_with = [](std::string_view type, std::string_view method) {
    OldBuilder builder;
    builder.thread(7, "main").java_thread(1, 7).simple_stack(5, type, method).checkpoint(2000);
    const Bytes bytes = builder.sample(1500, 7, 5).bytes();
    CFile c(bytes);
    REQUIRE(jrec_select(c.type("jdk.ExecutionSample")) == JREC_OK);
    REQUIRE(jrec_next(c.file, nullptr) == JREC_OK);
    uint32_t stack = 0;
    REQUIRE(jrec_stack(c.field("jdk.ExecutionSample", "stackTrace"), &stack) == JREC_OK);
    const char* text = nullptr;
    REQUIRE(jrec_stack_text(c.file, stack, 0, &text, nullptr) == JREC_OK);
    return std::string(text);
  };
  CHECK(text_with("a/A", "run") == "a.A.run");
  CHECK(text_with("", "read;2") == "read,2");
  CHECK(text_with("a/A", "") == "a.A");
  CHECK(text_with("", "") == "[unknown]");
}

TEST_CASE("damage: of a recording of version 0.9 that was cut what is there is read, and the end says so") {
  const Bytes bytes = old_sample();
  for (size_t size = 1; size < bytes.size(); ++size) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    CFile c(cut);
    jrec_status status = c.opened;
    while (status == JREC_OK) status = jrec_next(c.file, nullptr);
    CHECK_MESSAGE(status == JREC_DAMAGED, size);
  }
}

TEST_CASE("fields that are bound once are read in every chunk, by their kind") {
  const Bytes bytes = shapes();
  CFile c(bytes);
  jrec_field* const text = c.field("test.Text", "text");
  jrec_field* const shown = c.field("test.Shapes", "shown");
  CHECK(shown == c.field("test.Shapes", "shown"));
  REQUIRE(jrec_select(c.type("test.Shapes")) == JREC_OK);
  REQUIRE(jrec_select(c.type("test.Text")) == JREC_OK);
  REQUIRE(jrec_next(c.file, nullptr) == JREC_OK);
  CHECK(c_text(shown) == "app.Main[]");
  CHECK(c_text(c.field("test.Shapes", "shown.name")) == "[Lapp/Main;");
  CHECK(c_integer(c.field("test.Shapes", "startTime")) == 1'700'000'000'000'002'000);
  CHECK(c_integer(c.field("test.Shapes", "flag")) == 1);
  CHECK(c_integer(c.field("test.Shapes", "count")) == 42);
  double share = 0, count = 0;
  CHECK(jrec_double(c.field("test.Shapes", "share"), &share) == JREC_OK);
  CHECK(jrec_double(c.field("test.Shapes", "count"), &count) == JREC_OK);
  CHECK(share == 0.5);
  CHECK(count == 42.0);
  int64_t start = 0, duration = 0;
  CHECK(jrec_start_time(c.file, &start) == JREC_OK);
  CHECK(jrec_duration(c.file, &duration) == JREC_OK);
  CHECK(start == 1'700'000'000'000'002'000);
  CHECK(duration == 250);
  REQUIRE(jrec_next(c.file, nullptr) == JREC_OK);
  CHECK(c_text(text) == "first");
  CHECK(jrec_duration(c.file, &duration) == JREC_NULL);
  REQUIRE(jrec_next(c.file, nullptr) == JREC_OK);
  CHECK(c_text(text) == "second");
  CHECK(jrec_next(c.file, nullptr) == JREC_END);
}

TEST_CASE("a call that makes no sense fails with a reason, and leaves 0") {
  const Bytes bytes = shapes();
  CFile c(bytes);
  jrec_field* const text = c.field("test.Text", "text");
  CHECK(c_integer(text, JREC_USAGE) == 0);
  CHECK(c.error() == "made.jfr: text of test.Text was asked of no event");
  REQUIRE(jrec_next(c.file, nullptr) == JREC_OK);
  CHECK(c_text(text, JREC_USAGE).empty());
  CHECK(c.error() == "made.jfr: text of test.Text was asked of an event of jdk.ExecutionSample");
  CHECK(c_integer(c.field("jdk.ExecutionSample", "weigth"), JREC_NO_FIELD) == 0);
  CHECK(c.error() == "made.jfr: jdk.ExecutionSample has no field weigth in this chunk");
  CHECK(c_integer(c.field("jdk.ExecutionSample", "stackTrace"), JREC_USAGE) == 0);
  CHECK(c.error() == "made.jfr: stackTrace of jdk.ExecutionSample is no integer, boolean or time");
  CHECK(c_text(c.field("jdk.ExecutionSample", "weight"), JREC_USAGE).empty());
  CHECK(c_text(c.field("jdk.ExecutionSample", "sampledThread"), JREC_NULL).empty());
  CHECK(c_integer(c.field("jdk.ExecutionSample", "weight.deeper"), JREC_NO_FIELD) == 0);
  CHECK(c_integer(c.field("jdk.ExecutionSample", ""), JREC_NO_FIELD) == 0);
  jrec_frame frame;
  CHECK(jrec_stack_frame(c.file, 1, 0, &frame) == JREC_USAGE);
  CHECK(jrec_next(nullptr, nullptr) == JREC_USAGE);
  CHECK(std::string(jrec_error(nullptr)) == "out of memory");
  jrec_close(nullptr);
}

TEST_CASE("a file that cannot be opened says why, and is closed like any") {
  jrec_file* file = nullptr;
  CHECK(jrec_open("/nowhere/app.jfr", &file) == JREC_SYSTEM);
  CHECK(std::string(jrec_error(file)) == "/nowhere/app.jfr: cannot open: No such file or directory");
  CHECK(jrec_next(file, nullptr) == JREC_USAGE);
  jrec_close(file);
}

TEST_CASE("the same stack has the same number in every chunk, and its frames can be asked for at any time") {
  const Bytes bytes = shapes();
  CFile c(bytes);
  REQUIRE(jrec_select(c.type("jdk.ExecutionSample")) == JREC_OK);
  std::vector<uint32_t> stacks;
  std::vector<jrec_status> statuses;
  while (jrec_next(c.file, nullptr) == JREC_OK) {
    stacks.push_back(77);
    statuses.push_back(jrec_stack(c.field("jdk.ExecutionSample", "stackTrace"), &stacks.back()));
  }
  CHECK(stacks == std::vector<uint32_t>{1, 1, 2, 0});
  CHECK(statuses == std::vector<jrec_status>{JREC_OK, JREC_OK, JREC_OK, JREC_NULL});
  CHECK(c_stack(c.file, 1) == "app.Main[].run:7 [Inlined]");
  CHECK(c_stack(c.file, 2) == "app.Main[].run:7 [Inlined] < app.Main[].run:8 [Inlined]");
  const char* text = nullptr;
  size_t length = 0;
  CHECK(jrec_stack_text(c.file, 2, 1, &text, &length) == JREC_OK);
  CHECK(std::string(text, length) == "app.Main[].run:8;app.Main[].run:7");
  CHECK(jrec_stack_text(c.file, 2, 0, &text, nullptr) == JREC_OK);
  CHECK(std::string(text) == "app.Main[].run;app.Main[].run");
  CHECK(jrec_stack_text(c.file, 3, 0, &text, nullptr) == JREC_USAGE);
  size_t frames = 0;
  int32_t truncated = 0;
  CHECK(jrec_stack_size(c.file, 2, &frames, &truncated) == JREC_OK);
  CHECK(frames == 2);
  CHECK(truncated == 1);
}

TEST_CASE("chunks tell their types, and types their fields with kinds, structs without a name opened") {
  const Bytes bytes = shapes();
  CFile c(bytes);
  jrec_chunk chunk;
  CHECK(jrec_chunk_of(c.file, &chunk) == JREC_USAGE);
  REQUIRE(jrec_next_chunk(c.file) == JREC_OK);
  REQUIRE(jrec_chunk_of(c.file, &chunk) == JREC_OK);
  CHECK(chunk.offset == 0);
  CHECK(chunk.whole == 1);
  CHECK(chunk.unfinished == 0);
  CHECK(chunk.start_ns == 1'700'000'000'000'000'000);
  std::string types, fields;
  jrec_type* type = nullptr;
  for (size_t i = 0; jrec_chunk_type(c.file, i, &type) == JREC_OK; ++i)
    types += std::string(jrec_type_name(type)) + " ";
  CHECK(types == "jdk.ExecutionSample test.Text jdk.DataLoss test.Linked test.Shapes ");
  const char* path = nullptr;
  jrec_kind kind = JREC_OTHER;
  for (size_t i = 0; jrec_type_field(c.type("test.Shapes"), i, &path, &kind) == JREC_OK; ++i)
    fields += std::string(path) + "=" + std::to_string(kind) + " ";
  CHECK(fields == "startTime=4 duration=5 count=1 share=6 shown=7 many=0 where.left=0 where.right=0 flag=3 ");
  CHECK(jrec_kind_of(c.field("jdk.ExecutionSample", "stackTrace"), &kind) == JREC_OK);
  CHECK(kind == JREC_STACK);
  CHECK(jrec_kind_of(c.field("jdk.ExecutionSample", "nothing"), &kind) == JREC_NO_FIELD);
  CHECK(jrec_type_field(c.type("no.Such"), 0, &path, &kind) == JREC_END);
  REQUIRE(jrec_next_chunk(c.file) == JREC_OK);
  REQUIRE(jrec_chunk_of(c.file, &chunk) == JREC_OK);
  CHECK(chunk.offset > 0);
  CHECK(jrec_next_chunk(c.file) == JREC_END);
}

TEST_CASE("columns have a row for each event of one type, over chunks, however small the rooms are") {
  const Bytes bytes = shapes();
  for (const size_t room : {size_t{1}, size_t{2}, size_t{3}, size_t{100}}) {
    CAPTURE(room);
    CFile c(bytes);
    int64_t weight[100];
    double real[100];
    uint32_t stack[100], thread[100];
    uint8_t present[100];
    const jrec_column columns[] = {{c.field("jdk.ExecutionSample", "weight"), JREC_INTEGER, weight, nullptr},
                                   {c.field("jdk.ExecutionSample", "weight"), JREC_REAL, real, nullptr},
                                   {c.field("jdk.ExecutionSample", "stackTrace"), JREC_STACK, stack, present},
                                   {c.field("jdk.ExecutionSample", "sampledThread"), JREC_TEXT, thread, nullptr}};
    std::string seen;
    jrec_status status = JREC_OK;
    while (status == JREC_OK) {
      size_t rows = 0;
      status = jrec_rows(c.type("jdk.ExecutionSample"), columns, 4, room, &rows);
      for (size_t i = 0; i < rows; ++i)
        seen += std::to_string(weight[i] + static_cast<int64_t>(real[i])) + "/" + std::to_string(stack[i]) + "/" +
                std::to_string(present[i]) + "/" + std::to_string(thread[i]) + " ";
    }
    CHECK(status == JREC_END);
    CHECK(seen == "6/1/1/0 2/1/1/0 2/2/1/0 2/0/0/0 ");
  }
  CFile c(bytes);
  size_t rows = 7;
  uint32_t texts[4];
  const jrec_column column = {c.field("test.Text", "text"), JREC_TEXT, texts, nullptr};
  CHECK(jrec_rows(c.type("test.Linked"), &column, 1, 4, &rows) == JREC_USAGE);
  CHECK(rows == 0);
  CHECK(jrec_rows(c.type("test.Text"), &column, 1, 4, &rows) == JREC_END);
  REQUIRE(rows == 2);
  size_t length = 0;
  CHECK(std::string(jrec_known_text(c.file, texts[0], &length)) == "first");
  CHECK(length == 5);
  CHECK(std::string(jrec_known_text(c.file, texts[1], nullptr)) == "second");
  CHECK(jrec_known_text(c.file, 0, nullptr) == nullptr);
  CHECK(jrec_known_text(c.file, 99, &length) == nullptr);
}
