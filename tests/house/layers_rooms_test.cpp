// SPDX-License-Identifier: Apache-2.0
// The floor plan: which room may include which (docs/architecture.md draws it).
#include <doctest/doctest.h>

#include "tests/house/house.h"

namespace {

using namespace test;

using Plan = std::map<std::string, NameSet>;  // a room, and the rooms whose headers it may include besides its own

// What every room of the command line may use.
NameSet command_line(NameSet more) {
  more.insert({"base", "format/reader", "jrec/base"});
  return more;
}

Plan format_rooms() {
  return {
      {"base", {}},
      {"format", {"base"}},
      {"format/writer", {"base", "format"}},
      {"format/reader", {"base", "format"}},
      {"format/archive", {"base", "format", "format/old", "format/reader"}},
      {"format/old", {"base", "format", "format/reader", "format/writer"}},
      {"format/c", {"base", "format", "format/reader", "format/old"}},
  };
}

Plan recorder_rooms() {
  return {
      {"recorder/spool", {"base"}},
      {"recorder/symbols", {"base"}},
      {"recorder/epoch", {"base", "recorder/spool"}},
      {"recorder/repository", {"base", "format", "recorder/spool"}},
      {"recorder/chunk",
       {"base", "format", "format/writer", "recorder/epoch", "recorder/repository", "recorder/spool",
        "recorder/symbols"}},
      {"recorder/engine", {"base", "recorder/chunk", "recorder/epoch", "recorder/repository", "recorder/spool"}},
      {"recover", {"base", "format", "format/reader", "format/writer", "recorder/chunk", "recorder/spool"}},
  };
}

Plan agent_rooms() {
  const NameSet hotspot = {"agent/hotspot/processor", "agent/hotspot/state", "agent/hotspot/vm", "agent/hotspot/walk"};
  const auto above_hotspot = [&](NameSet more) {
    more.insert(hotspot.begin(), hotspot.end());
    more.insert({"agent/options", "agent/process", "base"});
    return more;
  };
  return {
      {"agent/include", {}},
      {"agent/process", {"base"}},
      {"agent/options", {"base", "recorder/spool"}},
      {"agent/hotspot/processor", {"agent/process"}},  // and, by name, one of the two beneath
      {"agent/hotspot/x86_64", {"agent/hotspot/processor"}},
      {"agent/hotspot/aarch64", {"agent/hotspot/processor"}},
      {"agent/hotspot/vm", {"agent/hotspot/processor", "recorder/spool"}},
      {"agent/hotspot/walk",
       {"agent/hotspot/vm", "agent/hotspot/processor", "agent/process", "base", "recorder/epoch", "recorder/spool",
        "recorder/symbols"}},
      {"agent/hotspot/state", {"agent/hotspot/vm", "agent/hotspot/processor", "agent/process", "recorder/symbols"}},
      {"agent/context",
       {"agent/hotspot/processor", "agent/process", "base", "recorder/engine", "recorder/epoch", "recorder/spool"}},
      {"agent/sampling", above_hotspot({"agent/context", "recorder/engine", "recorder/epoch", "recorder/spool"})},
      {"agent/safepoint",
       above_hotspot({"agent/sampling", "recorder/chunk", "recorder/engine", "recorder/epoch", "recorder/symbols"})},
      {"agent/heap", above_hotspot({"agent/sampling", "recorder/engine", "recorder/epoch", "recorder/spool"})},
      {"agent/wall", above_hotspot({"agent/sampling", "recorder/engine", "recorder/epoch"})},
      {"agent/hooks", {"agent/hotspot/vm", "agent/process"}},
      {"agent/exceptions", above_hotspot({"agent/hooks", "agent/sampling", "format", "recorder/chunk",
                                          "recorder/engine", "recorder/epoch"})},
      {"agent/locks", above_hotspot({"agent/hooks", "agent/safepoint", "agent/sampling", "recorder/engine",
                                     "recorder/epoch", "recorder/spool"})},
      {"agent/nativemem",
       above_hotspot({"agent/heap", "agent/sampling", "format", "recorder/engine", "recorder/epoch"})},
      {"agent/threads", above_hotspot({"agent/sampling", "format", "recorder/chunk", "recorder/engine",
                                       "recorder/epoch", "recorder/spool", "recorder/symbols"})},
      {"agent/statistics", above_hotspot({"agent/sampling", "format", "format/writer", "recorder/chunk",
                                          "recorder/engine", "recorder/epoch"})},
      {"agent/spans", above_hotspot({"agent/context", "agent/sampling", "format", "format/writer", "recorder/chunk",
                                     "recorder/engine", "recorder/epoch"})},
      {"agent/asgst", above_hotspot({"agent/sampling", "recorder/spool", "recorder/symbols"})},
      {"agent/main",
       above_hotspot({"agent/exceptions", "agent/heap", "agent/locks", "agent/nativemem", "agent/safepoint",
                      "agent/sampling", "agent/spans", "agent/statistics", "agent/threads", "agent/wall", "format",
                      "format/writer", "recorder/chunk", "recorder/engine", "recover"})},
  };
}

Plan jrec_rooms() {
  const NameSet events = command_line({"jrec/input", "jrec/select", "jrec/values", "format"});
  const auto with = [&](NameSet more) {
    more.insert(events.begin(), events.end());
    return more;
  };
  return {
      {"jrec/base", {"base"}},
      {"jrec/http", command_line({})},
      {"jrec/values", command_line({})},
      {"jrec/input", command_line({"format", "format/archive", "format/old", "jrec/http", "jrec/values"})},
      {"jrec/select", command_line({"jrec/input", "jrec/values"})},
      {"jrec/control", command_line({"jrec/input"})},
      {"jrec/recover", command_line({"jrec/input", "jrec/values", "recover"})},
      {"jrec/safepoints", command_line({"jrec/input", "jrec/values"})},
      {"jrec/print", events},
      {"jrec/view", events},
      {"jrec/profile", events},
      {"jrec/files", with({"jrec/profile", "recover"})},
      {"jrec/symbols", with({"jrec/files", "recorder/symbols"})},
      {"jrec/archive", with({"format/archive", "jrec/http"})},
      {"jrec/sql", with({"format/archive", "jrec/archive", "jrec/profile", "jrec/view"})},
      {"jrec/findings", with({"jrec/profile", "jrec/safepoints", "jrec/view"})},
      {"jrec/parquet", command_line({})},
      {"jrec/delta", command_line({"jrec/parquet"})},
      {"jrec/fleet", with({"format/archive", "jrec/archive", "jrec/delta", "jrec/http", "jrec/parquet", "jrec/profile",
                           "jrec/sql", "jrec/view"})},
      {"jrec/flame", with({"jrec/profile"})},
      {"jrec/convert", with({"jrec/flame", "jrec/profile"})},
      {"jrec/report", with({"jrec/findings", "jrec/flame", "jrec/profile", "jrec/safepoints", "jrec/view"})},
      {"jrec/open", with({"jrec/control", "jrec/flame", "jrec/report", "jrec/view"})},
      {"jrec/push", with({"jrec/convert", "jrec/http", "jrec/profile"})},
      {"jrec/mcp",
       with({"jrec/findings", "jrec/flame", "jrec/print", "jrec/profile", "jrec/safepoints", "jrec/sql", "jrec/view"})},
  };
}

const Plan& plan() {
  static const Plan kPlan = [] {
    Plan all;
    for (Plan part : {format_rooms(), recorder_rooms(), agent_rooms(), jrec_rooms()}) all.merge(part);
    NameSet& commands = all["jrec/command"];
    commands.insert("base");
    for (const auto& [room, unused] : jrec_rooms()) commands.insert(room);
    return all;
  }();
  return kPlan;
}

std::string room_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

// Tests and benches look into every room; what CMake makes lies beside what it is made of.
bool has_a_place(const std::string& path) {
  return is_cpp(path) && folder(path) != "tests" && folder(path) != "bench" && folder(path) != "fixtures";
}

Faults check_rooms(const Sources& sources) {
  Faults faults;
  for (const auto& [path, text] : sources) {
    if (!has_a_place(path)) continue;
    const auto allowed = plan().find(room_of(path));
    if (allowed == plan().end()) {
      faults.push_back(path + " lies in a room that is not on the plan");
      continue;
    }
    for (const std::string& target : includes_of(text).ours) {
      const std::string to = room_of(target);
      if (to != room_of(path) && allowed->second.count(to) == 0) faults.push_back(path + " must not include " + target);
    }
  }
  return faults;
}

std::map<std::string, NameSet> includes_between_rooms(const Sources& sources) {
  std::map<std::string, NameSet> graph;
  for (const auto& [path, text] : sources) {
    if (!has_a_place(path)) continue;
    for (const std::string& target : includes_of(text).ours)
      if (room_of(target) != room_of(path)) graph[room_of(path)].insert(room_of(target));
  }
  return graph;
}

// Whatever the plan allows: rooms that include each other by way of others.
Faults check_circles(const Sources& sources) {
  const std::map<std::string, NameSet> graph = includes_between_rooms(sources);
  Faults faults;
  for (const auto& [room, unused] : graph) {
    NameSet reached;
    std::vector<std::string> open = {room};
    while (!open.empty()) {
      const auto next = graph.find(open.back());
      open.pop_back();
      if (next == graph.end()) continue;
      for (const std::string& to : next->second)
        if (reached.insert(to).second) open.push_back(to);
    }
    if (reached.count(room) != 0) faults.push_back(room + " includes itself by way of other rooms");
  }
  return faults;
}

}  // namespace

