// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "format/type_ids.h"
#include "format/writer/metadata.h"
#include "tests/format/writer_walk.h"

namespace {

using Names = std::vector<std::string>;
using walk::Element;

// The metadata event as it stands in a chunk of nothing else but an empty checkpoint.
walk::Chunk parsed(int64_t start_ticks = 77, jfr::Region region = {}) {
  jfr::ByteSink sink;
  sink.raw(std::vector<uint8_t>{'F', 'L', 'R', 0, 0, 2, 0, 1});
  jfr::ByteSink metadata;
  jfr::encode_metadata(metadata, start_ticks, region);
  const uint64_t checkpoint = 68 + metadata.size();
  for (uint64_t word :
       {checkpoint + 11, checkpoint, uint64_t{68}, uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{1'000'000'000}})
    sink.be64(word);
  sink.be32(1);
  sink.raw(metadata.bytes());
  sink.raw(std::vector<uint8_t>{11, 1, 0, 0, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x00});
  return walk::chunk({sink.bytes().begin(), sink.bytes().end()});
}

const Element& type_named(const walk::Chunk& chunk, const std::string& name) {
  for (const auto& [id, type] : chunk.types)
    if (type->attributes.at("name") == name) return *type;
  throw walk::Fault("no type " + name);
}

Names fields(const Element& type) {
  Names names;
  for (const Element& child : type.children)
    if (child.name == "field") names.push_back(child.attributes.at("name"));
  return names;
}

// "Label=Start Time Timestamp=TICKS" of a field or type.
std::string annotations(const walk::Chunk& chunk, const Element& element) {
  std::string out;
  for (const Element& child : element.children) {
    if (child.name != "annotation") continue;
    const std::string& name = chunk.types.at(child.number("class"))->attributes.at("name");
    out += (out.empty() ? "" : " ") + name.substr(name.rfind('.') + 1);
    for (const auto& [key, text] : child.attributes)
      if (key != "class") out += "=" + text;
  }
  return out;
}

bool is_event(const Element& type) {
  const auto super = type.attributes.find("superType");
  return super != type.attributes.end() && super->second == "jdk.jfr.Event";
}

}  // namespace

TEST_CASE("metadata: every type that a field or annotation names is declared") {
  const walk::Chunk chunk = parsed();
  const auto check = [&](const Element& user) {
    CHECK_MESSAGE(chunk.types.count(user.number("class")) == 1, user.attributes.at("class"));
  };
  for (const auto& [id, type] : chunk.types) {
    for (const Element& child : type->children) {
      check(child);
      for (const Element& annotation : child.children) check(annotation);
    }
  }
}

TEST_CASE("metadata: ids are unique, names are unique, and 0 and 1 stay free") {
  const walk::Chunk chunk = parsed();
  std::set<std::string> names;
  for (const auto& [id, type] : chunk.types) {
    CHECK(id >= 2);
    const std::string& name = type->attributes.at("name");
    CHECK_MESSAGE(names.insert(name).second, name);
  }
}

TEST_CASE("metadata: an event begins with startTime in ticks, has a label, and its type takes one byte") {
  const walk::Chunk chunk = parsed();
  size_t events = 0;
  for (const auto& [id, type] : chunk.types) {
    if (!is_event(*type)) continue;
    ++events;
    const std::string& name = type->attributes.at("name");
    CAPTURE(name);
    CHECK(id < 128);
    CHECK(fields(*type).front() == "startTime");
    CHECK(annotations(chunk, type->children.front()) == "Label=Start Time Timestamp=TICKS");
    CHECK(annotations(chunk, *type).starts_with("Label="));
    const Names names = fields(*type);
    for (size_t i = 2; i < names.size(); ++i) CHECK(names[i] != "duration");
  }
  CHECK(events == 67);
}

TEST_CASE("metadata: types that are shown as their value have one field") {
  const walk::Chunk chunk = parsed();
  for (const auto& [id, type] : chunk.types)
    if (type->attributes.count("simpleType")) CHECK(fields(*type).size() == 1);
}

TEST_CASE("golden: the types that tools bind by name have JFR's fields") {
  const walk::Chunk chunk = parsed();
  const std::map<std::string, Names> kExpected = {
      {"jdk.ExecutionSample", {"startTime", "sampledThread", "stackTrace", "state"}},
      {"jdk.CPUTimeSample", {"startTime", "stackTrace", "eventThread", "failed", "samplingPeriod", "biased"}},
      {"jdk.CPUTimeSamplesLost", {"startTime", "lostSamples", "eventThread"}},
      {"jdk.ThreadStart", {"startTime", "eventThread", "stackTrace", "thread", "parentThread"}},
      {"jdk.ThreadEnd", {"startTime", "eventThread", "thread"}},
      {"jdk.ClassUnload", {"startTime", "eventThread", "unloadedClass", "definingClassLoader"}},
      {"jdk.GarbageCollection",
       {"startTime", "duration", "eventThread", "gcId", "name", "cause", "sumOfPauses", "longestPause"}},
      {"jdk.CPULoad", {"startTime", "jvmUser", "jvmSystem", "machineTotal"}},
      {"jdk.ActiveRecording",
       {"startTime", "id", "name", "destination", "disk", "maxAge", "flushInterval", "maxSize", "recordingStart",
        "recordingDuration"}},
      {"jdk.ActiveSetting", {"startTime", "id", "name", "value"}},
      {"jdk.DataLoss", {"startTime", "amount", "total"}},
      {"jdk.Shutdown", {"startTime", "eventThread", "stackTrace", "reason"}},
      {"rec.Checksum", {"startTime", "crc"}},
      {"rec.Counters", {"startTime", "cause", "count", "total"}},
      {"rec.Filler", {"startTime"}},
      {"java.lang.Thread", {"osName", "osThreadId", "javaName", "javaThreadId", "group", "virtual"}},
      {"java.lang.Class", {"classLoader", "name", "package", "modifiers", "hidden"}},
      {"jdk.types.Method", {"type", "name", "descriptor", "modifiers", "hidden"}},
      {"jdk.types.StackTrace", {"truncated", "frames"}},
      {"jdk.types.StackFrame", {"method", "lineNumber", "bytecodeIndex", "type"}},
      {"jdk.types.Package", {"name", "module", "exported"}},
      {"jdk.types.Module", {"name", "version", "location", "classLoader"}},
  };
  for (const auto& expected : kExpected) {
    const std::string& name = expected.first;
    CAPTURE(name);
    CHECK(fields(type_named(chunk, name)) == expected.second);
  }
}

TEST_CASE("metadata: units reach the reader") {
  const walk::Chunk chunk = parsed();
  const Element& gc = type_named(chunk, "jdk.GarbageCollection");
  CHECK(annotations(chunk, gc.children[1]) == "Label=Duration Timespan=TICKS");
  CHECK(annotations(chunk, gc.children[3]) == "Label=GC Identifier Unsigned GcId");
  CHECK(annotations(chunk, gc) == "Label=Garbage Collection Category=Java Virtual Machine=GC=Collector");
  CHECK(annotations(chunk, type_named(chunk, "jdk.CPULoad").children[1]) == "Label=JVM User Percentage");
  CHECK(annotations(chunk, type_named(chunk, "jdk.jfr.Timestamp")) == "ContentType");
  CHECK(annotations(chunk, type_named(chunk, "jdk.types.GcId")) == "Relational");
  CHECK(annotations(chunk, type_named(chunk, "rec.Filler")).find("Experimental") != std::string::npos);
}

TEST_CASE("metadata: frames are an inline array, methods a reference") {
  const walk::Chunk chunk = parsed();
  const Element& frames = type_named(chunk, "jdk.types.StackTrace").children[1];
  CHECK(frames.attributes.at("dimension") == "1");
  CHECK(frames.attributes.count("constantPool") == 0);
  CHECK(type_named(chunk, "jdk.types.StackFrame").children[0].attributes.at("constantPool") == "true");
}

TEST_CASE("metadata: the id follows the content and nothing else") {
  CHECK(parsed(1).metadata_id == parsed(2'000'000'000).metadata_id);
  CHECK(parsed(1, {.gmt_offset_ms = 0}).metadata_id != parsed(1, {.gmt_offset_ms = 3'600'000}).metadata_id);
  CHECK(parsed(1, {.gmt_offset_ms = -3'600'000}).root.children[1].attributes.at("gmtOffset") == "-3600000");
}

TEST_CASE("metadata: it stays small enough to stand in every chunk") {
  jfr::ByteSink sink;
  jfr::encode_metadata(sink, 0);
  CHECK(sink.size() < 32'000);  // of a chunk of 1 MiB, the smallest, less than a thirtieth
}
