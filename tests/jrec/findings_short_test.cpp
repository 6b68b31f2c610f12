// SPDX-License-Identifier: Apache-2.0
// Rules of shares and rates in recordings, and parts of recordings, of less than five seconds.
#include <doctest/doctest.h>

#include <string>

#include "tests/jrec/findings_cases.h"
#include "tests/jrec/heard.h"
#include "tests/text.h"

using namespace test;

namespace {

std::string found_in_short(const MadeEvents& made) {
  const Workplace place;
  return hear(place, {"findings", place.write("a.jfr", made.bytes()), "--width", "1000"}).out;
}

bool is_too_short_for(const std::string& rule, const std::string& told) {
  const size_t at = told.find("the recording is shorter than 5 s: ");
  return at != std::string::npos && has(told.substr(at, told.find('\n', at) - at), rule);
}

MadeEvents pins(int count, int64_t ms_each) {
  MadeEvents made;
  for (int i = 0; i < count; ++i)
    made.add("jdk.VirtualThreadPinned", i * 200,
             {{"duration", made::span_ms(ms_each)}, {"stackTrace", made::stack({"app.Orders.wait"})}});
  return made;
}

}  // namespace

TEST_CASE("findings: in less than five seconds some short waits are no finding, and half a second of waiting is one") {
  const char* lock = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
  struct Case {
    const char *rule, *title;
    MadeEvents few, many;
  };
  for (const Case& each :
       {Case{"locks", "for locks of app.Cache", findings_rules::monitors(3, 100), findings_rules::monitors(6, 100)},
        Case{"park-locks", "for a ReentrantLock in app.Cache.get", findings_rules::parks(3, 100, lock),
             findings_rules::parks(6, 100, lock)},
        Case{"pinned", "kept their carriers", pins(3, 100), pins(6, 100)}}) {
    MadeEvents few = each.few, many = each.many;
    const std::string of_few = found_in_short(few.seconds(2)), of_many = found_in_short(many.seconds(2));
    CHECK_FALSE_MESSAGE(has(of_few, each.title), of_few);
    CHECK_MESSAGE(is_too_short_for(each.rule, of_few), of_few);
    CHECK_MESSAGE(has(of_many, each.title), of_many);
    CHECK_FALSE(is_too_short_for(each.rule, found_in_short(few.seconds(5))));
  }
}

TEST_CASE("findings: in less than five seconds half a second of pauses is a finding, and less is none") {
  MadeEvents few = findings_rules::collections(1, "G1New", "G1 Evacuation Pause", 400),
             many = findings_rules::collections(2, "G1New", "G1 Evacuation Pause", 400);
  const std::string of_few = found_in_short(few.seconds(2)), of_many = found_in_short(many.seconds(2));
  CHECK_MESSAGE(is_too_short_for("gc-pauses", of_few), of_few);
  CHECK_MESSAGE(has(of_many, "40 % of the time is pauses for collections"), of_many);
}

TEST_CASE("findings: what is allocated in less than five seconds is no rate") {
  MadeEvents made = findings_rules::allocations("app.Node", 2'000'000'000);
  CHECK(is_too_short_for("allocation-rate", found_in_short(made.seconds(4))));
  CHECK(has(found_in_short(made.seconds(20)), "are allocated each second"));
}
