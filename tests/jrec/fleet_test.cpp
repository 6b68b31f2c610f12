// SPDX-License-Identifier: Apache-2.0
// jrec export: a data set that recordings are added to.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "jrec/archive/archive_add.h"
#include "jrec/fleet/fleet_command.h"
#include "jrec/fleet/fleet_identity.h"
#include "jrec/fleet/partition.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/parquet_reading.h"
#include "tests/text.h"

using namespace jrec;
using test::Bytes;
using test::has;
using test::ParquetReading;
using test::RecordingBuilder;
using test::Said;
using test::Texts;
using test::Workplace;
namespace fs = std::filesystem;

namespace {

// Chunk 1: three samples of a/B.c, the last first, and one of a/D.e; chunk 2: one more of a/B.c.
Bytes shop(int32_t weight = 10) {
  RecordingBuilder builder;
  builder.frame_type(1, "JIT compiled").simple_stack(1, "a/B", "c").simple_stack(2, "a/D", "e");
  for (int i = 0; i < 3; ++i) builder.sample(3'000'000 - i * 1'000'000, 1, weight);
  builder.sample(9'000'000, 2, 5);
  builder.next_chunk();
  builder.frame_type(1, "JIT compiled").simple_stack(7, "a/B", "c");
  builder.sample(5'000'000, 7, 1);
  return builder.bytes();
}

struct DataSet {
  Workplace place;
  FleetOptions options;

  Said add(const std::string& name, const Bytes& bytes) { return add({place.write(name, bytes)}); }
  Said add(std::vector<std::string> inputs) {
    options.inputs = std::move(inputs);
    options.directory = place.path("fleet");
    return place.run(run_export, options);
  }
  // Paths in it, sorted.
  Texts files(const std::string& table) const {
    Texts found;
    const std::string root = place.path("fleet") + "/";
    if (!fs::exists(root + table)) return found;
    for (const auto& entry : fs::recursive_directory_iterator(root + table))
      if (entry.is_regular_file()) found.push_back(entry.path().string().substr(root.size()));
    std::sort(found.begin(), found.end());
    return found;
  }
  Texts values(const std::string& table, const std::string& column) const {
    Texts all;
    for (const std::string& file : files(table))
      for (const std::string& value : ParquetReading(place.path("fleet/" + file)).values(column)) all.push_back(value);
    return all;
  }
};

constexpr const char* kDayOfTests = "day=2023-11-14";

}  // namespace

TEST_CASE("fleet: samples are by service, day and host, in a chunk by time") {
  DataSet set;
  set.options.service = "shop";
  set.options.host = "web 1";
  const Said said = set.add("a.jfr", shop());
  CHECK(said.code == kDone);
  CHECK(has(said.text, "a.jfr: 5 samples, 2 new stacks, service shop, host web 1"));
  const std::string id = said.text.substr(0, 32);
  const std::string partition = std::string("service=shop/") + kDayOfTests + "/host=web%201/";
  CHECK(set.files("samples") == Texts{"samples/" + partition + id + ".parquet"});
  CHECK(set.files("stacks") == Texts{"stacks/" + partition + id + ".parquet"});
  CHECK(set.files("recordings") == Texts{std::string("recordings/") + kDayOfTests + "/" + id + ".parquet"});
  CHECK(set.values("samples", "recording") == Texts(5, id));
  CHECK(set.values("samples", "weight") == Texts{"10", "10", "10", "5", "1"});
  CHECK(set.values("samples", "top") == Texts{"a.B.c", "a.B.c", "a.B.c", "a.D.e", "a.B.c"});
  CHECK(set.values("samples", "time")[0] == "1700000000000999");
  CHECK(set.values("samples", "thread")[0] == "null");
  CHECK(set.values("stacks", "method") == Texts{"a.B.c", "a.D.e"});
  CHECK(set.values("stacks", "class") == Texts{"a.B", "a.D"});
  CHECK(set.values("recordings", "samples") == Texts{"5"});
  CHECK(set.values("recordings", "damaged") == Texts{"false"});
  CHECK(ParquetReading(set.place.path("fleet/" + set.files("samples")[0])).fact("rec.schema") == "1");
}

