// SPDX-License-Identifier: Apache-2.0
// Some hundreds of damages, in this process; scripts/mutate makes thousands, and gives them to every command.
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>

#include "format/reader/chunk.h"
#include "tests/jrec/files.h"
#include "tests/mutation.h"

using namespace jrec;
using namespace test;

namespace {

Bytes program(const char* name) {
  return RecordingBuilder()
      .frame_type(1, "x")
      .simple_stack(1, name, "run")
      .sample(1500, 1)
      .text(1600, name)
      .flush()
      .simple_stack(2, name, "stop")
      .sample(1700, 2)
      .next_chunk()
      .frame_type(1, "x")
      .simple_stack(1, name, "again")
      .sample(1'500'000'000, 1)
      .text(1'600'000'000, name)
      .bytes();
}

// The bytes of the events of a chunk, constants and metadata left out.
std::vector<Bytes> events_of(std::span<const uint8_t> file, const jfr::read::ChunkExtent& extent) {
  jfr::read::Problems problems;
  jfr::read::Chunk chunk(file, extent, problems);
  std::vector<Bytes> events;
  auto walk = chunk.events();
  for (jfr::read::Event event; walk.next(event);) {
    if (event.type_id <= jfr::kCheckpointType) continue;
    const auto bytes = chunk.bytes().subspan(event.at, event.size);
    events.emplace_back(bytes.begin(), bytes.end());
  }
  return events;
}

std::vector<Bytes> events_of(const Victim& victim) {
  std::vector<Bytes> all;
  for (const auto& extent : victim.chunks)
    for (Bytes& event : events_of(victim.bytes, extent)) all.push_back(std::move(event));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("damage: of a recording that is damaged in one chunk every other chunk is read in full") {
  const Victim victim(join(program("a/A"), program("b/B")));
  REQUIRE(victim.chunks.size() == 4);
  for (uint64_t number = 0; number < 2000; ++number) {
    const Mutation mutation = mutate(victim, number);
    std::vector<Bytes> wanted, missing;
    for (size_t i = 0; i < victim.chunks.size(); ++i)
      if (mutation.spared(i))
        for (Bytes& event : events_of(victim.bytes, victim.chunks[i])) wanted.push_back(std::move(event));
    std::sort(wanted.begin(), wanted.end());
    const std::vector<Bytes> got = events_of(Victim(mutation.bytes));
    std::set_difference(wanted.begin(), wanted.end(), got.begin(), got.end(), std::back_inserter(missing));
    INFO("mutation " << number << ", " << mutation.kind << ", chunk " << mutation.chunk);
    CHECK(missing.empty());
  }
}

TEST_CASE("damage: mutated recordings are verified, cut, scrubbed and merged, and what is written can be read") {
  const Workplace place;
  const Victim victim(join(program("a/A"), program("b/B")));
  const std::string other = place.write("other.jfr", program("c/C"));
  for (uint64_t number = 0; number < 200; ++number) {
    const Mutation mutation = mutate(victim, number);
    INFO("mutation " << number << ", " << mutation.kind << ", chunk " << mutation.chunk);
    RewriteOptions options = scrub_of(place, mutation.bytes);
    options.prune = number % 2 == 0;
    const int verdict = verified(place, options.file).code;
    CHECK((verdict == kDone || verdict == kDamaged || verdict == kNothingReadable));
    const int cut = rewritten(place, options);
    CHECK((cut == kDone || cut == kDamaged || cut == kNothingReadable));
    // Constants that cannot be decoded are taken over where nothing is left out: then it is as damaged as before, and was told.
    if (cut != kNothingReadable) CHECK(summary_of(place, options.out).code <= cut);
    const int together = merged(place, {other, options.file});
    CHECK((together == kDone || together == kDamaged));
    CHECK(summary_of(place, place.path("out.jfr")).code <= together);
  }
}

TEST_CASE("damage: an event that cannot be decoded goes into nothing that is written") {
  const Workplace place;
  Bytes bad = RecordingBuilder().text(1500, "whole").text(1600, "broken").bytes();
  const std::string broken = "broken";
  const auto text = std::search(bad.begin(), bad.end(), broken.begin(), broken.end());
  REQUIRE(text != bad.end());
  *(text - 1) = 100;  // its length
  const std::string file = place.write("bad.jfr", bad);
  const auto holds_the_rest = [&](const std::string& out) {
    CHECK(has(verified(place, out).text, "1 event, "));
    return verified(place, out).code == kDone;
  };
  for (const bool prune : {false, true}) {
    RewriteOptions options = scrub_of(place, bad);
    options.prune = prune;
    CHECK(rewritten(place, options) == kDamaged);
    CHECK(holds_the_rest(options.out));
  }
  CHECK(merged(place, {file}) == kDamaged);
  CHECK(holds_the_rest(place.path("out.jfr")));
}

TEST_CASE("damage: a size that swallows the chunks behind it, up to the end of one, does not hide them") {
  const Bytes whole = program("a/A");
  const Victim victim(join(whole, join(program("b/B"), program("c/C"))));
  for (size_t last = 1; last < victim.chunks.size(); ++last) {
    Bytes bad = victim.bytes;
    put_be64(bad, 8, victim.chunks[last].offset + victim.chunks[last].size);
    CHECK(events_of(Victim(bad)) == events_of(victim));
  }
}

TEST_CASE("damage: a chunk that lacks its last bytes does not hide the one behind it") {
  const Victim victim(program("a/A"));
  for (uint64_t missing = 1; missing < 8; ++missing) {
    Bytes bad = victim.bytes;
    const auto end = bad.begin() + static_cast<ptrdiff_t>(victim.chunks[0].size);
    bad.erase(end - static_cast<ptrdiff_t>(missing), end);
    const Victim seen(bad);
    REQUIRE(seen.chunks.size() == 2);
    CHECK(events_of(seen.bytes, seen.chunks[1]) == events_of(victim.bytes, victim.chunks[1]));
  }
}

TEST_CASE("damage: a chunk of another version among good ones is told with its place") {
  Bytes bad = program("a/A");
  bad[5] = 113;
  jfr::read::Problems problems;
  jfr::read::ChunkScanner scanner(bad, problems);
  while (scanner.next()) {
  }
  REQUIRE(problems.count() == 1);
  CHECK(problems.kept()[0].code == base::ErrorCode::kCorrupt);
  CHECK(problems.kept()[0].offset == 0);
}

TEST_CASE("damage: impossible events between thousands of checkpoints are passed over, and each one behind is read") {
  constexpr int kFlushes = 3000;
  RecordingBuilder builder;
  for (int i = 0; i < kFlushes; ++i) builder.symbol(1, "a").text(1500, "x").raw({0, 0, 0}).flush();
  const Bytes recording = builder.bytes();
  jfr::read::Problems problems;
  int asked = 0;
  jfr::read::EventWalk::Damage damage{0, &problems, false, [&] {
                                        ++asked;
                                        jfr::read::Problems unused;
                                        std::vector<uint64_t> anchors;
                                        for (uint64_t at = 68; at + 2 < recording.size(); ++at)
                                          if (recording[at] == 0 && recording[at + 1] == 0 && recording[at + 2] == 0)
                                            anchors.push_back(at + 3);
                                        return anchors;
                                      }};
  jfr::read::EventWalk walk(recording, 68, std::move(damage));
  for (jfr::read::Event event; walk.next(event);) {
  }
  CHECK(asked == 1);
  CHECK(problems.count() >= kFlushes);
}
