// SPDX-License-Identifier: Apache-2.0
// What did not happen is told from what was not recorded: by findings, and below the lanes of a page.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/jrec/findings_cases.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using namespace test;

namespace {

MadeEvents of_rec(const MadeEvents& made) {
  MadeEvents with_counters = made;
  return with_counters.add("rec.Counters", 5, {{"cause", made::text("samples")}, {"count", made::whole(300)}});
}

// The lanes of which the page knows that they were recorded.
std::string recorded_lanes(const MadeEvents& made, const std::vector<std::string>& options = {}) {
  const Workplace place;
  std::vector<std::string> words = {"report", place.write("a.jfr", made.bytes())};
  words.insert(words.end(), options.begin(), options.end());
  const std::string page = hear(place, words).out, key = "\"recorded\":[";
  const size_t at = page.find(key);
  if (at == std::string::npos) return "none are told";
  return page.substr(at + key.size(), page.find(']', at) - at - key.size());
}

}  // namespace

TEST_CASE("findings: collections that did not happen are told from ones that were not recorded") {
  const std::string unknown = findings_rules::told_of(findings_rules::spread_out());
  CHECK_MESSAGE(has(unknown, "jdk.GarbageCollection was not recorded: gc-pauses"), unknown);
  MadeEvents enabled = findings_rules::spread_out();
  CHECK(has(findings_rules::told_of(enabled.enabled("jdk.GarbageCollection")), "there was no collection: gc-pauses"));
}

TEST_CASE("findings: recordings of rec have collections, though older ones do not say that they are on") {
  const std::string told = findings_rules::told_of(of_rec(findings_rules::spread_out()));
  CHECK_MESSAGE(has(told, "there was no collection: gc-pauses, gc-longest-pause, system-gc, full-gc, heap-rising"),
                told);
  CHECK_FALSE(has(told, "jdk.GarbageCollection was not recorded"));
}

TEST_CASE("a page knows which lanes were recorded, also of a part behind what says so") {
  MadeEvents made = findings_rules::spread_out();
  made.enabled("jdk.ThreadPark").enabled("rec.SafepointStop").setting("jdk.ResidentSetSize", "enabled", "false");
  CHECK(recorded_lanes(made) == "\"safepoints\",\"lock waits\"");
  CHECK(recorded_lanes(made, {"--from", "20s"}) == "\"safepoints\",\"lock waits\"");
  CHECK(recorded_lanes(of_rec(made)) == "\"heap and collections\",\"safepoints\",\"lock waits\"");
}
