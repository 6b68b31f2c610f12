// SPDX-License-Identifier: Apache-2.0
// jrec export --delta: logs of Delta Lake beside the tables of a data set.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "jrec/delta/delta_commit.h"
#include "jrec/delta/delta_log.h"
#include "jrec/fleet/fleet_command.h"
#include "jrec/fleet/fleet_path.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/heard.h"
#include "tests/text.h"

using namespace jrec;
using test::Bytes;
using test::has;
using test::RecordingBuilder;
using test::Said;
using test::Workplace;
using Names = std::vector<std::string>;
namespace fs = std::filesystem;

namespace {

Bytes samples_of(int32_t weight) {
  RecordingBuilder builder;
  builder.frame_type(1, "JIT compiled")
      .simple_stack(1, "a/B", "c")
      .sample(1'000'000, 1, weight)
      .sample(2'000'000, 1, weight);
  return builder.bytes();
}

struct LoggedSet {
  Workplace place;
  FleetOptions options;

  LoggedSet() { options.service = "a shop", options.host = "h", options.delta = true; }
  Said add(int32_t weight) { return run({place.write(std::to_string(weight) + ".jfr", samples_of(weight))}); }
  Said run(Names inputs) {
    options.inputs = std::move(inputs);
    options.directory = place.path("fleet");
    Said said;
    {
      const test::Into err(STDERR_FILENO, place.path("stderr"));
      said = place.run(run_export, options);
    }
    said.text += place.read("stderr");
    return said;
  }
  std::string log(const std::string& table, uint64_t version) const {
    return "fleet/" + table + "/_delta_log/" + delta_commit_name(version);
  }
  bool has_log(const std::string& table, uint64_t version) const { return fs::exists(place.path(log(table, version))); }
  void write(const std::string& path, const std::string& text) { std::ofstream(place.path(path)) << text; }
  std::string file_of_samples() const {
    for (const auto& entry : fs::recursive_directory_iterator(place.path("fleet/samples")))
      if (entry.path().extension() == ".parquet") return entry.path().string();
    return "";
  }
};

}  // namespace

TEST_CASE("delta: a table's log names its files with their partitions, rows and times, and its columns") {
  LoggedSet set;
  const Said said = set.add(1);
  CHECK(said.code == kDone);
  CHECK(has(said.text, "samples: version 0, new files: 1\n"));
  const std::string log = set.place.read(set.log("samples", 0)), id = said.text.substr(0, 32);
  CHECK(has(log, R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}})"));
  CHECK(has(log, R"("partitionColumns":["service","day","host"])"));
  CHECK(has(log, R"({\"name\":\"day\",\"type\":\"date\",)"));
  CHECK(has(log, R"({\"name\":\"time\",\"type\":\"timestamp\",)"));
  CHECK(has(log, R"("path":"service=a%2520shop/day=2023-11-14/host=h/)" + id + ".parquet\""));
  CHECK(has(log, R"("partitionValues":{"service":"a shop","day":"2023-11-14","host":"h"})"));
  CHECK(has(log, "\"size\":" + std::to_string(fs::file_size(set.file_of_samples()))));
  CHECK(has(log, R"(\"numRecords\":2,\"minValues\":{\"time\":\"2023-11-14T22:13:20.000Z\"},)"
                 R"(\"maxValues\":{\"time\":\"2023-11-14T22:13:20.002Z\"})"));
  const std::string stacks = set.place.read(set.log("stacks", 0));
  CHECK(has(stacks, R"(\"type\":\"array\",\"elementType\":{\"type\":\"struct\",\"fields\":[{\"name\":\"method\",)"));
  CHECK(has(set.place.read(set.log("recordings", 0)), R"({\"type\":\"map\",\"keyType\":\"string\",)"));
}

