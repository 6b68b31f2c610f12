// SPDX-License-Identifier: Apache-2.0
// What lasts counts with the part of it that lies in the time that is asked for, and with nothing else.
#include "jrec/profile/span_clip.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/jrec/commands.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using namespace jrec;
using namespace test;

namespace {

using Words = std::vector<std::string>;

struct Taken {
  bool any = false;
  int64_t from = 0;
  uint64_t length = 0, weight = 0;
};

Taken taken(SpanClip clip, int64_t from, uint64_t length, uint64_t weight) {
  Taken taken{false, from, length, weight};
  taken.any = clip.take(taken.from, taken.length, taken.weight);
  return taken;
}

// A thread parks for ten seconds, another one for one of them, in a minute.
std::string parks(const Words& options) {
  MadeEvents made;
  made.seconds(60);
  made.add("jdk.ThreadPark", 10'000,
           {{"duration", made::span_ms(10'000)}, {"stackTrace", made::stack({"app.Main.waits"})}});
  made.add("jdk.ThreadPark", 12'500,
           {{"duration", made::span_ms(1'000)}, {"stackTrace", made::stack({"app.Main.naps"})}});
  const Workplace place;
  Words words{"collapsed", "-e", "lock", place.write("a.jfr", made.bytes())};
  words.insert(words.end(), options.begin(), options.end());
  return hear(place, words).out;
}

}  // namespace

TEST_CASE("of a span the part is taken that is in the time, and its share of the weight") {
  const SpanClip clip({1000, 2000});
  const Taken before = taken(clip, 500, 1000, 400), all = taken(clip, 0, 10'000, 50),
              within = taken(clip, 1200, 100, 7);
  CHECK((before.any && before.from == 1000 && before.length == 500 && before.weight == 200));
  CHECK((all.any && all.from == 1000 && all.length == 1000 && all.weight == 5));
  CHECK((within.any && within.from == 1200 && within.length == 100 && within.weight == 7));
  CHECK_FALSE(taken(clip, 2000, 10, 1).any);
  CHECK_FALSE(taken(clip, 900, 100, 1).any);
  CHECK(taken(clip, 1000, 0, 1).any);
  CHECK_FALSE(taken(clip, 2000, 0, 1).any);
  CHECK(taken(SpanClip(), 5, UINT64_MAX, 1).weight == 1);
  CHECK(taken(SpanClip({0, 10}), INT64_MIN, UINT64_MAX, 1).any);
}

TEST_CASE("of many spans of one weight, cut alike, as many weigh one as their share is") {
  SpanClip clip({0, 300});
  uint64_t sum = 0;
  for (int i = 0; i < 1000; ++i) {
    int64_t from = 0;
    uint64_t length = 1000, weight = 1;
    CHECK(clip.take(from, length, weight));
    sum += weight;
  }
  CHECK(sum == 300);
}

TEST_CASE("waits of a chosen time are those in it, whenever they began") {
  CHECK(parks({}) == "app.Main.waits 10000000000\napp.Main.naps 1000000000\n");
  CHECK(parks({"--from", "13s", "--to", "14s"}) == "app.Main.waits 1000000000\napp.Main.naps 500000000\n");
  CHECK(parks({"--from", "5s", "--to", "10s"}).empty());
  CHECK(parks({"--from", "19s"}) == "app.Main.waits 1000000000\n");
  CHECK(parks({"--from", "13s", "--to", "14s", "--samples"}).empty());
}
