// SPDX-License-Identifier: Apache-2.0
// Times, durations, escapes, patterns and guesses: the small texts of jrec.
#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "jrec/base/columns.h"
#include "jrec/base/escape.h"
#include "jrec/select/glob.h"
#include "jrec/values/time_text.h"

using namespace jrec;

namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

std::string time_of(int64_t unix_ns, int32_t offset_s = 0) {
  std::string out;
  append_time_ns(unix_ns, offset_s, out);
  return out;
}

std::string java_time_of(int64_t unix_s, int32_t nanos = 0, int32_t offset_s = 0) {
  std::string out;
  append_java_time(unix_s, nanos, offset_s, out);
  return out;
}

std::string duration_of(int64_t ns) {
  std::string out;
  append_duration_ns(ns, out);
  return out;
}

std::string json_of(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

}  // namespace

TEST_CASE("golden: times are written as java.time writes them where jfr print does") {
  CHECK(java_time_of(0) == "1970-01-01T00:00Z");
  CHECK(java_time_of(0, 5'000'000) == "1970-01-01T00:00:00.005Z");
  CHECK(java_time_of(-30, 0, 30) == "1970-01-01T00:00+00:00:30");
  CHECK(java_time_of(0, 0, 30) == "1970-01-01T00:00:30+00:00:30");
  CHECK(java_time_of(951'782'460) == "2000-02-29T00:01Z");
  CHECK(java_time_of(kMax / 1000, 807'000'000) == "+292278994-08-17T07:12:55.807Z");
}