TEST_CASE("fleet: the same recording again, by whatever name, changes nothing and is told") {
  DataSet set;
  set.add("a.jfr", shop());
  const Texts before = set.files("");
  const Said said = set.add("b.jfr", shop());
  CHECK(said.code == kDone);
  CHECK(has(said.text, "b.jfr: is there already"));
  CHECK(set.files("") == before);
}

TEST_CASE("fleet: a member of an archive is the recording that it was, with the archive's labels") {
  DataSet set;
  ArchiveAddOptions add;
  add.archive = set.place.path("all.recz");
  add.files = {set.place.write("a.jfr", shop())};
  add.labels = {"service=shop", "host=h1", "version=1.4", "env=prod"};
  REQUIRE(set.place.run(run_archive_add, add).code == kDone);
  CHECK(set.add({add.archive}).code == kDone);
  CHECK(has(set.files("samples")[0], "service=shop/day=2023-11-14/host=h1/"));
  CHECK(set.values("samples", "version") == Texts(5, "1.4"));
  CHECK(set.values("recordings", "key") == Texts{"env", "host", "service", "version"});
  CHECK(set.values("recordings", "value") == Texts{"prod", "h1", "shop", "1.4"});
  CHECK(has(set.add({add.files[0]}).text, "is there already"));
  CHECK(has(set.add({add.archive + ":a.jfr"}).text, "is there already"));
}

TEST_CASE("fleet: a stack is in a partition once, whichever recording brings it") {
  DataSet set;
  set.options.service = "shop";
  set.add("a.jfr", shop(10));
  CHECK(has(set.add("b.jfr", shop(11)).text, " 0 new stacks"));
  CHECK(set.files("stacks").size() == 1);
  CHECK(set.files("samples").size() == 2);
  set.options.service = "other";  // its own partition has it too, so that a query needs no other
  CHECK(has(set.add("c.jfr", shop(12)).text, " 2 new stacks"));
  set.options.service = "shop";
  fs::remove_all(set.place.path("fleet/stacks/service=shop"));
  CHECK(has(set.add("d.jfr", shop(13)).text, " 2 new stacks"));
}

TEST_CASE("fleet: events are tables of their own, by the names that there are") {
  DataSet set;
  set.options.events = {"jdk.Execution*"};
  CHECK(set.add("a.jfr", shop()).code == kDone);
  REQUIRE(set.files("events_jdk_ExecutionSample").size() == 1);
  CHECK(set.values("events_jdk_ExecutionSample", "weight") == Texts{"10", "10", "10", "5", "1"});
  set.options.events = {"jdk.Exeution*"};
  CHECK(set.add("b.jfr", shop(11)).code == kUsageError);
}

