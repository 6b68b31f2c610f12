// SPDX-License-Identifier: Apache-2.0
// Waits for semaphores: contention, or a signal that one thread waits for.
#include <doctest/doctest.h>

#include <string>

#include "jrec/findings/shared_waits.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using namespace jrec;
using test::has;
using test::hear;
using test::MadeEvents;
using test::Workplace;
namespace made = test::made;

namespace {

constexpr double kSecond = 1e9;

MadeEvents& park(MadeEvents& events, const std::string& parked_class, const std::string& thread, int64_t address,
                 int64_t at_ms) {
  return events.add("jdk.ThreadPark", at_ms,
                    {{"duration", made::span_ms(1000)},
                     {"eventThread", made::text(thread)},
                     {"parkedClass", made::text(parked_class)},
                     {"address", made::whole(address)},
                     {"stackTrace", made::stack({"app.Queue.take"})}});
}

std::string findings_of(const Workplace& place, const MadeEvents& events) {
  return hear(place, {"findings", place.write("a.jfr", events.bytes())}).out;
}

constexpr char kSemaphoreClass[] = "java.util.concurrent.Semaphore$NonfairSync";

TEST_CASE("findings: a thread that waits for a semaphore by itself waits for a signal") {
  const Workplace place;
  MadeEvents idle, apart, contended;
  for (int i = 0; i < 20; ++i) {
    park(idle, kSemaphoreClass, "consumer", 1, i * 1000);
    park(park(apart, kSemaphoreClass, "one", 1, i * 1000), kSemaphoreClass, "two", 2, i * 1000);
    park(park(contended, kSemaphoreClass, "one", 1, i * 1000), kSemaphoreClass, "two", 1, i * 1000);
  }
  CHECK_FALSE(has(findings_of(place, idle), "Semaphore"));
  CHECK_FALSE(has(findings_of(place, apart), "Semaphore"));
  CHECK(has(findings_of(place, contended), "Threads waited 40.0 s for a Semaphore in app.Queue.take"));
}

TEST_CASE(
    "findings: several threads that all wait for a semaphore at once are a remark, and such as hold it in turn are "
    "not") {
  const Workplace place;
  MadeEvents idle, in_turn;
  for (int i = 0; i < 20; ++i) {
    for (int worker = 0; worker < 4; ++worker) {
      const std::string name = "worker " + std::to_string(worker);
      park(idle, kSemaphoreClass, name, 1, i * 1100 + worker * 10);
      if (i % 4 != worker) park(in_turn, kSemaphoreClass, name, 1, i * 1000);
    }
  }
  const std::string of_idle = findings_of(place, idle), of_turns = findings_of(place, in_turn);
  CHECK_MESSAGE(has(of_idle, "note     Threads waited "), of_idle);
  CHECK_FALSE(has(of_idle, "serious"));
  CHECK(has(of_idle, "waited at once"));
  CHECK_MESSAGE(has(of_turns, "warning  Threads waited "), of_turns);
  CHECK_FALSE(has(of_turns, "waited at once"));
}

TEST_CASE("findings: waits for a StampedLock are of a lock") {
  const Workplace place;
  MadeEvents events;
  for (int i = 0; i < 20; ++i) park(events, "java.util.concurrent.locks.StampedLock", "one", 1, i * 1000);
  CHECK(has(findings_of(place, events), "Threads waited 20.0 s for a StampedLock in app.Queue.take"));
}

TEST_CASE("findings: of shared waits the part counts in which several threads wait, and two tellers are none") {
  SharedWaits waits;
  waits.add({0, 1}, 1, "a", 0, 10 * kSecond);
  waits.add({0, 1}, 2, "b", 4'000'000'000, 2 * kSecond);
  waits.add({0, 2}, 3, "a", 0, 10 * kSecond);  // once by JFR, once by another recorder
  waits.add({0, 2}, 3, "a", 1000, 9 * kSecond);
  waits.add({1, 1}, 4, "a", 0, 10 * kSecond);  // another JVM's
  const Ranking shared = waits.shared("Semaphore");
  REQUIRE(shared.rows().size() == 2);
  CHECK(shared.rows().at({"Semaphore", "a", ""}).total == 2 * kSecond);
  CHECK(shared.rows().at({"Semaphore", "b", ""}).total == 2 * kSecond);
  CHECK(shared.all().count == 2);
}

}  // namespace