TEST_CASE("delta: a data set keeps its logs, and they follow its files") {
  LoggedSet set;
  set.add(1);
  set.options.delta = false;
  CHECK(has(set.add(2).text, "samples: version 1, new files: 1\n"));
  CHECK(set.add(2).code == kDone);
  CHECK(!set.has_log("samples", 2));
  fs::remove_all(set.place.path("fleet/samples/service=a%20shop"));
  CHECK(has(set.add(1).text, "samples: version 2, new files: 0, gone: 2\n"));
  CHECK(has(set.place.read(set.log("samples", 2)), R"({"remove":{"path":"service=a%2520shop/)"));
}

TEST_CASE("delta: a data set of before gets its logs without a recording, and what came back is in them again") {
  LoggedSet set;
  set.options.delta = false;
  set.add(1);
  CHECK(set.run({}).code == kUsageError);
  CHECK(!set.has_log("samples", 0));
  set.options.delta = true;
  CHECK(has(set.run({}).text, "recordings: version 0, new files: 1\n"));
  fs::remove_all(set.place.path("fleet/recordings/day=2023-11-14"));
  set.run({});
  CHECK(has(set.add(1).text, "recordings: version 2, new files: 1\n"));
}

TEST_CASE("delta: commits of others count, and what they took out of the table stays out") {
  LoggedSet set;
  set.add(1);
  const std::string ours =
      delta_uri(fs::path(set.file_of_samples()).lexically_relative(set.place.path("fleet/samples")).string());
  set.write(set.log("samples", 1),
            "{\"commitInfo\":{\"engineInfo\":\"other/1\"}}\n{\"remove\":{\"path\":\"" + ours + "\"}}\n");
  CHECK(set.add(2).code == kDone);
  CHECK(has(set.place.read(set.log("samples", 2)), R"("add")"));
  CHECK(!has(set.place.read(set.log("samples", 2)), ours));
}

TEST_CASE("delta: what a log says is kept, and a kept one of another log counts for nothing") {
  DeltaLog log;
  DeltaCommit first(0);
  DeltaSchema schema = DeltaSchema::of({{"day", "date"}});
  first.make_table("id", {"day"}, schema);
  for (const std::string name : {"a%", "b", "c"}) first.add({name, {}, 1, {}});
  REQUIRE(log.read(first.text()).ok());
  REQUIRE(log.read("{\"remove\":{\"path\":\"b\"}}").ok());
  DeltaCommit last(0);
  last.remove("c");
  REQUIRE(log.read(last.text()).ok());
  DeltaLog kept;
  const std::string text = log.snapshot();
  REQUIRE(kept.resume(text).ok());
  CHECK(kept.version() == 3);
  CHECK(kept.schema()->json() == schema.json());
  CHECK(kept.missing({"a%", "b", "c", "d"}) == Names{"c", "d"});
  CHECK(kept.vanished({}) == Names{"a%"});
  CHECK(kept.snapshot() == text);
  for (size_t size = 0; size < text.size() - 1; ++size) {
    CHECK(!kept.resume(std::string_view(text).substr(0, size)));
    CHECK(kept.version() == 0);
  }
  LoggedSet set;
  for (int32_t i = 1; i <= 22; ++i) set.add(i);
  REQUIRE(fs::exists(set.place.path("fleet/_rec/logs/samples")));
  for (const uint64_t gone : {0, 1, 3}) fs::remove(set.place.path(set.log("samples", gone)));  // are not asked for
  CHECK(has(set.add(23).text, "samples: version 22, new files: 1\n"));
  fs::remove_all(set.place.path("fleet/samples/_delta_log"));
  CHECK(has(set.add(24).text, "samples: version 0, new files: 24\n"));
  for (uint64_t version = 1; version < 25; ++version)
    set.write(set.log("samples", version), "{}");  // as long as the one before
  CHECK(has(set.add(25).text, "samples: version 25, new files: 1\n"));
}

TEST_CASE("delta: columns come in, an int that is a long elsewhere is a long, and else a column has one type") {
  DeltaSchema schema = DeltaSchema::of({{"day", "date"}});
  CHECK(*schema.add({{"a", ParquetType::kInt},
                     {"k", ParquetType::kText, false, ParquetColumn::Shape::kMap, "m"},
                     {"v", ParquetType::kText, false, ParquetColumn::Shape::kMap, "m"}}));
  CHECK(!*schema.add({{"a", ParquetType::kInt}}));
  CHECK(*schema.add({{"a", ParquetType::kLong}, {"b", ParquetType::kUnsigned}, {"c", ParquetType::kUnsigned}}));
  CHECK(!*schema.add({{"c", ParquetType::kInt}}));
  CHECK(!*schema.add({{"a", ParquetType::kInt}}));
  const std::string json = schema.json();
  CHECK(has(json, R"({"name":"a","type":"long","nullable":true,"metadata":{}})"));
  CHECK(has(json, R"x({"name":"b","type":"decimal(20,0)")x"));
  const auto refused = schema.add({{"new", ParquetType::kText}, {"b", ParquetType::kText}});
  REQUIRE(!refused);
  CHECK(has(refused.error().what, "column b is \"string\" here, and \"decimal(20,0)\" in the table"));
  for (const std::string name : {"A", "m x", "m,x", "", "\xff", "a\nb", "a=b"})
    CHECK(!schema.add({{name, ParquetType::kInt}}));
  CHECK(schema.json() == json);
  auto again = DeltaSchema::parse(json);
  REQUIRE(again);
  CHECK(again->json() == json);
}

TEST_CASE("fleet: a field never hides behind a partition's column, nor behind one that differs in its case") {
  ParquetColumns columns;
  for (const char* field : {"host", "size", "Size", "SIZE", "Day", "event_host", "service2"})
    columns.push_back({free_column_name(field, columns)});
  Names names;
  for (const ParquetColumn& column : columns) names.push_back(column.name);
  CHECK(names == Names{"event_host", "size", "Size_2", "SIZE_3", "event_Day", "event_host_2", "service2"});
}

TEST_CASE("delta: names of files are URIs in a log") {
  CHECK(delta_uri("host=a%3Ab/x y.parquet") == "host=a%253Ab/x%20y.parquet");
  CHECK(delta_uri("host=me@h+1/x") == "host=me@h+1/x");
  for (const std::string name : {"a%3Ab", "100%", "%", "%4", "\xc3\xa4/=+@", ""})
    CHECK(delta_path(delta_uri(name)) == name);
  CHECK(delta_commit_name(12) == "00000000000000000012.json");
  CHECK(delta_commit_version("00000000000000000012.json") == 12u);
  for (const std::string name : {"12.json", "0000000000000000001x.json", "00000000000000000012.checkpoint.parquet", ""})
    CHECK(!delta_commit_version(name));
}

TEST_CASE("delta: a commit that has become too large goes on in the next") {
  DeltaCommit commit(0);
  CHECK(commit.is_empty());
  while (!commit.is_full()) commit.remove(std::string(1000, 'x'));
  CHECK(commit.text().size() < DeltaCommit::kMostBytes + 2000);
  DeltaLog log;
  CHECK(log.read(commit.text()).ok());
  CHECK(log.version() == 1);
}

TEST_CASE("delta: files of others are theirs: none comes in that is not committed, none goes that is there") {
  LoggedSet set;
  set.add(1);
  const fs::path ours = set.file_of_samples(), folder = ours.parent_path();
  for (const char* name : {"part-0.parquet", ".hidden.parquet", "copy.parquet"}) fs::copy_file(ours, folder / name);
  CHECK(set.run({}).code == kDone);
  CHECK(!set.has_log("samples", 1));
  const std::string theirs =
      delta_uri((folder / "part-0.parquet").lexically_relative(set.place.path("fleet/samples")).string());
  set.write(set.log("samples", 1), "{\"add\":{\"path\":\"" + theirs + "\"}}\n");
  CHECK(set.run({}).code == kDone);
  CHECK(!set.has_log("samples", 2));
  fs::remove(folder / "part-0.parquet");
  CHECK(has(set.run({}).text, "samples: version 2, new files: 0, gone: 1\n"));
  fs::copy_file(ours, folder / (std::string(32, 'c') + ".parquet"));
  CHECK(has(set.run({}).text, "is not what its name says"));
}

TEST_CASE("delta: a recording that others took out and that is added again is there again") {
  LoggedSet set;
  const std::string name = set.add(1).text.substr(0, 32);
  for (const std::string table : {"samples", "stacks", "recordings"})
    for (const auto& entry : fs::recursive_directory_iterator(set.place.path("fleet/" + table))) {
      if (entry.path().extension() != ".parquet") continue;
      const std::string path = entry.path().lexically_relative(set.place.path("fleet/" + table)).string();
      set.write(set.log(table, 1), "{\"remove\":{\"path\":\"" + delta_uri(path) + "\"}}\n");
      fs::remove(entry.path());
    }
  CHECK(has(set.add(1).text, "samples: version 2, new files: 1\n"));
}

TEST_CASE("delta: a service that is no UTF-8, or is cut short, leaves a table that can be read") {
  LoggedSet set;
  for (const std::string& service : {std::string("bad\xff"), std::string(20, '\xe6'), [] {
                                       std::string text;
                                       for (int i = 0; i < 14; ++i) text += "\xe6\x97\xa5";
                                       return text;
                                     }()}) {
    set.options.service = service;
    CHECK(set.add(1 + static_cast<int32_t>(service.size())).code == kDone);
  }
  DeltaLog log;
  for (uint64_t version = 0; version < 3; ++version) CHECK(log.read(set.place.read(set.log("samples", version))).ok());
}

TEST_CASE("damage: a log that cannot be gone on with is left alone and told, and stops no recording") {
  LoggedSet set;
  set.add(1);
  const std::string good = set.place.read(set.log("samples", 0));
  const std::string later = R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7}})";
  const std::string deep = std::string(100'000, '[');
  for (const std::string& bad : {std::string("no json\n"), std::string("[1]"), later, deep, "{\"a\":" + deep,
                                 std::string(R"({"metaData":{"schemaString":"{}"}})")}) {
    set.write(set.log("samples", 0), bad);
    const Said said = set.add(1);
    CHECK(said.code == kDamaged);
    CHECK(has(said.text, ": is not in the Delta log: "));
    CHECK(!set.has_log("samples", 1));
  }
  set.write(set.log("samples", 5), good);
  fs::remove(set.place.path(set.log("samples", 0)));
  const Said said = set.add(2);
  CHECK(said.code == kDamaged);
  CHECK(has(said.text, "the beginning of its log is gone"));
  CHECK(has(said.text, "recordings: version 1, new files: 1\n"));
}

TEST_CASE("damage: files that are no tables of ours are left out of the log, and told") {
  LoggedSet set;
  set.add(1);
  const fs::path folder = fs::path(set.file_of_samples()).parent_path();
  const std::string good = set.place.read(fs::relative(set.file_of_samples(), set.place.path("")).string());
  for (size_t cut = 1; cut < 40; ++cut) {
    std::ofstream(folder / (std::string(32, 'a') + ".parquet")) << good.substr(0, good.size() - cut);
    const Said said = set.add(1);
    CHECK(said.code == kDamaged);
    CHECK(has(said.text, "aaa.parquet: at 0x"));
    CHECK(has(said.text, ": is not in the Delta log: "));
  }
  CHECK(!set.has_log("samples", 1));
}

TEST_CASE("damage: a file outside of the partitions is left out of the log, and told") {
  LoggedSet set;
  set.add(1);
  const std::string good = set.file_of_samples();
  for (const std::string place :
       {"", "service=s/day=2023-11-14/", "service=s/day=today/host=h/", "day=2023-11-14/service=s/host=h/"}) {
    const std::string path = set.place.path("fleet/samples/" + place + std::string(32, 'b') + ".parquet");
    fs::create_directories(fs::path(path).parent_path());
    fs::copy_file(good, path);
    const Said said = set.add(1);
    CHECK(said.code == kDamaged);
    CHECK(has(said.text, "bbb.parquet: is not in the Delta log: lies in no partition"));
    fs::remove(path);
  }
  CHECK(!set.has_log("samples", 1));
}
