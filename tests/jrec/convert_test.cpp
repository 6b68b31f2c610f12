// SPDX-License-Identifier: Apache-2.0
// What convert writes, read back by somebody else's parsers: sums are those of the samples, and no name breaks out.
#include <doctest/doctest.h>
#include <rapidjson/document.h>

#include <numeric>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "jrec/convert/convert.h"
#include "jrec/input/jobs.h"
#include "jrec/profile/collapsed.h"
#include "jrec/profile/sample_period.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/gunzip.h"

using namespace jrec;
using protozero::pbf_reader;
using test::Bytes;
using test::gunzip;
using test::RecordingBuilder;
using test::Workplace;

namespace {

constexpr const char* kEvilName = "</script><script>alert(1)</script>\"'\n\t\x1b[31m,;\\";
constexpr const char* kFormats[] = {"collapsed", "pprof", "otlp", "speedscope", "firefox", "chrome", "csv"};

// main() calls work() and leaf(); two chunks; 3 + 1 + 5 + 2 = 11 in four samples.
Bytes program_at_work() {
  RecordingBuilder builder;
  const auto constants = [&] {
    builder.frame_type(1, "JIT compiled").symbol(1, "app/Main").symbol(2, "main").symbol(3, "work").symbol(4, "leaf");
    builder.klass(1, 1).method(1, 1, 2).method(2, 1, 3).method(3, 1, 4);
    builder.stack(1, {{3, 9}, {2, 5}, {1, 1}}).stack(2, {{2, 5}, {1, 1}}).stack(3, {{1, 5}}, true);
  };
  constants();
  builder.sample(2'000, 1, 3).sample(1'000, 2, 1).sample(3'000, 3, 5).next_chunk();
  constants();
  return builder.sample(2'000, 1, 2).bytes();
}

Bytes evil_program() {
  RecordingBuilder builder;
  return builder.simple_stack(1, kEvilName, "=cmd()")
      .simple_stack(2, "\xff\xc0\xaf", "run")
      .sample(1, 1, 4)
      .sample(2, 2)
      .bytes();
}

std::string convert(const Bytes& recording, const std::string& to, int expected = kDone) {
  const Workplace place;
  ConvertOptions command;
  command.files = {place.write("a.jfr", recording)};
  command.format = to;
  int code = -1;
  std::string text = place.output_of([&](Output& out) { return run_convert(command, out); }, code);
  CHECK(code == expected);
  return text;
}

rapidjson::Document json(const std::string& text) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
  CHECK_FALSE(document.HasParseError());
  REQUIRE(document.IsObject());
  return document;
}

uint64_t sum(const rapidjson::Value& numbers) {
  uint64_t total = 0;
  for (const auto& number : numbers.GetArray()) total += number.GetUint64();
  return total;
}

std::vector<int64_t> packed(pbf_reader& message) {
  const auto range = message.get_packed_int64();
  return {range.begin(), range.end()};
}

struct PprofText {
  int64_t total = 0;
  std::vector<std::string> strings;
  std::vector<std::vector<std::string>> stacks;  // top first
};

// By the numbers of profile.proto.
PprofText read_pprof(const std::string& bytes) {
  PprofText profile;
  std::vector<std::vector<int64_t>> stacks;
  std::vector<std::pair<uint64_t, int64_t>> functions;   // id, name
  std::vector<std::pair<uint64_t, uint64_t>> locations;  // id, function
  for (pbf_reader message(bytes); message.next();) {
    if (message.tag() == 2) {
      for (pbf_reader sample = message.get_message(); sample.next();) {
        if (sample.tag() == 1)
          stacks.push_back(packed(sample));
        else if (sample.tag() == 2)
          profile.total += packed(sample).at(0);
        else
          sample.skip();
      }
    } else if (message.tag() == 4) {
      auto& location = locations.emplace_back();
      for (pbf_reader part = message.get_message(); part.next();) {
        if (part.tag() == 1)
          location.first = part.get_uint64();
        else if (part.tag() == 4) {
          pbf_reader line = part.get_message();
          REQUIRE(line.next(1));
          location.second = line.get_uint64();
        } else
          part.skip();
      }
    } else if (message.tag() == 5) {
      auto& function = functions.emplace_back();
      for (pbf_reader part = message.get_message(); part.next();) {
        if (part.tag() == 1)
          function.first = part.get_uint64();
        else if (part.tag() == 2)
          function.second = part.get_int64();
        else
          part.skip();
      }
    } else if (message.tag() == 6) {
      profile.strings.push_back(message.get_string());
    } else {
      message.skip();
    }
  }
  for (const auto& stack : stacks) {
    auto& names = profile.stacks.emplace_back();
    for (const int64_t id : stack)
      for (const auto& [location, function] : locations)
        if (location == static_cast<uint64_t>(id))
          for (const auto& [of, name] : functions)
            if (of == function) names.push_back(profile.strings.at(static_cast<size_t>(name)));
  }
  return profile;
}

}  // namespace

TEST_CASE("the name of the output tells the format, with or without gzip") {
  CHECK(format_by_name("a.collapsed") == "collapsed");
  CHECK(format_by_name("a.pb.gz") == "pprof");
  CHECK(format_by_name("a.pprof") == "pprof");
  CHECK(format_by_name("a.otlp") == "otlp");
  CHECK(format_by_name("a.speedscope.json") == "speedscope");
  CHECK(format_by_name("a.firefox.json.gz") == "firefox");
  CHECK(format_by_name("a.trace.json") == "chrome");
  CHECK(format_by_name("a.csv") == "csv");
  CHECK(format_by_name("a.json") == "");
  CHECK(format_by_name("") == "");
}

TEST_CASE("an unknown format is refused, and leaves no file") {
  const Workplace place;
  ConvertOptions command;
  command.files = {place.write("a.jfr", program_at_work())};
  command.out = place.path("a.json");
  int code = -1;
  place.output_of([&](Output& out) { return run_convert(command, out); }, code);
  CHECK(code == kUsageError);
  command.format = "svg";
  place.output_of([&](Output& out) { return run_convert(command, out); }, code);
  CHECK(code == kUsageError);
  CHECK_FALSE(std::filesystem::exists(command.out));
}

TEST_CASE("convert to collapsed writes what collapsed writes") {
  const Workplace place;
  const CollapsedOptions command{{place.write("a.jfr", program_at_work())}, {}};
  int code = -1;
  const std::string expected = place.output_of([&](Output& out) { return run_collapsed(command, out); }, code);
  CHECK(expected.ends_with(" 5\n"));
  CHECK(convert(program_at_work(), "collapsed") == expected);
}

TEST_CASE("race: chunks that are read side by side make the document that chunks one by one make") {
  RecordingBuilder builder;
  for (uint64_t chunk = 0; chunk < 12; ++chunk) {
    if (chunk != 0) builder.next_chunk();
    builder.simple_stack(1, "app/Main", "same").simple_stack(2, "app/Part" + std::to_string(chunk), "other");
    for (int sample = 0; sample < 200; ++sample) builder.sample(1'000 - sample, 1 + sample % 2, 1);
  }
  const Bytes recording = builder.bytes();
  for (const char* format : kFormats) {
    CAPTURE(format);
    set_jobs(1);
    const std::string alone = convert(recording, format);
    set_jobs(4);
    CHECK(convert(recording, format) == alone);
    set_jobs(0);
  }
}

TEST_CASE("CSV has a line a sample, in the order of time") {
  CHECK(convert(program_at_work(), "csv") ==
        "time,thread,thread_id,weight,ns,stack\n"
        "2023-11-14T22:13:20Z,[unknown],0,1,0,app.Main.main;app.Main.work\n"
        "2023-11-14T22:13:20.000001Z,[unknown],0,3,0,app.Main.main;app.Main.work;app.Main.leaf\n"
        "2023-11-14T22:13:20.000002Z,[unknown],0,5,0,app.Main.main\n"
        "2023-11-14T22:13:20.000001Z,[unknown],0,2,0,app.Main.main;app.Main.work;app.Main.leaf\n");
}

TEST_CASE("damage: a name in CSV stays one field of one line") {
  RecordingBuilder builder;
  const std::string text = convert(builder.simple_stack(1, "=a\"b,c\nd", "run").sample(1, 1).bytes(), "csv");
  CHECK(text.ends_with(",1,0,\"'=a\"\"b,c\\x0ad.run\"\n"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 2);
}

TEST_CASE("pprof sums up by stack, and names every frame") {
  const PprofText profile = read_pprof(gunzip(convert(program_at_work(), "pprof")));
  CHECK(profile.total == 11);
  CHECK(profile.strings.at(0) == "");
  REQUIRE(profile.stacks.size() == 3);
  CHECK(std::find(profile.stacks.begin(), profile.stacks.end(),
                  std::vector<std::string>{"app.Main.leaf", "app.Main.work", "app.Main.main"}) != profile.stacks.end());
}

TEST_CASE("OTLP has a profile a chunk, with the time and the weight of each sample") {
  const std::string bytes = convert(program_at_work(), "otlp");
  int64_t total = 0;
  size_t profiles = 0, times = 0, dictionaries = 0, stacks = 0;
  for (pbf_reader data(bytes); data.next();) {
    if (data.tag() == 2) {
      ++dictionaries;
      for (pbf_reader table = data.get_message(); table.next(); table.skip()) stacks += table.tag() == 7;
      continue;
    }
    pbf_reader resource = data.get_message();
    REQUIRE(resource.next(2));
    pbf_reader scope = resource.get_message();
    REQUIRE(scope.next(2));
    ++profiles;
    for (pbf_reader profile = scope.get_message(); profile.next();) {
      if (profile.tag() != 2) {
        profile.skip();
        continue;
      }
      for (pbf_reader sample = profile.get_message(); sample.next();) {
        if (sample.tag() == 4) {
          for (const int64_t value : packed(sample)) total += value;
        } else if (sample.tag() == 5) {
          for (const uint64_t time : sample.get_packed_fixed64()) times += time / 1'000'000'000 == 1'700'000'000;
        } else {
          sample.skip();
        }
      }
    }
  }
  CHECK(total == 11);
  CHECK(profiles == 2);
  CHECK(times == 4);
  CHECK(dictionaries == 1);
  CHECK(stacks == 4);  // three, and the empty one
}

TEST_CASE("speedscope has as many weights as samples, and they add up") {
  const auto document = json(convert(program_at_work(), "speedscope"));
  REQUIRE(document["profiles"].Size() == 1);  // one thread
  const auto& profile = document["profiles"][0];
  CHECK(profile["samples"].Size() == profile["weights"].Size());
  CHECK(sum(profile["weights"]) == 11);
  CHECK(profile["endValue"].GetUint64() == 11);
  const auto& frames = document["shared"]["frames"];
  for (const auto& stack : profile["samples"].GetArray())
    for (const auto& frame : stack.GetArray()) CHECK(frame.GetUint() < frames.Size());
}

TEST_CASE("the Firefox profile's tables are as long as they say, and point backwards") {
  const auto document = json(convert(program_at_work(), "firefox"));
  for (const char* table : {"stackTable", "frameTable", "funcTable"})
    for (const auto& column : document["shared"][table].GetObject())
      if (column.value.IsArray()) CHECK(column.value.Size() == document["shared"][table]["length"].GetUint());
  const auto& prefix = document["shared"]["stackTable"]["prefix"];
  for (rapidjson::SizeType i = 0; i < prefix.Size(); ++i) CHECK((prefix[i].IsNull() || prefix[i].GetUint() < i));
  REQUIRE(document["threads"].Size() == 1);
  CHECK(sum(document["threads"][0]["samples"]["weight"]) == 11);
}

TEST_CASE("a Chrome trace closes what it opens, in the order of time, and its weights add up") {
  const auto document = json(convert(program_at_work(), "chrome"));
  uint64_t total = 0;
  int open = 0;
  double last = 0;
  for (const auto& event : document["traceEvents"].GetArray()) {
    const char phase = event["ph"].GetString()[0];
    if (phase == 'M') continue;
    open += phase == 'B' ? 1 : -1;
    CHECK(open >= 0);
    CHECK(event["ts"].GetDouble() >= last);
    last = event["ts"].GetDouble();
    if (event.HasMember("args")) total += event["args"]["weight"].GetUint64();
  }
  CHECK(open == 0);
  CHECK(total == 11);
}

TEST_CASE("damage: names with markup, quotes, line ends and broken UTF-8 leave every format whole") {
  for (const char* format : {"speedscope", "firefox", "chrome"}) {
    CAPTURE(format);
    const std::string text = convert(evil_program(), format);
    CHECK(text.find('<') == std::string::npos);
    CHECK(text.find('\x1b') == std::string::npos);
    json(text);
  }
  CHECK(read_pprof(gunzip(convert(evil_program(), "pprof"))).total == 5);
  const std::string collapsed = convert(evil_program(), "collapsed");
  CHECK(std::count(collapsed.begin(), collapsed.end(), '\n') == 2);
  CHECK(collapsed.find('\x1b') == std::string::npos);
}

TEST_CASE("damage: of a file cut in its second chunk every format gets the first") {
  Bytes cut = program_at_work();
  cut.resize(cut.size() - 8);
  for (const char* format : kFormats) {
    CAPTURE(format);
    CHECK_FALSE(convert(cut, format, kDamaged).empty());
  }
}

TEST_CASE("a recording without samples makes an empty document in every format") {
  RecordingBuilder builder;
  const Bytes empty = builder.text(1, "hello").bytes();
  for (const char* format : {"speedscope", "firefox", "chrome"}) json(convert(empty, format));
  CHECK(read_pprof(gunzip(convert(empty, "pprof"))).total == 0);
  CHECK(convert(empty, "collapsed").empty());
}

TEST_CASE("a period is a number with a unit, nanoseconds without") {
  CHECK(parse_period_ns("20 ms") == 20'000'000);
  CHECK(parse_period_ns("10ms") == 10'000'000);
  CHECK(parse_period_ns("1 s") == 1'000'000'000);
  CHECK(parse_period_ns("500us") == 500'000);
  CHECK(parse_period_ns("10000000") == 10'000'000);
  CHECK(parse_period_ns("everyChunk") == 0);
  CHECK(parse_period_ns("5 weeks") == 0);
  CHECK(parse_period_ns("99999999999 s") == 0);
  CHECK(parse_period_ns("") == 0);
}