TEST_CASE("house: no room includes itself by way of others") { CHECK_RULE(check_circles); }

TEST_CASE("house: a circle of rooms is found from each of them, and a chain is none") {
  const Sources chain = {{"a/x/one.h", "#include \"b/two.h\"\n"}, {"b/two.h", "#include \"c/three.h\"\n"}};
  CHECK(check_circles(chain).empty());
  Sources circle = chain;
  circle["c/three.h"] = "#include \"a/x/other.h\"\n";
  CHECK(check_circles(circle) == Faults{"a/x includes itself by way of other rooms",
                                        "b includes itself by way of other rooms",
                                        "c includes itself by way of other rooms"});
  CHECK(check_circles({{"a/one.h", "#include \"a/two.h\"\n"}, {"a/two.h", ""}}).empty());
}

TEST_CASE("house: the rooms include each other as the plan says") { CHECK_RULE(check_rooms); }

TEST_CASE("house: an include against the plan is found") {
  const auto faults_of = [](const char* path, const std::string& target) {
    return check_rooms({{path, "#include \"" + target + "\"\n"}}).size();
  };
  CHECK(check_rooms({{"format/a.h", "#include \"recorder/b.h\"\n"}}) ==
        Faults{"format/a.h must not include recorder/b.h"});
  CHECK(faults_of("recorder/epoch/a.h", "agent/main/b.h") == 1);
  CHECK(faults_of("recorder/spool/a.h", "recorder/epoch/b.h") == 1);
  CHECK(faults_of("jrec/files/a.cpp", "recorder/epoch/epoch.h") == 1);
  CHECK(faults_of("jrec/files/a.cpp", "recover/recovered_file.h") == 0);
  CHECK(faults_of("agent/main/a.cpp", "tests/b.h") == 1);
  CHECK(faults_of("agent/main/a.cpp", "recorder/engine/b.h") == 0);
  CHECK(faults_of("jrec/values/a.h", "jrec/view/b.h") == 1);
  CHECK(faults_of("jrec/view/a.h", "jrec/values/b.h") == 0);
  CHECK(check_rooms({{"jrec/new/a.h", ""}}) == Faults{"jrec/new/a.h lies in a room that is not on the plan"});
}
