// SPDX-License-Identifier: Apache-2.0
// Tables of event types whose names an engine takes for one.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "jrec/sql/event_table_names.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/jrec/parquet_reading.h"
#include "tests/text.h"

using namespace jrec;
using test::has;
using test::hear;
using test::MadeEvents;
using test::Texts;
using test::Workplace;
namespace made = test::made;
namespace fs = std::filesystem;

namespace {

std::string write_namesakes(const Workplace& place) {
  return place.write("a.jfr", MadeEvents()
                                  .add("a_b.c", 1, {{"q", made::whole(100)}})
                                  .add("odd.Case", 1, {{"small", made::whole(2)}})
                                  .add("a.b_c", 1, {{"p", made::whole(7)}})
                                  .add("odd.CASE", 1, {{"large", made::whole(1)}})
                                  .bytes());
}

std::string ask_csv(const Workplace& place, const std::string& query) {
  return hear(place, {"sql", place.path("a.jfr"), query, "--csv"}).out;
}

TEST_CASE("sql: of event types that an engine would call the same, each has a table") {
  const Workplace place;
  write_namesakes(place);
  CHECK(ask_csv(place, "select p from events_a_b_c") == "p\n7\n");
  CHECK(ask_csv(place, "select q from events_a_b_c_2") == "q\n100\n");
  CHECK(ask_csv(place, "select large, small from events_odd_CASE, events_odd_Case_2") == "large,small\n1,2\n");
  CHECK(ask_csv(place, "select type, table_name from event_types where type like 'a%' order by 1") ==
        "type,table_name\na.b_c,events_a_b_c\na_b.c,events_a_b_c_2\n");
  CHECK(has(ask_csv(place, ".tables"), "events_odd_Case_2,"));
  CHECK(has(ask_csv(place, ".schema events_a_b_c_2"), "events_a_b_c_2,q,INTEGER\n"));
}

TEST_CASE("sql: a table's name that a type has by itself is not given to another") {
  const EventTableNames names({"a.b_c", "a_b.c", "b.x", "a_b_c", "a.b.c_2"});
  CHECK(names.of("a.b.c_2") == "events_a_b_c_2");
  CHECK(names.of("a.b_c") == "events_a_b_c");
  CHECK(names.of("a_b.c") == "events_a_b_c_3");
  CHECK(names.of("a_b_c") == "events_a_b_c_4");
  CHECK(names.of("b.x") == "events_b_x");
  CHECK(names.of("jdk.Later") == "events_jdk_Later");
}

TEST_CASE("fleet: of event types that an engine would call the same, each has a table, with all inputs") {
  const Workplace place;
  const std::string both = write_namesakes(place);
  const std::string one = place.write("b.jfr", MadeEvents().add("a_b.c", 1, {{"q", made::whole(200)}}).bytes());
  const std::string set = place.path("fleet");
  CHECK(hear(place, {"export", one, both, "--parquet", set, "--events", "a*"}).code == 0);
  const auto files_of = [&](const std::string& table) {
    Texts files;
    for (const auto& entry : fs::recursive_directory_iterator(set + "/" + table))
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    return files;
  };
  REQUIRE(files_of("events_a_b_c").size() == 1);
  CHECK(test::ParquetReading(files_of("events_a_b_c")[0]).values("p") == Texts{"7"});
  CHECK(files_of("events_a_b_c_2").size() == 2);
}

}  // namespace
