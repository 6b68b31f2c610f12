// SPDX-License-Identifier: Apache-2.0
// print as text, XML, tables and lines of JSON, and metadata. tests/jvm/print.sh compares all of it with the JDK's.
#include "jrec/print/print.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "jrec/print/metadata_command.h"
#include "jrec/print/text_events.h"
#include "jrec/print/xml_events.h"
#include "jrec/values/java_names.h"
#include "jrec/values/text_units.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using namespace jrec;
using test::Bytes;
using test::RecordingBuilder;
using test::Workplace;

namespace {

std::string print(const Bytes& recording, PrintFormat format, int expected = kDone, PrintOptions options = {}) {
  const Workplace place;
  options.files = {place.write("a.jfr", recording)};
  options.format = format;
  int code = -1;
  std::string text = place.output_of([&](Output& out) { return run_print(options, out); }, code);
  CHECK(code == expected);
  return text;
}

std::string metadata(const Bytes& recording, const std::string& events) {
  const Workplace place;
  MetadataOptions options;
  options.files = {place.write("a.jfr", recording)};
  options.filter.events = events;
  int code = -1;
  std::string text = place.output_of([&](Output& out) { return run_metadata(options, out); }, code);
  CHECK(code == kDone);
  return text;
}

PrintOptions only(const std::string& events) {
  PrintOptions options;
  options.filter.events = events;
  return options;
}

RecordingBuilder one_sample() {
  return RecordingBuilder().frame_type(1, "JIT compiled").simple_stack(1, "a/B", "c").sample(1500, 1, -2);
}

std::string span(int64_t seconds, int32_t nanos) {
  std::string text;
  append_span(seconds, nanos, text);
  return text;
}

std::string bytes(int64_t value, bool rate = false) {
  std::string text;
  append_bytes(value, rate, text);
  return text;
}

std::string percent(double share) {
  std::string text;
  append_percent(share, text);
  return text;
}

std::string printed_real(double value) {
  std::string text;
  append_java_real(value, text);
  return text;
}

std::string class_name(std::string_view internal) {
  std::string text;
  append_class_name(internal, text);
  return text;
}

std::string parameters(std::string_view descriptor) {
  std::string text;
  append_parameters(descriptor, text);
  return text;
}

size_t lines(const std::string& text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace

TEST_CASE("golden: print shows an event as jfr print does, the stack last") {
  CHECK(print(one_sample().bytes(), PrintFormat::kText) ==
        "jdk.ExecutionSample {\n"
        "  startTime = 1500\n"
        "  sampledThread = N/A\n"
        "  weight = -2\n"
        "  stackTrace = [\n"
        "    a.B.c() line: 7\n"
        "  ]\n"
        "}\n\n");
}

TEST_CASE("print cuts a stack at the depth it is given, and says so") {
  RecordingBuilder builder;
  builder.symbol(1, "a/B").symbol(2, "c").klass(1, 1).method(1, 1, 2).stack(1, {{1, 1}, {1, 2}, {1, 3}}).sample(1, 1);
  PrintOptions options;
  options.stack_depth = 2;
  const std::string text = print(builder.bytes(), PrintFormat::kText, kDone, options);
  CHECK(text.find("line: 2\n    ...\n  ]") != std::string::npos);
  CHECK(text.find("line: 3") == std::string::npos);
}

TEST_CASE("print escapes what would move the cursor, and no text looks like another event") {
  const std::string text =
      print(RecordingBuilder().text(1, "a\"\n}\n\njdk.Fake {\t\x1b[31m\rred").bytes(), PrintFormat::kText);
  CHECK(text.find("text = \"a\"\\x0a}\\x0a\\x0ajdk.Fake {\t\\x1b[31m\\x0dred\"\n") != std::string::npos);
}

TEST_CASE("golden: print --json-lines has one object a line and nothing around them") {
  CHECK(print(RecordingBuilder().text(1, "a").text(2, "b").bytes(), PrintFormat::kJsonLines) ==
        "{\"type\":\"test.Text\",\"values\":{\"startTime\":1,\"text\":\"a\"}}\n"
        "{\"type\":\"test.Text\",\"values\":{\"startTime\":2,\"text\":\"b\"}}\n");
}

TEST_CASE("golden: print --xml has values, structs, arrays and nil as jfr print --xml") {
  CHECK(print(one_sample().bytes(), PrintFormat::kXml) ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<recording xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n"
        "  <events>\n"
        "    <event type=\"jdk.ExecutionSample\">\n"
        "      <value name=\"startTime\">1500</value>\n"
        "      <struct name=\"sampledThread\" xsi:nil=\"true\"/>\n"
        "      <struct name=\"stackTrace\">\n"
        "        <value name=\"truncated\">false</value>\n"
        "        <array name=\"frames\" size=\"1\">\n"
        "          <struct index=\"0\">\n"
        "            <struct name=\"method\">\n"
        "              <struct name=\"type\">\n"
        "                <value name=\"name\">a/B</value>\n"
        "              </struct>\n"
        "              <value name=\"name\">c</value>\n"
        "            </struct>\n"
        "            <value name=\"lineNumber\">7</value>\n"
        "            <value name=\"type\">JIT compiled</value>\n"
        "          </struct>\n"
        "        </array>\n"
        "      </struct>\n"
        "      <value name=\"weight\">-2</value>\n"
        "    </event>\n\n"
        "  </events>\n"
        "</recording>\n");
}

TEST_CASE("damage: a text cannot break out of XML, and what XML cannot hold is replaced") {
  const std::string text = print(RecordingBuilder().text(1, "</value>&\x01'\"").bytes(), PrintFormat::kXml);
  CHECK(text.find("<value name=\"text\">&lt;/value&gt;&amp;\xef\xbf\xbd&apos;&quot;</value>") != std::string::npos);
}

TEST_CASE("golden: print --csv is one table with one header") {
  CHECK(print(one_sample().sample(1600, 0, 3).bytes(), PrintFormat::kCsv) ==
        "startTime,sampledThread,sampledThreadId,stackTrace,weight\n"
        "1500,,,a.B.c,-2\n"
        "1600,,,,3\n");
}

TEST_CASE("print --csv quotes what needs it, and takes the sting out of formulas") {
  const Bytes file = RecordingBuilder().text(1, "a,\"b\"\nc").text(2, "=1+1").text(3, "-2").bytes();
  CHECK(print(file, PrintFormat::kCsv) == "startTime,text\n1,\"a,\"\"b\"\"\nc\"\n2,\"'=1+1\"\n3,\"'-2\"\n");
}

TEST_CASE("print --csv leaves a span that is none empty, as print tells of none") {
  const Bytes file = test::MadeEvents().add("jdk.ThreadPark", 5, {{"timeout", test::made::span_ns(INT64_MIN)}}).bytes();
  const std::string table = print(file, PrintFormat::kCsv, kDone, only("ThreadPark"));
  CHECK_MESSAGE(test::has(table, "timeout"), table);
  CHECK_FALSE_MESSAGE(test::has(table, std::to_string(INT64_MIN)), table);
}

TEST_CASE("print --csv refuses to mix event types, and takes one that was chosen") {
  const Bytes file = RecordingBuilder().text(1, "a").loss(2, 5).bytes();
  CHECK(print(file, PrintFormat::kCsv, kUsageError).empty());
  CHECK(print(file, PrintFormat::kCsv, kDone, only("DataLoss")) == "startTime,amount,total\n2,5,5\n");
}

TEST_CASE("damage: constants inside themselves, and ones that double with each step, end in every format") {
  RecordingBuilder itself, doubling;
  itself.link(1, 2, 1).link(2, 1, 2).linked(9, 1);
  for (uint64_t key = 1; key < 60; ++key) doubling.link(key, key + 1, key + 1);
  doubling.linked(1, 1);
  for (const PrintFormat format : {PrintFormat::kText, PrintFormat::kJsonLines, PrintFormat::kXml, PrintFormat::kCsv}) {
    CHECK(print(itself.bytes(), format).size() < 2 * TextEvents::kMaxEventText);
    CHECK(print(doubling.bytes(), format).size() < 2 * TextEvents::kMaxEventText);
  }
}

TEST_CASE("damage: an event that cannot be decoded is left out of every format, and the exit code tells") {
  const Bytes file = RecordingBuilder().text(1, "a").raw({6, 11, 5, 3, 99, 'x'}).text(2, "b").bytes();
  CHECK(lines(print(file, PrintFormat::kText, kDamaged)) == 10);
  CHECK(lines(print(file, PrintFormat::kJsonLines, kDamaged)) == 2);
  CHECK(lines(print(file, PrintFormat::kCsv, kDamaged)) == 3);
  CHECK(lines(print(file, PrintFormat::kXml, kDamaged)) == 3 + 2 * 5 + 2);
}

TEST_CASE("golden: durations have three digits or two units, as the JDK rounds them") {
  CHECK(span(0, 0) == "0 s");
  CHECK(span(0, 1) == "0.000001 ms");
  CHECK(span(0, 255) == "0.000255 ms");
  CHECK(span(0, 1001) == "0.00100 ms");
  CHECK(span(0, 9999) == "0.0100 ms");
  CHECK(span(0, 65'535) == "0.0655 ms");
  CHECK(span(0, 99'949'000) == "99.9 ms");
  CHECK(span(0, 999'499'000) == "999 ms");
  CHECK(span(0, 999'999'000) == "1.00 s");
  CHECK(span(1, 234'567'890) == "1.23 s");
  CHECK(span(9, 999'999'999) == "10.0 s");
  CHECK(span(59, 999'999'000) == "1 m 0 s");
  CHECK(span(65, 535'000'000) == "1 m 6 s");
  CHECK(span(9999, 999'000'000) == "2 h 47 m");
  CHECK(span(1'099'511'627, 776'000'000) == "12725 d 20 h");
  CHECK(span(-1, 999'999'999) == "-0.000001 ms");
  CHECK(span(-2, 500'000'000) == "-1.50 s");
  CHECK(span(-1500, 0) == "-25 m 0 s");
  CHECK(span(INT64_MAX, 999'999'999).ends_with(" h"));
  CHECK(span(INT64_MIN, 0).starts_with("-"));
}

TEST_CASE("golden: amounts of data go up in steps of 1024") {
  CHECK(bytes(0) == "0 bytes");
  CHECK(bytes(-1) == "-1 byte");
  CHECK(bytes(1023) == "1023 bytes");
  CHECK(bytes(1500) == "1.5 kB");
  CHECK(bytes(1'048'575) == "1024.0 kB");
  CHECK(bytes(-2048) == "-2.0 kB");
  CHECK(bytes(INT64_MAX) == "8.0 EB");
  CHECK(bytes(9, true) == "9 byte/s");
  CHECK(bytes(9999, true) == "9.8 kB/s");
}

TEST_CASE("golden: shares and real numbers are rounded and written as Java does") {
  CHECK(percent(0) == "0.00%");
  CHECK(percent(0.00345) == "0.35%");
  CHECK(percent(0.99995) == "100.00%");
  CHECK(percent(-0.000001) == "0.00%");
  CHECK(percent(1.7e308) == "Infinity%");
  CHECK(percent(1.152921504606847e15) == "115292150460684700.00%");
  CHECK(printed_real(0) == "0.0");
  CHECK(printed_real(2e-5) == "2.0E-5");
  CHECK(printed_real(5e-324) == "4.9E-324");
  CHECK(printed_real(-1e-323) == "-9.9E-324");
  CHECK(printed_real(864000) == "864000.0");
  CHECK(printed_real(1.699999999999e7) == "1.699999999999E7");
  CHECK(printed_real(-3.4028234663852886e38) == "-3.4028234663852886E38");
}

TEST_CASE("names of the class file format are written as people do, and broken ones stay as they are") {
  CHECK(class_name("java/lang/String") == "java.lang.String");
  CHECK(class_name("[[J") == "long[][]");
  CHECK(class_name("[Ljava/lang/String;") == "java.lang.String[]");
  CHECK(class_name("[Ljava/lang/String") == "[Ljava.lang.String");
  CHECK(class_name("B") == "B");
  CHECK(parameters("(I[Ljava/lang/String;La/B$C;)V") == "int, String[], B$C");
  CHECK(parameters("()V").empty());
  CHECK(parameters("(Lx").empty());
  CHECK(parameters("").empty());
}

TEST_CASE("golden: metadata declares a type as jfr metadata does") {
  CHECK(metadata(RecordingBuilder().bytes(), "ExecutionSample") ==
        "@Name(\"jdk.ExecutionSample\")\n"
        "class ExecutionSample extends jdk.jfr.Event {\n"
        "  long startTime;\n\n"
        "  Thread sampledThread;\n\n"
        "  StackTrace stackTrace;\n\n"
        "  int weight;\n"
        "}\n\n");
  const std::string all = metadata(RecordingBuilder().bytes(), "");
  CHECK(all.find("class boolean {") < all.find("class Thread {"));
  CHECK(all.find("class Thread {") < all.find("class DataLoss extends"));
}

TEST_CASE("damage: a chunk whose length is negative adds nothing to that of the summary") {
  const test::Workplace place;
  test::RecordingBuilder builder;
  builder.text(1, "a");
  builder.duration_ns = static_cast<uint64_t>(-5'000'000'000);
  const std::string file = place.write("a.jfr", builder.bytes());
  CHECK(test::has(test::hear(place, {"summary", file}).out, "Duration: 0 s"));
  CHECK(test::has(test::hear(place, {"summary", "--json", file}).out, "\"durationNanos\":0"));
}
