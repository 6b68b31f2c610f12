// SPDX-License-Identifier: Apache-2.0
// `jrec mcp`: what an assistant hears, what it may read, and what becomes of messages that are none.
#include <doctest/doctest.h>
#include <rapidjson/document.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "jrec/base/progress.h"
#include "jrec/mcp/heard_command.h"
#include "jrec/mcp/mcp_command.h"
#include "jrec/mcp/server.h"
#include "jrec/mcp/tool.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/files.h"
#include "tests/jrec/made_events.h"

namespace test::mcp {

using namespace jrec;

namespace {

// A directory with a recording, and one beside it that may not be read.
class Assistant {
 public:
  Assistant() {
    std::filesystem::create_directory(place.path("open"));
    MadeEvents made;
    made.samples(300, {"app.Hot.loop", "app.Main.run", "java.lang.Thread.run"})
        .samples(100, {"app.Main.idle", "java.lang.Thread.run"});
    place.write("open/a.jfr", made.bytes());
    place.write("secret.jfr", made.bytes());
  }

  McpServer server() const {
    AllowedPaths allowed;
    REQUIRE(allowed.allow(place.path("open")).ok());
    return McpServer(std::move(allowed), "1.2");
  }

  rapidjson::Document ask(const std::string& line) const {
    const auto answer = server().answer(line);
    REQUIRE(answer.has_value());
    CHECK_FALSE(has(*answer, "\n"));
    rapidjson::Document json;
    json.Parse(answer->c_str());
    REQUIRE_FALSE(json.HasParseError());
    CHECK(std::string(json["jsonrpc"].GetString()) == "2.0");
    return json;
  }
  // The text of a tool's answer.
  std::string tool(const std::string& name, const std::string& arguments, bool is_error = false) const {
    const auto json = ask(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":")" + name +
                          R"(","arguments":)" + arguments + "}}");
    REQUIRE(json.HasMember("result"));
    CHECK(json["result"]["isError"].GetBool() == is_error);
    return json["result"]["content"][0]["text"].GetString();
  }
  int error_code(const std::string& line) const {
    const auto json = ask(line);
    return json.HasMember("error") ? json["error"]["code"].GetInt() : 0;
  }

  Workplace place;
};

}  // namespace

TEST_CASE("mcp: the version that is asked for is spoken, else the newest") {
  const Assistant assistant;
  const auto asked =
      assistant.ask(R"({"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-03-26"}})");
  CHECK(std::string(asked["id"].GetString()) == "a");
  CHECK(std::string(asked["result"]["protocolVersion"].GetString()) == "2025-03-26");
  CHECK(asked["result"]["capabilities"].HasMember("tools"));
  CHECK(std::string(asked["result"]["serverInfo"]["version"].GetString()) == "1.2");
  const auto other =
      assistant.ask(R"({"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"1999-01-01"}})");
  CHECK(std::string(other["result"]["protocolVersion"].GetString()) == "2025-11-25");
  CHECK(assistant.ask(R"({"jsonrpc":"2.0","id":3,"method":"ping"})")["result"].IsObject());
}

TEST_CASE("mcp: the tools are listed with a schema, and all of them only read") {
  const Assistant assistant;
  const auto json = assistant.ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  const auto& tools = json["result"]["tools"];
  CHECK(tools.Size() == all_tools().size());
  for (const auto& tool : tools.GetArray()) {
    CHECK(std::string(tool["inputSchema"]["type"].GetString()) == "object");
    CHECK(tool["annotations"]["readOnlyHint"].GetBool());
    CHECK(tool["description"].GetStringLength() > 10);
  }
}

