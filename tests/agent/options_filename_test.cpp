// SPDX-License-Identifier: Apache-2.0
#include "agent/options/filename.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

using namespace rec::agent;

namespace {

struct Disk {
  std::map<std::string, int64_t> files;  // path -> time of modification
  std::string directory;
};

FilenameFacts facts_of(const Disk& disk) {
  FilenameFacts facts;
  facts.pid = 4711;
  facts.now = 0;
  facts.environment = [](const char* name) -> const char* {
    return std::string_view(name) == "POD" ? "web-7" : nullptr;
  };
  facts.modified_ns = [disk](const std::string& path) {
    const auto file = disk.files.find(path);
    return file == disk.files.end() ? -1 : file->second;
  };
  facts.is_directory = [disk](const std::string& path) { return !disk.directory.empty() && path == disk.directory; };
  return facts;
}

std::string expanded(std::string_view pattern, const Disk& disk = {}) {
  return expand_filename(pattern, facts_of(disk));
}

struct Utc {
  Utc() {
    setenv("TZ", "UTC", 1);
    tzset();
  }
};

}  // namespace

TEST_CASE("a variable that is not set, and a percent sign of no pattern, are said") {
  const auto said = [](std::string_view pattern) { return unfilled_in(pattern, facts_of({})); };
  CHECK(said("/d/rec-%p-%t-%{POD}-%n{3}-100%%.jfr").empty());
  const auto both = said("%{NODE}-%z-%{POD}-%n{0}%");
  REQUIRE(both.size() == 4);
  CHECK(both[0] == "%{NODE} in the file's name is left out: the environment has no NODE");
  CHECK(both[1] == "%z in the file's name stands for nothing and stays; %% is a percent sign");
  CHECK(both[2].starts_with("%n "));
  CHECK(both[3].starts_with("% "));
  CHECK(said("a-%{}.jfr").at(0).starts_with("%{ "));
  CHECK(expanded("a-%{}.jfr") == "a-%{}.jfr");
  CHECK(said("%{A\nB}").at(0).find('\n') == std::string::npos);
}

TEST_CASE("names that another run may have been given differ in the process id, the time and the ring's number alone") {
  const FilenameFacts facts = facts_of({{}, "/logs"});
  const auto may = [&](std::string_view pattern, std::string_view name) { return may_come_of(pattern, name, facts); };
  CHECK(may("rec-%p-%t.jfr", "rec-17-2026_11_21_13_45_10.jfr"));
  CHECK_FALSE(may("rec-%p-%t.jfr", "rec-17-2026_11_21.jfr"));
  CHECK_FALSE(may("rec-%p-%t.jfr", "rec--2026_11_21_13_45_10.jfr"));
  CHECK_FALSE(may("rec-%p-%t.jfr", "other-17-2026_11_21_13_45_10.jfr"));
  CHECK(may("/d/%{POD}-%n{3}.jfr", "web-7-2.jfr"));
  CHECK_FALSE(may("/d/%{POD}-%n{3}.jfr", "web-8-2.jfr"));
  CHECK(may("%p%p.jfr", "12.jfr"));
  CHECK(may("a%%b.jfr", "a%b.jfr"));
  CHECK(may("/logs", "rec-17-2026_11_21_13_45_10.jfr"));
  CHECK(may("/logs/", "rec-17-2026_11_21_13_45_10.jfr"));
  CHECK_FALSE(may("app.jfr", "app-2.jfr"));
}

TEST_CASE("a name without patterns stays as it is") { CHECK(expanded("/var/log/app.jfr") == "/var/log/app.jfr"); }

TEST_CASE("patterns become pid, time, environment and a percent sign") {
  const Utc utc;
  CHECK(expanded("a-%p.jfr") == "a-4711.jfr");
  CHECK(expanded("a-%t.jfr") == "a-1970_01_01_00_00_00.jfr");
  CHECK(expanded("%{POD}-%p.jfr") == "web-7-4711.jfr");
  CHECK(expanded("x%{NOT_SET}y") == "xy");
  CHECK(expanded("100%%.jfr") == "100%.jfr");
}

TEST_CASE("damage: what is no pattern stays") {
  CHECK(expanded("a%z") == "a%z");
  CHECK(expanded("a%") == "a%");
  CHECK(expanded("a%{open") == "a%{open");
  CHECK(expanded("a%n") == "a%n");
  CHECK(expanded("a%n{") == "a%n{");
  CHECK(expanded("a%n{x}") == "a%n{x}");
  CHECK(expanded("a%n{0}") == "a%n{0}");
  CHECK(expanded("a%n{99999999999999999999}") == "a%n{99999999999999999999}");
  CHECK(expanded("a%%n{3}") == "a%n{3}");
}

