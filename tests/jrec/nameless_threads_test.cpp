// SPDX-License-Identifier: Apache-2.0
// A thread may have an empty name: it is called by its id, and so wherever it is named.
#include <doctest/doctest.h>

#include <string>

#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using namespace test;

namespace {

// Three waits of a thread without a name, and one of main.
std::string waits(const Workplace& place) {
  MadeEvents made;
  for (int i = 0; i < 4; ++i)
    made.add("jdk.ThreadPark", i,
             {{"duration", made::span_ms(20)},
              {"eventThread", i < 3 ? made::thread("", 5590) : made::thread("main", 1)},
              {"stackTrace", made::stack({"app.Main.work"})}});
  return place.write("a.jfr", made.bytes());
}

}  // namespace

TEST_CASE("sql: a thread without a name is called alike in threads and samples") {
  const Workplace place;
  const std::string file = waits(place);
  CHECK(hear(place, {"sql", "--csv", file,
                     "select name, count(*) from samples s join threads t on s.thread = t.name group by 1"})
            .out == "name,count(*)\n[tid=5590],3\nmain,1\n");
}

TEST_CASE("a filter of threads finds one without a name by what it is called") {
  const Workplace place;
  const std::string file = waits(place);
  const Heard heard = hear(place, {"print", file, "--thread", "[tid=*"});
  CHECK(occurrences(heard.out, "jdk.ThreadPark {") == 3);
  CHECK(heard.err == "");
  CHECK(occurrences(hear(place, {"print", file, "--thread", "main"}).out, "jdk.ThreadPark {") == 1);
}

TEST_CASE("views and expressions call a thread without a name by its id") {
  const Workplace place;
  const std::string file = waits(place);
  CHECK(occurrences(hear(place, {"print", "--csv", file}).out, "[tid=5590]") == 3);
  CHECK(occurrences(hear(place, {"print", file, "--where", "eventThread = '[tid=5590]'"}).out, "jdk.ThreadPark {") ==
        3);
}
