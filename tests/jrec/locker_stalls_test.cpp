// SPDX-License-Identifier: Apache-2.0
// Collections that JNI critical sections held up, on their way through a recording.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/clock.h"
#include "jrec/input/recording.h"
#include "jrec/safepoints/locker_stalls.h"
#include "recorder/chunk/locker_events.h"
#include "tests/jrec/commands.h"
#include "tests/recorder/file_reader.h"
#include "tests/recorder/simulated_vm.h"

namespace rec::test {
namespace {

constexpr int64_t kMsHeld = 1'000'000;

LockerStall a_held_up(int64_t id, int64_t length_ns) {
  LockerStall stall;
  stall.id = id;
  stall.start_ticks = base::now_ticks();
  stall.duration_ns = length_ns;
  stall.held_ns = length_ns - 4 * kMsHeld;
  stall.operation = "GenCollectForAllocation";
  stall.collection = "GenCollectFull";
  stall.cause = "GCLocker Initiated GC";
  stall.inside = 1;
  stall.waiting = 2;
  stall.longest_waiter = "web-7";
  stall.longest_wait_ns = 31 * kMsHeld;
  return stall;
}

void commit_stall(const LockerStall& stall) {
  const EpochPin pin;
  REQUIRE(pin);
  CHECK(commit(*pin, stall, {}, {}));
}

void commit_locker_thread(int64_t id, const std::string& name, bool inside, int64_t length_ns) {
  LockerThread thread;
  thread.id = id;
  thread.start_ticks = base::now_ticks();
  thread.duration_ns = length_ns;
  thread.inside = inside;
  ThreadShape shape;
  shape.id = static_cast<ThreadId>(7 + name.size());
  shape.os_thread_id = 70;
  shape.java_name = shape.os_name = {name.data(), static_cast<uint16_t>(name.size())};
  const EpochPin pin;
  REQUIRE(pin);
  CHECK(commit(*pin, thread, pin->copy_thread(shape), {}));
}

std::vector<jrec::LockerStall> held_up_in(const std::string& path) {
  jrec::Recording recording(path);
  REQUIRE(recording.open());
  jrec::LockerStalls stalls;
  recording.each_chunk([&](jfr::read::Chunk& chunk) {
    jrec::each_rec_event(chunk, [&](auto name, auto& fields) { stalls.take(name, fields); });
  });
  CHECK(recording.finish() == jrec::kDone);
  return stalls.longest_first();
}

jrec::LockerStall told_inside(int64_t ns, std::vector<std::string> frames) {
  jrec::LockerStall stall;
  stall.length_ns = ns;
  stall.rows.emplace_back().frames = std::move(frames);
  stall.rows[0].inside = true;
  return stall;
}

TEST_CASE("a collection that was held up comes back with who was inside, who waited, and what waited") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  commit_locker_thread(1, "web-7", false, 31 * kMsHeld);  // threads may come first
  commit_locker_thread(1, "zip", true, 30 * kMsHeld);
  commit_locker_thread(1, "late", false, 12 * kMsHeld);
  commit_stall(a_held_up(1, 34 * kMsHeld));
  commit_stall(a_held_up(2, 90 * kMsHeld));
  REQUIRE(engine->stop().ok());
  const auto stalls = held_up_in(directory / "recording.jfr");
  REQUIRE(stalls.size() == 2);
  CHECK(stalls[0].id == 2);
  CHECK(stalls[0].rows.empty());
  const jrec::LockerStall& back = stalls[1];
  CHECK(back.length_ns == 34 * kMsHeld);
  CHECK(back.held_ns == 30 * kMsHeld);
  CHECK(back.uptime_ns == -1);
  REQUIRE(back.rows.size() == 3);
  CHECK(back.rows[0].name == "zip");
  CHECK(back.rows[0].inside);
  CHECK(back.rows[1].name == "web-7");
  std::string text;
  jrec::report_locker_stalls(stalls, 20, text);
  CHECK(text.find("2 collections held up by JNI critical sections, 124.0 ms in all, the longest 90.0 ms") !=
        std::string::npos);
  CHECK(text.find("operation GenCollectForAllocation, then GenCollectFull (GCLocker Initiated GC); 1 inside, 2 waited, "
                  "\"web-7\" for longest, 31.000 ms\n") != std::string::npos);
  CHECK(text.find("\"zip\" was inside a JNI critical section for 30.000 ms\n") != std::string::npos);
  CHECK(text.find("\"late\" waited for 12.000 ms\n") != std::string::npos);
  CHECK(FileReader::read(directory / "recording.jfr").count(jfr::TypeId::kGcLocker) == 2);
}

TEST_CASE("one whose end nobody saw is no jdk.GCLocker") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  LockerStall stall = a_held_up(1, 34 * kMsHeld);
  stall.over = false;
  commit_stall(stall);
  REQUIRE(engine->stop().ok());
  CHECK_FALSE(held_up_in(directory / "recording.jfr").at(0).over);
  CHECK(FileReader::read(directory / "recording.jfr").count(jfr::TypeId::kGcLocker) == 0);
}

TEST_CASE("threads whose stall is not in the recording are said to be a part") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  commit_locker_thread(4, "zip", true, 30 * kMsHeld);
  REQUIRE(engine->stop().ok());
  const auto stalls = held_up_in(directory / "recording.jfr");
  REQUIRE(stalls.size() == 1);
  CHECK(stalls[0].length_ns == 30 * kMsHeld);
  std::string text;
  jrec::report_locker_stalls(stalls, 20, text);
  CHECK(text.find("only parts of it are in the recording") != std::string::npos);
}

TEST_CASE("collections are grouped by the method that was inside for longest") {
  const auto methods =
      jrec::by_method({told_inside(10 * kMsHeld, {"A.zip:1", "B.go:2"}),
                       told_inside(30 * kMsHeld, {"A.zip:9", "B.go:2"}), told_inside(15 * kMsHeld, {"C.read"})});
  REQUIRE(methods.size() == 2);
  CHECK(methods[0].method == "A.zip");
  CHECK(methods[0].caller == "B.go");
  CHECK(methods[0].stalls == 2);
  CHECK(methods[0].total_ns == 40 * kMsHeld);
  CHECK(methods[0].longest_ns == 30 * kMsHeld);
}

}  // namespace
}  // namespace rec::test
