// SPDX-License-Identifier: Apache-2.0
// A column's type holds all of its values: addresses, and fields that recordings declare differently.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/jrec/parquet_reading.h"
#include "tests/text.h"

using test::Bytes;
using test::has;
using test::hear;
using test::MadeEvents;
using test::occurrences;
using test::RecordingBuilder;
using test::Texts;
using test::Workplace;
namespace made = test::made;
namespace fs = std::filesystem;

namespace {

std::string write_int_addresses(const Workplace& place) {
  using Builder = RecordingBuilder;
  RecordingBuilder builder({{Builder::kMore,
                             "my.Page",
                             {{"startTime", Builder::kLong}, {"at", Builder::kInt, false, false, Builder::kAddress}}}});
  for (const uint64_t at : {uint64_t{16}, uint64_t{0xFFFFFFFF}}) {
    Bytes event{1};
    Builder::leb(event, at);
    builder.other(Builder::kMore, event);
  }
  return place.write("a.jfr", builder.bytes());
}

TEST_CASE("addresses: that of an int of -1 is the same number wherever it is shown, asked for or kept") {
  const Workplace place;
  const std::string file = write_int_addresses(place);
  const auto found = [&](const std::string& where) {
    return occurrences(hear(place, {"print", "--json-lines", "--where", where, file}).out, "\n");
  };
  CHECK(found("at = 0xFFFFFFFFFFFFFFFF") == 1);
  CHECK(found("at = 18446744073709551615") == 1);
  CHECK(found("at = 0xFFFFFFFF") == 0);
  CHECK(has(hear(place, {"sql", file, ".schema events_my_Page", "--csv"}).out, "events_my_Page,at,UNSIGNED\n"));
  CHECK(hear(place, {"sql", file, "select at from events_my_Page", "--csv"}).out == "at\n16\n18446744073709551615\n");
  const std::string set = place.path("fleet");
  CHECK(hear(place, {"export", file, "--parquet", set, "--events", "my.Page"}).code == 0);
  Texts kept;
  for (const auto& entry : fs::recursive_directory_iterator(set + "/events_my_Page"))
    if (entry.is_regular_file()) kept = test::ParquetReading(entry.path().string()).values("at");
  CHECK((kept == Texts{"16", "-1"} || kept == Texts{"16", "18446744073709551615"}));  // of UINT_64
}

TEST_CASE("sql: where recordings declare a field differently, its column's type has the values of all") {
  const Workplace place;
  const std::string number = place.write("a.jfr", MadeEvents().add("my.X", 1, {{"n", made::whole(7)}}).bytes());
  const std::string text = place.write("b.jfr", MadeEvents().add("my.X", 1, {{"n", made::text("seven")}}).bytes());
  const std::string real = place.write("c.jfr", MadeEvents().add("my.X", 1, {{"n", made::real(0.5)}}).bytes());
  const auto type_in = [&](const std::vector<std::string>& files) {
    std::vector<std::string> words{"sql"};
    words.insert(words.end(), files.begin(), files.end());
    words.insert(words.end(), {".schema events_my_X", "--csv"});
    const std::string told = hear(place, words).out;
    const size_t at = told.find("events_my_X,n,");
    return at == std::string::npos ? told : told.substr(at + 14, told.find('\n', at) - at - 14);
  };
  CHECK(type_in({number}) == "INTEGER");
  CHECK(type_in({number, text}) == "TEXT");
  CHECK(type_in({text, number}) == "TEXT");
  CHECK(type_in({number, real}) == "REAL");
  CHECK(hear(place, {"sql", number, text, "select n from events_my_X", "--csv"}).out == "n\n7\nseven\n");
}

}  // namespace