TEST_CASE("text that a variable brings in is not a pattern again") {
  FilenameFacts facts = facts_of({});
  facts.environment = [](const char*) -> const char* { return "%p"; };
  CHECK(expand_filename("%{X}", facts) == "%p");
}

TEST_CASE("the ring goes round after the newest file") {
  CHECK(expanded("a-%n{3}.jfr") == "a-1.jfr");
  CHECK(expanded("a-%n{3}.jfr", {.files = {{"a-1.jfr", 5}}}) == "a-2.jfr");
  CHECK(expanded("a-%n{3}.jfr", {.files = {{"a-1.jfr", 5}, {"a-2.jfr", 6}, {"a-3.jfr", 7}}}) == "a-1.jfr");
  CHECK(expanded("a-%n{3}.jfr", {.files = {{"a-1.jfr", 9}, {"a-2.jfr", 6}, {"a-3.jfr", 7}}}) == "a-2.jfr");
  CHECK(expanded("a-%n{1}.jfr", {.files = {{"a-1.jfr", 5}}}) == "a-1.jfr");
}

TEST_CASE("the ring passes over what another process records to, unless that is all of it") {
  FilenameFacts facts = facts_of({.files = {{"a-1.jfr", 5}, {"a-2.jfr", 6}, {"a-3.jfr", 7}}});
  facts.is_recorded_to = [](const std::string& path) { return path != "a-3.jfr"; };
  CHECK(expand_filename("a-%n{3}.jfr", facts) == "a-3.jfr");
  facts.is_recorded_to = [](const std::string&) { return true; };
  CHECK(expand_filename("a-%n{3}.jfr", facts) == "a-1.jfr");
}

TEST_CASE("the ring goes on after a recording that was never finished, and beside one that goes on") {
  namespace fs = std::filesystem;
  char directory[] = "/tmp/rec-ring-XXXXXX";
  REQUIRE(mkdtemp(directory) != nullptr);
  const std::string pattern = std::string(directory) + "/a-%n{3}.jfr";
  const auto next = [&] { return expand_filename(pattern, this_process()); };
  const auto name = [&](int number) { return std::string(directory) + "/a-" + std::to_string(number) + ".jfr"; };
  const auto touch = [](const std::string& path, int age_s) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::seconds(age_s));
  };
  std::ofstream(name(1)) << "finished";
  touch(name(1), 100);
  CHECK(next() == name(2));
  fs::create_directory(default_repository(name(2)));
  CHECK(next() == name(3));
  touch(name(1), 0);
  touch(default_repository(name(2)), 50);
  CHECK(next() == name(2));
  const int lock = open(default_repository(name(2)).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  REQUIRE(flock(lock, LOCK_EX | LOCK_NB) == 0);
  CHECK(next() == name(3));
  close(lock);
  fs::remove_all(directory);
}

TEST_CASE("a file beyond the ring does not count") {
  CHECK(expanded("a-%n{2}.jfr", {.files = {{"a-3.jfr", 99}, {"a-1.jfr", 5}}}) == "a-2.jfr");
}

TEST_CASE("a directory gets a file of the default name") {
  const Utc utc;
  CHECK(expanded("/data/") == "/data/rec-4711-1970_01_01_00_00_00.jfr");
  CHECK(expanded("/data", {.files = {}, .directory = "/data"}) == "/data/rec-4711-1970_01_01_00_00_00.jfr");
  CHECK(expanded("%{NOT_SET}") == "rec-4711-1970_01_01_00_00_00.jfr");
}

TEST_CASE("chunks lie beside the recording by default") { CHECK(default_repository("/d/a.jfr") == "/d/a.jfr.chunks"); }

TEST_CASE("facts of this process are real") {
  const FilenameFacts facts = this_process();
  CHECK(facts.pid > 0);
  CHECK(facts.is_directory("/"));
  CHECK(!facts.is_directory("/nonexistent/x"));
  CHECK(facts.modified_ns("/nonexistent/x") == -1);
  CHECK(facts.modified_ns(std::string(REC_SOURCE_ROOT) + "/CMakeLists.txt") > 0);
}
