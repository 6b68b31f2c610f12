// SPDX-License-Identifier: Apache-2.0
// What diff makes of the wall clock's samples: threads that stand still have few that weigh much.
#include <doctest/doctest.h>
#include <rapidjson/document.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "format/writer/chunk_file.h"
#include "tests/format/writer_sample.h"
#include "tests/jrec/heard.h"

using test::hear;
using test::Heard;
using test::Workplace;

namespace {

constexpr uint64_t kInterval_ns = 50'000'000;

// Each thread's samples one behind the other: of which method, and for how many looks.
struct ThreadLife {
  std::vector<std::pair<uint64_t, uint64_t>> samples;
  ThreadLife& stands(uint64_t method, uint64_t looks) {
    samples.emplace_back(method, looks);
    return *this;
  }
  ThreadLife& runs(uint64_t method, int count) {
    for (int i = 0; i < count; ++i) stands(method, 1);
    return *this;
  }
};

void wall_sample(jfr::ByteSink& to, int64_t ticks, uint64_t thread, uint64_t method, uint64_t looks) {
  const size_t at = to.reserve_size();
  to.leb(static_cast<uint64_t>(jfr::TypeId::kWallClockSample));
  to.leb_i64(ticks);
  for (const uint64_t field : {thread, method, uint64_t{0}, looks, looks * kInterval_ns}) to.leb(field);
  to.patch_size(at, static_cast<uint32_t>(to.size() - at));
}

// Threads get numbers, too: writer_sample.h has one name for all.
void thread_constant(jfr::CheckpointBuilder& to, uint64_t id) {
  auto& thread = to.pool(jfr::TypeId::kThread).entry(id);
  thread.text("worker");
  thread.leb(4000 + id);
  thread.text("worker");
  thread.leb(id);
  thread.leb(0);
  thread.boolean(false);
}

std::string recorded(const Workplace& place, const std::string& name, const std::vector<ThreadLife>& threads) {
  auto chunk = jfr::ChunkFile::create(place.path(""), name, 1 << 20, {1'700'000'000'000'000'000, sample::kStart});
  REQUIRE(chunk.ok());
  jfr::CheckpointBuilder constants;
  jfr::ByteSink events;
  constexpr uint64_t kThreads = 1000;  // behind the ids of methods
  for (uint64_t method = 1; method <= 9; ++method) sample::constants(constants, method);
  for (uint64_t i = 0; i < threads.size(); ++i) {
    thread_constant(constants, kThreads + i);
    int64_t ticks = sample::kStart;
    for (const auto& [method, looks] : threads[i].samples) {
      wall_sample(events, ticks, kThreads + i, method, looks);
      ticks += static_cast<int64_t>(looks * kInterval_ns);
    }
  }
  const int64_t end = sample::kStart + 60'000'000'000;
  REQUIRE(chunk->append(constants, events.bytes(), end).ok());
  REQUIRE(chunk->close(end, false).ok());
  return place.path(name);
}

// "sure" by method.
std::map<std::string, std::string> sureness(const Workplace& place, const std::string& before,
                                            const std::string& after) {
  const Heard heard = hear(place, {"diff", "-e", "wall", "--json", before, after});
  CHECK(heard.code == 0);
  rapidjson::Document document;
  document.Parse(heard.out.c_str());
  REQUIRE_FALSE(document.HasParseError());
  std::map<std::string, std::string> sure;
  for (const auto& method : document["methods"].GetArray())
    sure[method["name"].GetString()] = method["sure"].GetString();
  return sure;
}

std::vector<ThreadLife> idle_threads(int count) { return std::vector<ThreadLife>(count, ThreadLife().stands(9, 200)); }

std::vector<ThreadLife> with_idle(const ThreadLife& life, int idle = 7) {
  std::vector<ThreadLife> all = idle_threads(idle);
  all.push_back(life);
  return all;
}

}  // namespace

