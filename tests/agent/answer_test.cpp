// SPDX-License-Identifier: Apache-2.0
#include "agent/options/answer.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

using rec::agent::AgentCommand;
using rec::agent::Answer;
using rec::agent::deliver;

namespace {

Answer some_status() {
  Answer answer;
  answer.command = AgentCommand::kStatus;
  answer.recording = true;
  answer.filename = "/srv/a \"b\"\n.jfr";
  answer.repository = "/srv/chunks";
  answer.clock = "cpu 10ms (perf task-clock)";
  answer.interval_ns = 10'000'000;
  answer.duration_ns = 12'500'000'000;
  answer.samples = 1234567;
  answer.lost = 3;
  answer.chunks = 1;
  answer.bytes = 250'000;
  return answer;
}

// An empty file as a front end makes it, 0600.
class AnswerFile {
 public:
  AnswerFile() {
    char name[] = "/tmp/rec-answer-test-XXXXXX";
    close(mkstemp(name));
    path = name;
  }
  ~AnswerFile() { unlink(path.c_str()); }
  std::string text() const {
    std::ifstream in(path);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
  }
  std::string path;
};

}  // namespace

TEST_CASE("an answer is a line for people and an object for programs") {
  const Answer answer = some_status();
  CHECK(answer.line() ==
        "recording since 12.5 s to /srv/a \"b\"\n.jfr: 1,234,567 samples, 3 lost, 1 chunk, 0.3 MB; clocks "
        "cpu 10ms (perf task-clock)");
  const std::string json = answer.json();
  CHECK(json.find("\"filename\":\"/srv/a \\\"b\\\"\\u000a.jfr\"") != std::string::npos);
  CHECK(json.find("\"samples\":1234567,\"lost\":3,\"chunks\":1,\"bytes\":250000") != std::string::npos);
  CHECK(json.starts_with("{\"ok\":true,\"command\":\"status\",\"pid\":" + std::to_string(getpid()) + ","));
  CHECK(json.find("error") == std::string::npos);
}

TEST_CASE("an answer that refuses says why in both") {
  Answer answer;
  answer.command = AgentCommand::kDump;
  answer.error = "there is no recording";
  CHECK(answer.line() == "there is no recording");
  CHECK(answer.json().find("\"ok\":false,\"command\":\"dump\"") != std::string::npos);
  CHECK(answer.json().find("\"error\":\"there is no recording\"") != std::string::npos);
}

TEST_CASE("an answer goes into the file made for it, and nowhere else") {
  AnswerFile file;
  SUBCASE("an empty private file") {
    CHECK(deliver(some_status(), file.path));
    CHECK(file.text() == some_status().line() + "\n" + some_status().json() + "\n");
  }
  SUBCASE("a file with something in it is not touched") {
    std::ofstream(file.path) << "precious";
    CHECK_FALSE(deliver(some_status(), file.path));
    CHECK(file.text() == "precious");
  }
  SUBCASE("a file that others may read is not written") {
    chmod(file.path.c_str(), 0644);
    CHECK_FALSE(deliver(some_status(), file.path));
    CHECK(file.text().empty());
  }
  SUBCASE("a link is not followed") {
    const std::string link = file.path + ".link";
    REQUIRE(symlink(file.path.c_str(), link.c_str()) == 0);
    CHECK_FALSE(deliver(some_status(), link));
    unlink(link.c_str());
    CHECK(file.text().empty());
  }
  SUBCASE("a file with a second name is not written") {
    const std::string second = file.path + ".second";
    REQUIRE(link(file.path.c_str(), second.c_str()) == 0);
    CHECK_FALSE(deliver(some_status(), file.path));
    unlink(second.c_str());
    CHECK(file.text().empty());
  }
}