TEST_CASE("mcp: each tool answers as its command does") {
  const Assistant assistant;
  const std::string file = R"({"file":"a.jfr"})";
  CHECK(has(assistant.tool("recordings", "{}"), "open/a.jfr"));
  CHECK(has(assistant.tool("summary", file), "jdk.ExecutionSample"));
  CHECK(has(assistant.tool("findings", file), "75 % of CPU in app.Hot.loop"));
  CHECK(has(assistant.tool("findings", R"({"file":"a.jfr","thresholds":["hot-method=90"]})"), "no findings"));
  CHECK(has(assistant.tool("hot", R"({"file":"a.jfr","rows":1})"), "app.Hot.loop"));
  CHECK_FALSE(has(assistant.tool("hot", R"({"file":"a.jfr","rows":1})"), "app.Main.idle"));
  CHECK(has(assistant.tool("flame", file),
            "   100.0      0.0  java.lang.Thread.run\n    75.0      0.0   app.Main.run\n    75.0     75.0    "
            "app.Hot.loop\n"));
  CHECK(has(assistant.tool("flame", R"({"file":"a.jfr","include":"idle"})"), "app.Main.idle"));
  CHECK(has(assistant.tool("diff", R"({"before":"a.jfr","after":"a.jfr"})"), "+0.00"));
  CHECK(has(assistant.tool("view", R"({"file":"a.jfr","views":["hot-methods"]})"), "app.Hot.loop"));
  CHECK(has(assistant.tool("view", file), "hot-methods"));
  CHECK(has(assistant.tool("safepoints", file), "No safepoint was late"));
  CHECK(has(assistant.tool("sql", R"({"files":["a.jfr"],"query":"select count(*) as n from samples"})"), "400"));
}

TEST_CASE("mcp: what a tool cannot do is told to the assistant") {
  const Assistant assistant;
  CHECK(has(assistant.tool("hot", "{}", true), "'file' is missing"));
  CHECK(has(assistant.tool("hot", R"({"file":3})", true), "'file' must be a string"));
  CHECK(has(assistant.tool("hot", R"({"file":"a.jfr","colour":"red"})", true), "no argument 'colour'"));
  CHECK(has(assistant.tool("hot", R"({"file":"a.jfr","event":"cpuu"})", true), "cpuu"));
  CHECK(has(assistant.tool("hot", R"({"fil":"a.jfr"})", true), "no argument 'fil'; did you mean file?"));
  CHECK(has(assistant.tool("hot", R"({"file":"a.jfr","rows":-3})", true), "'rows': -3 is below 1"));
  CHECK(has(assistant.tool("view", R"({"file":"a.jfr","rows":2.5})", true), "'rows': 2.5 is no whole number"));
  CHECK(has(assistant.tool("flame", R"({"file":"a.jfr","least_percent":-1})", true), "-1 is not from 0 to 100"));
  CHECK(has(assistant.tool("sql", R"({"files":["a.jfr"],"query":"drop table samples"})", true), "jrec: sql"));
  CHECK(has(assistant.tool("sql", R"({"files":["a.jfr"],"query":"attach '/tmp/x' as x"})", true),
            "a query reads, and does nothing else"));
}

TEST_CASE("mcp: files outside of what was named are not read, whatever the way to them") {
  const Assistant assistant;
  std::filesystem::create_symlink(assistant.place.path("secret.jfr"), assistant.place.path("open/link.jfr"));
  REQUIRE(::mkfifo(assistant.place.path("open/pipe.jfr").c_str(), 0600) == 0);  // who opens it waits
  for (const std::string& path :
       {std::string("../secret.jfr"), assistant.place.path("secret.jfr"), std::string("link.jfr"),
        std::string("/etc/passwd"), std::string("-"), std::string("/dev/stdin"), std::string(""),
        std::string("nothing.jfr"), std::string("pipe.jfr"), assistant.place.path("open") + "/../secret.jfr",
        std::string("s3://bucket/a.jfr")})
    CHECK(has(assistant.tool("summary", R"({"file":")" + path + "\"}", true),
              "no such recording among those that may be read"));
  CHECK_FALSE(has(assistant.tool("recordings", "{}"), "link.jfr"));
  CHECK(has(assistant.tool("summary", R"({"file":")" + assistant.place.path("open/../open/a.jfr") + "\"}"),
            "jdk.ExecutionSample"));
}

