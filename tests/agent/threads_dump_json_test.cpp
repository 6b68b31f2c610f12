// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/dump_json.h"

#include <doctest/doctest.h>
#include <rapidjson/document.h>

#include "tests/agent/thread_dump.h"

using namespace rec::agent;

namespace {

rapidjson::Document parsed(const ThreadDump& dump) {
  rapidjson::Document document;
  document.Parse(dump_json(dump).c_str());
  REQUIRE_FALSE(document.HasParseError());
  return document;
}

std::string string_of(const rapidjson::Value& value) { return value.IsString() ? value.GetString() : "(no text)"; }

}  // namespace

TEST_CASE("a dump as JSON has the head, the figures and the deadlocks") {
  const auto dump = parsed(test::small_dump());
  CHECK(dump["time"].GetInt64() == 1'700'000'000'123);
  CHECK(string_of(dump["vm"]) == "OpenJDK 64-Bit Server VM (25+36 mixed mode)");
  CHECK(dump["retries"].GetInt() == 3);
  CHECK(dump["asked"].GetInt() == 1);
  CHECK(dump["unanswered"].GetInt() == 0);
  for (const char* time : {"listNs", "walkNs", "askNs", "namesNs", "osNs", "nativeNs", "totalNs"})
    CHECK(dump[time].GetInt64() == 0);
  REQUIRE(dump["deadlocks"].Size() == 1);
  REQUIRE(dump["deadlocks"][0].Size() == 2);
  CHECK(string_of(dump["deadlocks"][0][0]) == "left");
  CHECK(string_of(dump["deadlocks"][0][1]) == "right");
  CHECK(dump["threads"].Size() == 4);
}

TEST_CASE("names in the JVM's modified UTF-8 are UTF-8 in JSON") {
  ThreadDump dump = test::small_dump();
  dump.threads[0].name = "\xed\xa0\xbd\xed\xb8\x80 \xed\xa0\xbd \xc0\x80";
  const std::string name = string_of(parsed(dump)["threads"][0]["name"]);
  CHECK(name == "\xf0\x9f\x98\x80 \xef\xbf\xbd ");  // and a NUL, where the C string ends
  CHECK(dump_json(dump).find("\\u0000") != std::string::npos);
}

TEST_CASE("a Java thread as JSON has its states and its stack, and names with quotes survive") {
  const auto dump = parsed(test::small_dump());
  const auto& main = dump["threads"][0];
  CHECK(string_of(main["name"]) == "main \"one\"\n");
  CHECK(main["osThreadId"].GetInt() == 101);
  CHECK(main["java"].GetBool());
  CHECK(main["onCpu"].GetBool());
  CHECK(string_of(main["remark"]) == "the walk broke off");
  CHECK(string_of(main["tid"]) == "0x7f0000000800");
  CHECK(main["daemon"].GetBool());
  CHECK(string_of(main["threadState"]) == "RUNNABLE");
  CHECK(string_of(main["vmState"]) == "in Java");
  CHECK(main["inTransition"].GetBool());
  CHECK(main["virtualThreadId"].GetInt() == 42);
  CHECK(string_of(main["stackSource"]) == "by the thread itself");
  CHECK_FALSE(main["stoodStill"].GetBool());
  CHECK(main["waitingFor"].IsNull());
  REQUIRE(main["stack"].Size() == 3);
  const auto& inlined = main["stack"][1];
  CHECK(string_of(inlined["type"]) == "Inlined");
  CHECK(string_of(inlined["class"]) == "a.Main");
  CHECK(string_of(inlined["method"]) == "work");
  CHECK(inlined["line"].GetInt() == 17);
  CHECK(string_of(inlined["moduleVersion"]) == "1.2");
  CHECK(main["stack"][0]["line"].IsNull());
  CHECK_FALSE(main["stack"][0].HasMember("module"));
  CHECK(main["stack"][2]["method"].IsNull());
  REQUIRE(main["nativeStack"].Size() == 2);
  CHECK(string_of(main["nativeStack"][0]["function"]) == "read");
  CHECK(main["nativeStack"][0]["offset"].GetInt() == 16);
  CHECK(main["nativeStack"][1]["library"].IsNull());
  CHECK(string_of(main["os"]["state"]) == "R");
  CHECK(main["os"]["lastCpu"].GetInt() == 3);
  CHECK(main["os"]["systemCall"].IsNull());
  CHECK(main["os"]["wchan"].IsNull());
}

TEST_CASE("what a thread waits for is in its JSON, with the holder if there is one") {
  ThreadDump dump = test::small_dump();
  dump.threads[2].held_by = kNobody;
  const auto json = parsed(dump);
  CHECK(string_of(json["threads"][1]["os"]["systemCallName"]) == "futex");
  const auto& left = json["threads"][1]["waitingFor"];
  CHECK(string_of(left["kind"]) == "enter");
  CHECK(string_of(left["monitor"]) == "0xabc0");
  CHECK(string_of(left["object"]) == "0xdef0");
  CHECK(string_of(left["class"]) == "java.lang.Object");
  CHECK(string_of(left["owner"]) == "right");
  CHECK(left["ownerThreadId"].GetInt() == 3);
  const auto& right = json["threads"][2]["waitingFor"];
  CHECK(right["owner"].IsNull());
  CHECK_FALSE(right.HasMember("ownerThreadId"));
}

TEST_CASE("what frames have locked is in their thread's JSON") {
  ThreadDump dump = test::small_dump();
  dump.threads[1].monitors = {{0, false, 0x10, "java.lang.Class", "a.B"}, {1, true, 0, "", ""}};
  const auto json = parsed(dump);
  const auto& monitors = json["threads"][1]["monitors"];
  REQUIRE(monitors.Size() == 2);
  CHECK(monitors[0]["frame"].GetInt() == 0);
  CHECK(string_of(monitors[0]["object"]) == "0x10");
  CHECK(string_of(monitors[0]["ofClass"]) == "a.B");
  CHECK_FALSE(monitors[0]["eliminated"].GetBool());
  CHECK(monitors[1]["class"].IsNull());
  CHECK_FALSE(monitors[1].HasMember("object"));
  CHECK(monitors[1]["eliminated"].GetBool());
  CHECK(json["threads"][2]["monitors"].Size() == 0);
}

TEST_CASE("a thread that is none of Java's has no Java members") {
  const auto dump = parsed(test::small_dump());
  const auto& vm = dump["threads"][3];
  CHECK_FALSE(vm["java"].GetBool());
  CHECK_FALSE(vm.HasMember("stack"));
  CHECK_FALSE(vm.HasMember("tid"));
  CHECK(string_of(vm["os"]["wchan"]) == "futex_do_wait");
  CHECK(vm["os"]["cpuNs"].IsNull());
}
