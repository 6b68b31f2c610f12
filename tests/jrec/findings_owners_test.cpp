// SPDX-License-Identifier: Apache-2.0
// Who is told to have had a lock that others waited for, where it went from one that waited to the next.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using namespace test;

namespace {

using namespace made;

struct MadeWait {
  const char *thread, *previous;
  int64_t from_ms, to_ms;
  int64_t address = 0x1000;
};

MadeEvents waits_of(const std::vector<MadeWait>& waits) {
  MadeEvents made;
  for (const MadeWait& wait : waits)
    made.add("jdk.JavaMonitorEnter", wait.from_ms,
             {{"duration", span_ms(wait.to_ms - wait.from_ms)},
              {"eventThread", text(wait.thread)},
              {"stackTrace", stack({"app.Cache.get"})},
              {"monitorClass", text("app.Cache")},
              {"previousOwner", text(wait.previous)},
              {"address", whole(wait.address)}});
  return made;
}

std::string found_in(const MadeEvents& made, std::vector<std::string> options = {}) {
  const Workplace place;
  options.insert(options.begin(), {"findings", place.write("a.jfr", made.bytes()), "--width", "400"});
  return hear(place, options).out;
}

// A has it for 10 s, while three wait; each of these has it for 100 ms.
const std::vector<MadeWait> kChain = {{"D", "C", 0, 10'200}, {"B", "A", 0, 10'000}, {"C", "B", 0, 10'100}};

}  // namespace

TEST_CASE("owners: who had a lock while others waited is told, and not who handed it over last") {
  CHECK(has(found_in(waits_of(kChain)), "owner A 99 %, and 2 others"));
}

TEST_CASE("owners: who waits for one lock may have another one, of the same class") {
  const std::string told = found_in(waits_of({{"B", "A", 0, 10'000}, {"C", "B", 0, 10'100, 0x2000}}));
  CHECK(has(told, "owner B 50 %, and 1 other"));
}

TEST_CASE("owners: of a chosen time those are told who had the lock in it") {
  const std::string early = found_in(waits_of(kChain), {"--to", "6s"}),
                    late = found_in(waits_of(kChain), {"--from", "4s"});
  CHECK_MESSAGE(has(early, "owner A\n"), early);
  CHECK(has(late, "owner A 98 %, and 2 others"));
  const std::string handed_over_later =
      found_in(waits_of({{"D", "X", 0, 9'000}, {"X", "A", 6'500, 8'000}}), {"--to", "6s"});
  CHECK_MESSAGE(has(handed_over_later, "owner A\n"), handed_over_later);
}

TEST_CASE("owners: where one entered without a wait that is written, it is told that it was the last") {
  const std::string told = found_in(waits_of({{"B", "A", 0, 4'000}, {"D", "X", 0, 10'000}}));
  CHECK(has(told, "owner A 57 %, and 1 other"));
  CHECK(has(told, "For 43 % of it the owner is who handed the lock over last"));
  CHECK_FALSE(has(found_in(waits_of(kChain)), "handed the lock over last"));
}

TEST_CASE("owners: where nobody is told to have handed it over, nobody is named for that time") {
  const std::string told = found_in(waits_of({{"B", "A", 0, 4'000}, {"D", "", 3'999, 30'000}}));
  CHECK_MESSAGE(has(told, "owner A 13 %\n"), told);
  CHECK_FALSE(has(told, "handed the lock over last"));
}

TEST_CASE("owners: rec asks who has a lock, and its answer stands") {
  MadeEvents made = waits_of(kChain);
  made.add("rec.Counters", 5, {{"cause", text("samples")}, {"count", whole(300)}});
  CHECK(has(found_in(made), "owner C 34 %"));
  CHECK(has(found_in(waits_of(kChain)), "owner A 99 %"));
}