TEST_CASE("golden: times have their seconds") {
  CHECK(time_of(0) == "1970-01-01T00:00:00Z");
  CHECK(time_of(1'700'497'342'164'797'737, -5 * 3600) == "2023-11-20T11:22:22.164797737-05:00");
  CHECK(time_of(1'700'497'342'162'000'000, -5 * 3600) == "2023-11-20T11:22:22.162-05:00");
  CHECK(time_of(1'700'497'342'162'500'000, 5 * 3600 + 1800) == "2023-11-20T21:52:22.162500+05:30");
  CHECK(time_of(-1'000'000) == "1969-12-31T23:59:59.999Z");
  CHECK(time_of(951'782'400'000'000'000) == "2000-02-29T00:00:00Z");
  CHECK(time_of(kMin) == "1677-09-21T00:12:43.145224192Z");
  CHECK(time_of(kMax) == "2262-04-11T23:47:16.854775807Z");
}

TEST_CASE("golden: durations are written as java.time writes them") {
  CHECK(duration_of(0) == "PT0S");
  CHECK(duration_of(30'606) == "PT0.000030606S");
  CHECK(duration_of(60'000'000'000) == "PT1M");
  CHECK(duration_of(3'600'000'000'000) == "PT1H");
  CHECK(duration_of(3'661'500'000'000) == "PT1H1M1.5S");
  CHECK(duration_of(-1) == "PT-0.000000001S");
  CHECK(duration_of(-1'000'000'000) == "PT-1S");
  CHECK(duration_of(-1'500'000'000) == "PT-1.5S");
  std::string never, forever;
  append_duration(kMin, 0, never);
  append_duration(kMax, 999'999'999, forever);
  CHECK(never == "PT-2562047788015215H-30M-8S");
  CHECK(forever == "PT2562047788015215H30M7.999999999S");
}

TEST_CASE("JSON strings hold no '<' and nothing that moves a cursor") {
  CHECK(json_of("</script><script>alert(1)</script>") == "\"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\"");
  CHECK(json_of("a\"b\\c\n\t\x01\x7f") == "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\"");
  CHECK(json_of("\u0085\u2028\u202e") == "\"\\u0085\\u2028\\u202e\"");
  CHECK(json_of("\u061c\u200e\u2066\u2069\u0628") == "\"\\u061c\\u200e\\u2066\\u2069\u0628\"");
  CHECK(json_of("\u00e9\u6f22\U0001f600\u2013") == "\"\u00e9\u6f22\U0001f600\u2013\"");
}

TEST_CASE("damage: what is no UTF-8 leaves JSON whole") {
  CHECK(json_of("caf\xe9.jfr") == "\"caf\\ufffd.jfr\"");
  CHECK(json_of("\xff\xc2") == "\"\\ufffd\\ufffd\"");
  CHECK(json_of("\xed\xa0\x80z") == "\"\\ufffd\\ufffd\\ufffdz\"");  // half a pair
  CHECK(json_of("\xf0\x9f\x98\"") == "\"\\ufffd\\ufffd\\ufffd\\\"\"");
}

TEST_CASE("plain text shows control characters and does not obey them") {
  CHECK(plain("\x1b[2J\r\n") == "\\x1b[2J\\x0d\\x0a");
  CHECK(plain("\u009b31m\u202e") == "\\u009b31m\\u202e");
  CHECK(plain("\u061c\u200f\u2067") == "\\u061c\\u200f\\u2067");
  CHECK(plain("C:\\dir \u00e9\u6f22") == "C:\\dir \u00e9\u6f22");
}

TEST_CASE("what moves a cursor or turns a text is a reference in XML, which means the same") {
  std::string out;
  append_xml("<a b=\"'&\"> \n\x1b\x7f\u009b\u061c\u202e\u2069 \u00e9\u6f22\U0001f600\uffff", out);
  CHECK(out ==
        "&lt;a b=&quot;&apos;&amp;&quot;&gt; &#xa;\ufffd&#x7f;&#x9b;&#x61c;&#x202e;&#x2069; "
        "\u00e9\u6f22\U0001f600\ufffd");
}

TEST_CASE("what is kept of a text is not escaped, all else is") {
  std::string out;
  append_plain("a\nb\tc\u009b\x01", out, "\n\t");
  CHECK(out == "a\nb\tc\\u009b\\x01");
}

TEST_CASE("HTML text ends neither an element nor an attribute") {
  std::string out;
  append_html("<b a='1' c=\"2\">&", out);
  CHECK(out == "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;");
}

TEST_CASE("event patterns match the whole name or its last part") {
  CHECK(EventFilter("").matches("jdk.CPULoad"));
  CHECK(EventFilter("CPULoad").matches("jdk.CPULoad"));
  CHECK(EventFilter("jdk.*").matches("jdk.CPULoad"));
  CHECK(EventFilter("a,jdk.CPU????").matches("jdk.CPULoad"));
  CHECK(EventFilter("*Sample*").matches("jdk.ExecutionSample"));
  CHECK_FALSE(EventFilter("CPU").matches("jdk.CPULoad"));
  CHECK_FALSE(EventFilter("x*y*z").matches("xyzyzyx"));
  CHECK(EventFilter("x*y*z").matches("xyzyz"));
}

TEST_CASE("a column of a terminal holds a character, and those of East Asia take two") {
  CHECK(text_width("caf\u00e9") == 4);
  CHECK(text_width("\u6f22\u5b57\u30b9") == 6);
  CHECK(text_width("\U0001f600!") == 3);
  CHECK(text_width("\xff\xc3") == 2);
  CHECK(first_columns("\u6f22\u5b57", 3) == "\u6f22");
  CHECK(last_columns("a\u6f22\u5b57", 3) == "\u5b57");
  CHECK(last_columns("abc", 9) == "abc");
  CHECK(last_part("\u6f22\u5b57\u6f22\u5b57", 7) == "...\u6f22\u5b57");
}

TEST_CASE("a text is broken between words where it is too wide, and what goes on of an indented line hangs") {
  CHECK(wrapped("one two three", 7) == "one two\nthree");
  CHECK(wrapped("one two three\nfour five\n", 8) == "one two\nthree\nfour\nfive\n");
  CHECK(wrapped("  --all  one two three", 15, 9) == "  --all  one\n         two\n         three");
  CHECK(wrapped("https://a.long/address and more", 10) == "https://a.long/address\nand more");
  CHECK(wrapped("\xf0\x9f\x98\x80 \xf0\x9f\x98\x80 x", 5) == "\xf0\x9f\x98\x80 \xf0\x9f\x98\x80\nx");
  CHECK(wrapped("  longerthanthat", 5) == "  longerthanthat");
  CHECK(wrapped("", 5).empty());
  CHECK(wrapped("a\n\nb", 5) == "a\n\nb");
}