TEST_CASE("mcp: names of views are names, even where a file or a connection is called like that") {
  const Assistant assistant;
  for (const std::string& name : {assistant.place.path("secret.jfr"), std::string("-"),
                                  std::string("s3://bucket/a.jfr"), std::string("open/a.jfr")}) {
    const std::string told = assistant.tool("view", R"({"file":"a.jfr","views":[")" + name + "\"]}", true);
    CHECK_MESSAGE(has(told, "there is no view and no event type '" + name + "'"), told);
  }
}

TEST_CASE("mcp: a single file may be read, and what lies beside it may not") {
  const Assistant assistant;
  AllowedPaths allowed;
  REQUIRE(allowed.allow(assistant.place.path("secret.jfr")).ok());
  CHECK(allowed.resolve("secret.jfr").ok());
  CHECK_FALSE(allowed.resolve("open/a.jfr").ok());
  CHECK_FALSE(allowed.allow(assistant.place.path("none.jfr")).ok());
}

TEST_CASE("mcp: a name means the file that was named itself, and one of several files is refused with their paths") {
  const Assistant assistant;
  const Workplace& place = assistant.place;
  const Bytes bytes = MadeEvents().samples(300, {"app.Other.loop"}).bytes();
  for (const char* directory : {"left", "right"}) {
    std::filesystem::create_directory(place.path(directory));
    place.write(std::string(directory) + "/secret.jfr", bytes);
    place.write(std::string(directory) + "/day.recz", bytes);
  }
  AllowedPaths allowed;
  for (const char* path : {"left", "right", "left"}) REQUIRE(allowed.allow(place.path(path)).ok());
  const auto resolved = [&](const std::string& asked) {
    const auto real = allowed.resolve(asked);
    return real ? *real : real.error().what;
  };
  const std::string both = place.path("left/secret.jfr") + ", " + place.path("right/secret.jfr");
  CHECK(resolved("secret.jfr") == "there are several of that name: " + both);
  CHECK(has(resolved("day.recz:a.jfr"), place.path("right/day.recz") + ":a.jfr"));
  CHECK(resolved(place.path("right/secret.jfr")) == place.path("right/secret.jfr"));
  REQUIRE(allowed.allow(place.path("secret.jfr")).ok());
  CHECK(resolved("secret.jfr") == place.path("secret.jfr"));
  REQUIRE(allowed.allow(place.path("right/secret.jfr")).ok());
  CHECK(has(resolved("secret.jfr"), place.path("secret.jfr") + ", " + place.path("right/secret.jfr")));
}

TEST_CASE("mcp: a recording is listed once, however many of what was named hold it") {
  const Assistant assistant;
  AllowedPaths allowed;
  for (const char* path : {"open/a.jfr", "open", ".", "open"}) REQUIRE(allowed.allow(assistant.place.path(path)).ok());
  const auto files = allowed.recordings(10);
  REQUIRE(files.size() == 2);
  CHECK(files[0].path == assistant.place.path("open/a.jfr"));
  CHECK(files[1].path == assistant.place.path("secret.jfr"));
}

TEST_CASE("mcp: an answer names the files that it is of") {
  const Assistant assistant;
  const std::string file = assistant.place.path("open/a.jfr");
  CHECK(assistant.tool("hot", R"({"file":"a.jfr"})").starts_with("file: " + file + "\n"));
  CHECK(assistant.tool("diff", R"({"before":"a.jfr","after":"a.jfr"})")
            .starts_with("before: " + file + "\nafter: " + file + "\n"));
  CHECK(assistant.tool("sql", R"({"files":["a.jfr","a.jfr"],"query":".tables"})")
            .starts_with("files: " + file + ", " + file + "\n"));
  CHECK(assistant.tool("hot", R"({"file":"a.jfr","event":"cpuu"})", true).starts_with("file: " + file + "\n"));
}