TEST_CASE("fleet: a sample is in the partition of its own day") {
  DataSet set;
  RecordingBuilder builder;
  builder.frame_type(1, "JIT compiled").simple_stack(1, "a/B", "c");
  constexpr int64_t kTwoHours = 7'200'000'000'000;
  builder.sample(1'000, 1).sample(kTwoHours, 1).sample(100 * kTwoHours, 1);
  Bytes bytes = builder.bytes();
  test::put_be64(bytes, 40, kTwoHours);  // how long the chunk is
  CHECK(set.add("a.jfr", bytes).code == kDone);
  REQUIRE(set.files("samples").size() == 2);
  CHECK(has(set.files("samples")[0], "day=2023-11-14"));
  CHECK(has(set.files("samples")[1], "day=2023-11-15"));
  // What lies behind the recording's end is in its last day.
  CHECK(set.values("samples", "time").size() == 3);
  CHECK(set.files("stacks").size() == 2);
}

TEST_CASE("damage: what is good of a recording is kept, and others are added all the same") {
  DataSet set;
  Bytes cut = shop(20);
  cut.resize(cut.size() - 3);
  const std::string damaged = set.place.write("damaged.jfr", cut);
  const std::string text = set.place.write("text.jfr", Bytes(100, 'x'));
  const std::string good = set.place.write("good.jfr", shop());
  const Said said = set.add({damaged, set.place.path("none.jfr"), text, good});
  CHECK(said.code != kDone);
  CHECK(has(said.text, "damaged.jfr: "));
  CHECK(has(said.text, "good.jfr: 5 samples"));
  CHECK(set.values("recordings", "name").size() == 2);
  Texts flags = set.values("recordings", "damaged");
  std::sort(flags.begin(), flags.end());
  CHECK(flags == Texts{"false", "true"});
  CHECK(set.add({damaged, good}).code == kDamaged);
}

TEST_CASE("damage: an export that was killed is undone, or done, by the next") {
  DataSet set;
  set.add("a.jfr", shop());
  const std::string making = set.place.path("fleet/_rec/new/");
  fs::create_directories(making + "0123");
  std::ofstream(making + "0123/0") << "half a fi";
  fs::create_directories(making + "4567");
  std::ofstream(making + "4567/1") << "whole";
  std::ofstream(making + "4567/moves")
      << "samples/service=s/day=d/host=h/4567.parquet\nrecordings/day=d/4567.parquet\n";
  CHECK(has(set.add("a.jfr", shop()).text, "is there already"));
  CHECK(fs::is_empty(making));
  CHECK(set.place.read("fleet/recordings/day=d/4567.parquet") == "whole");
}

TEST_CASE("damage: nothing is moved out of the data set") {
  DataSet set;
  set.add("a.jfr", shop());
  const std::string making = set.place.path("fleet/_rec/new/");
  for (const std::string target : {"../stolen", "/tmp/stolen", "samples/../../stolen"}) {
    fs::create_directories(making + "89");
    std::ofstream(making + "89/0") << "x";
    std::ofstream(making + "89/moves") << target << "\n";
    CHECK(set.add("a.jfr", shop()).code == kOutputFailed);
  }
  CHECK(!fs::exists(set.place.path("stolen")));
}

TEST_CASE("fleet: directories of something else, of later versions, and addresses are refused") {
  DataSet set;
  fs::create_directories(set.place.path("fleet/photos"));
  CHECK(set.add("a.jfr", shop()).code == kUsageError);
  fs::remove_all(set.place.path("fleet"));
  CHECK(set.add("a.jfr", shop()).code == kDone);
  std::ofstream(set.place.path("fleet/_rec/schema")) << "2\n";
  CHECK(set.add("a.jfr", shop(11)).code == kUsageError);
  set.options.labels = {"no label"};
  CHECK(set.add("a.jfr", shop()).code == kUsageError);
  set.options.labels.clear();
  set.options.directory = "gs://bucket/fleet";
  set.options.inputs = {set.place.path("a.jfr")};
  CHECK(set.place.run(run_export, set.options).code == kUsageError);
}

TEST_CASE("damage: stacks that somebody else wrote over are no base to add to") {
  DataSet set;
  set.add("a.jfr", shop());
  std::ofstream(set.place.path("fleet/" + set.files("stacks")[0])) << "not a table";
  CHECK(set.add("b.jfr", shop(11)).code == kOutputFailed);
  CHECK(set.files("samples").size() == 1);
}

TEST_CASE("fleet: a program is called by its jar or its class") {
  CHECK(started_program("/opt/app/shop-1.4.2.jar --port 80").name == "shop");
  CHECK(started_program("/opt/app/shop-1.4.2.jar --port 80").version == "1.4.2");
  CHECK(started_program("web-shop.jar").name == "web-shop");
  CHECK(started_program("com.acme.shop/com.acme.Main x/y.jar").name == "com.acme.Main");
  CHECK(started_program("").name.empty());
}

TEST_CASE("fleet: names of partitions cannot leave theirs, and are no longer than a file system allows") {
  CHECK(hive_value("a/../b=c") == "a%2F..%2Fb%3Dc");
  CHECK(hive_value(".") == "%2E");
  CHECK(hive_value("..") == "%2E%2E");
  const std::string first = hive_value(std::string(500, '/') + "1"), second = hive_value(std::string(500, '/') + "2");
  CHECK(first.size() <= kLongestValue);
  CHECK(first != second);
  CHECK(day_text(day_of(-1)) == "1969-12-31");
  CHECK(day_text(day_of(0)) == "1970-01-01");
  const FleetDays days(0, INT64_MAX);
  CHECK(days.of(INT64_MAX) == FleetDays::kMost - 1);
  CHECK(days.of(INT64_MIN) == 0);
}