TEST_CASE("diff of the wall clock tells what a thread does, however many others stand still") {
  const Workplace place;
  const std::string before = recorded(place, "a.jfr", with_idle(ThreadLife().runs(1, 60).runs(2, 140)));
  const std::string after = recorded(place, "b.jfr", with_idle(ThreadLife().runs(1, 120).runs(2, 80)));
  auto sure = sureness(place, before, after);
  CHECK(sure["shop.Cart1.run1"] == "yes");
  CHECK(sure["shop.Cart2.run2"] == "yes");
  CHECK(sure["shop.Cart9.run9"] == "few");
  CHECK(hear(place, {"diff", "-e", "wall", before, after, "--fail-if", "self(\"shop.Cart1.*\") > +2"}).code == 6);
  const std::string likewise = recorded(place, "c.jfr", with_idle(ThreadLife().runs(1, 70).runs(2, 130)));
  sure = sureness(place, before, likewise);
  CHECK(sure["shop.Cart1.run1"] == "no");
  CHECK(hear(place, {"diff", "-e", "wall", before, likewise, "--fail-if", "self(\"shop.Cart1.*\") > +2"}).code == 0);
}

TEST_CASE("diff of the wall clock takes a method that one side never met for judged by the other") {
  const Workplace place;
  const std::string before = recorded(place, "a.jfr", with_idle(ThreadLife().runs(1, 200)));
  const std::string after = recorded(place, "b.jfr", with_idle(ThreadLife().runs(2, 200)));
  auto sure = sureness(place, before, after);
  CHECK(sure["shop.Cart1.run1"] == "yes");
  CHECK(sure["shop.Cart2.run2"] == "yes");
}

TEST_CASE("diff of the wall clock does not take a thread more that stands still for a change") {
  const Workplace place;
  const ThreadLife busy = ThreadLife().runs(1, 200);
  std::vector<ThreadLife> more = with_idle(busy);
  // Written in parts, as each 10 s.
  ThreadLife waits;
  for (int i = 0; i < 20; ++i) waits.stands(3, 200);
  more.push_back(waits);
  auto sure = sureness(place, recorded(place, "a.jfr", with_idle(busy)), recorded(place, "b.jfr", more));
  CHECK(sure["shop.Cart3.run3"] == "few");
}

TEST_CASE("diff of the wall clock counts a few long sleeps as few draws, where they vary") {
  const Workplace place;
  const auto life = [](int sleeps) {
    ThreadLife sleeper;
    for (int i = 0; i < 20; ++i) sleeper.stands(i < sleeps ? 3 : 4, 20).runs(1, 10);
    return sleeper;
  };
  auto sure =
      sureness(place, recorded(place, "a.jfr", with_idle(life(8))), recorded(place, "b.jfr", with_idle(life(11))));
  CHECK(sure["shop.Cart3.run3"] != "yes");
  CHECK(sure["shop.Cart4.run4"] != "yes");
}

TEST_CASE("diff of the wall clock tells what a thread does beside others that wake up now and then") {
  const Workplace place;
  const auto life = [](int first) {
    std::vector<ThreadLife> all = with_idle(ThreadLife().runs(1, first).runs(2, 200 - first));
    ThreadLife wakes;
    for (int i = 0; i < 12; ++i) wakes.stands(3, 16).runs(4, 1);
    all.insert(all.end(), 5, wakes);
    return all;
  };
  auto sure = sureness(place, recorded(place, "a.jfr", life(60)), recorded(place, "b.jfr", life(120)));
  CHECK(sure["shop.Cart1.run1"] == "yes");
  CHECK(sure["shop.Cart3.run3"] != "yes");
}

TEST_CASE("diff of the wall clock still says so where the samples are too few") {
  const Workplace place;
  const std::string before = recorded(place, "a.jfr", with_idle(ThreadLife().runs(1, 40)));
  const std::string after = recorded(place, "b.jfr", with_idle(ThreadLife().runs(2, 40)));
  const Heard heard = hear(place, {"diff", "-e", "wall", before, after});
  CHECK_MESSAGE(heard.out.find("Too few samples") != std::string::npos, heard.out);
  for (const auto& [name, sure] : sureness(place, before, after)) CHECK(sure == "few");
}