TEST_CASE("mcp: errors have JSON-RPC's numbers, and the id of their message") {
  const Assistant assistant;
  CHECK(assistant.error_code("{") == -32700);
  CHECK(assistant.error_code("\"\xff\"") == -32700);
  CHECK(assistant.error_code("[]") == -32600);
  CHECK(assistant.error_code("3") == -32600);
  CHECK(assistant.error_code(R"({"id":1,"method":"ping"})") == -32600);
  CHECK(assistant.error_code(R"({"jsonrpc":"2.0","id":null,"method":"ping"})") == -32600);
  CHECK(assistant.error_code(R"({"jsonrpc":"2.0","id":1})") == -32600);
  CHECK(assistant.error_code(R"({"jsonrpc":"2.0","id":1,"method":"tools/drop"})") == -32601);
  CHECK(assistant.error_code(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[1]})") == -32602);
  CHECK(assistant.error_code(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}})") == -32602);
  CHECK(assistant.error_code(
            R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hot","arguments":[]}})") == -32602);
  CHECK(assistant.ask(R"({"jsonrpc":"2.0","id":18446744073709551615,"method":"x"})")["id"].GetUint64() == UINT64_MAX);
}

TEST_CASE("mcp: notifications and answers are not answered") {
  const Assistant assistant;
  for (const char* line : {R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
                           R"({"jsonrpc":"2.0","method":"tools/call"})", R"({"jsonrpc":"2.0","id":1,"result":{}})"})
    CHECK_FALSE(assistant.server().answer(line).has_value());
}

TEST_CASE("damage: a message of any depth is refused or answered, and never ends the server") {
  const Assistant assistant;
  const std::string deep(200'000, '[');
  CHECK(assistant.error_code(deep) == -32700);
  std::string closed = deep + std::string(200'000, ']');
  CHECK(assistant.error_code(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":)" + closed + "}}") == 0);
  std::string seed =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"summary","arguments":{"file":"a.jfr"}}})";
  for (size_t at = 0; at < seed.size(); ++at) {
    std::string changed = seed;
    changed[at] = static_cast<char>(changed[at] ^ 0x15);
    (void)assistant.server().answer(changed);
    (void)assistant.server().answer(seed.substr(0, at));
  }
}

TEST_CASE("mcp: a damaged recording is told with its damage, a long answer is cut between characters") {
  const Assistant assistant;
  Bytes bytes = MadeEvents().samples(300, {"app.Hot.loop"}).bytes();
  bytes.resize(bytes.size() - 5);
  assistant.place.write("open/cut.jfr", bytes);
  CHECK(has(assistant.tool("summary", R"({"file":"cut.jfr"})"), "jrec: "));
  const HeardCommand heard = hear_command([](Output& out) {
    for (int i = 0; i < 200'000; ++i) out.add("\u20ac");
    return kDone;
  });
  CHECK(heard.cut);
  CHECK(heard.text.size() <= kMostText);
  CHECK(heard.text.ends_with("\u20ac"));
}

TEST_CASE("mcp: what a command throws is a complaint") {
  const HeardCommand heard = hear_command([](Output&) -> ExitCode { throw std::runtime_error("no memory"); });
  CHECK(heard.code == kUsageError);
  CHECK(heard.complaints == "jrec: no memory\n");
}

TEST_CASE("mcp: lines in, lines out, until the input ends; one that is too long is passed over") {
  const Assistant assistant;
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  std::ofstream(assistant.place.path("in"), std::ios::binary) << ping << "\r\n\n"
                                                              << std::string(kLongestMessage + 10, 'x') << '\n'
                                                              << ping;
  const int input = ::open(assistant.place.path("in").c_str(), O_RDONLY | O_CLOEXEC);
  int code = -1;
  const std::string out = assistant.place.output_of(
      [&](Output& to) {
        return run_mcp({{assistant.place.path("open")}, input}, to);
      },
      code);
  ::close(input);
  CHECK(code == kDone);
  CHECK(occurrences(out, "\n") == 3);
  CHECK(occurrences(out, "\"result\":{}") == 2);
  CHECK(has(out, "1 MiB"));
  show_progress(true);
}

}  // namespace test::mcp
