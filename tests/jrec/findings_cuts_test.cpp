// SPDX-License-Identifier: Apache-2.0
// The finding of stacks that are cut says where, and what would keep more of them.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>

#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

namespace test::findings_cuts {

namespace {

std::string said_of(MadeEvents made, size_t frames) {
  const Workplace place;
  made.samples(300, {"app.Main.work", "java.lang.Thread.run"}).truncated(200, Frames(frames, "app.Deep.down"));
  return hear(place, {"findings", "--json", place.write("a.jfr", made.bytes())}).out;
}

MadeEvents of_rec() {
  return MadeEvents().add("rec.Counters", 1, {{"cause", made::text("samples")}, {"count", made::whole(500)}});
}

}  // namespace

TEST_CASE("findings: cut stacks are told with their length, and a larger one is advised") {
  const std::string said = said_of({}, 256);
  CHECK_MESSAGE(has(said, "They have 256 frames at most"), said);
  CHECK(has(said, "A larger stackdepth keeps more: JFR and rec take 2048."));
}

TEST_CASE("findings: no stackdepth is advised that was given already") {
  const std::string of_jfr = said_of({}, 2048);
  CHECK_MESSAGE(has(of_jfr, "They have 2,048 frames at most"), of_jfr);
  CHECK_FALSE(has(of_jfr, "larger stackdepth"));
  CHECK(has(said_of(of_rec(), 2048), "A larger stackdepth keeps more: rec takes 8192."));
  CHECK_FALSE(has(said_of(of_rec(), 8192), "larger stackdepth"));
}

}  // namespace test::findings_cuts
