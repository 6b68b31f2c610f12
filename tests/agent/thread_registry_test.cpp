// SPDX-License-Identifier: Apache-2.0
// Who is who among the threads of a process: those of Java, those that it does not know, and those that change over.
#include "agent/sampling/thread_registry.h"

#include <doctest/doctest.h>

#include <thread>

using namespace rec::agent;

namespace {

constexpr int32_t kFirst = 0x40000001, kOneSecond = kFirst + 1, kThird = kFirst + 2;  // no thread has such ids

std::vector<int32_t> ids(const std::vector<ThreadRegistry::Stranger>& strangers) {
  std::vector<int32_t> found;
  for (const auto& each : strangers) found.push_back(each.os_id);
  return found;
}

int count_java(ThreadRegistry& threads) {
  int count = 0;
  threads.for_each([&](ThreadRecord&) { ++count; });
  return count;
}

}  // namespace

TEST_CASE("a thread that Java does not know has a record that only those see who ask for all") {
  ThreadRegistry threads;
  ThreadRecord* java = threads.add(kFirst);
  ThreadRecord* native = threads.add_native(kOneSecond, ThreadKind::kC2, "C2 CompilerThre");
  REQUIRE(native != nullptr);
  CHECK(threads.add_native(kOneSecond, ThreadKind::kC2, "again") == nullptr);
  CHECK(threads.add_native(kFirst, ThreadKind::kNative, "Java's") == nullptr);
  CHECK(std::string_view(native->name.data(), native->name_size) == "C2 CompilerThre");
  CHECK(count_java(threads) == 1);
  int all = 0;
  threads.for_each_thread([&](ThreadRecord& record) { all += &record == java || &record == native; });
  CHECK(all == 2);
}

TEST_CASE("a native thread that comes to know Java keeps its record, and its tags are forgotten") {
  ThreadRegistry threads;
  ThreadRecord* native = threads.add_native(kFirst, ThreadKind::kNative, "worker");
  native->tag.word[0] = 7;
  CHECK(threads.add(kFirst) == native);
  CHECK(native->kind == ThreadKind::kJava);
  CHECK(native->tag.word[0] == 0);
  threads.drop_natives([](ThreadRecord&) { return true; });
  CHECK(count_java(threads) == 1);
}

TEST_CASE("native threads that are gone give their records back, and numbers are never used again") {
  ThreadRegistry threads;
  ThreadRecord* native = threads.add_native(kFirst, ThreadKind::kNative, "worker");
  const uint64_t number = native->native_number;
  threads.drop_natives([](ThreadRecord& record) { return record.os_id == kFirst; });
  CHECK(native->os_id == 0);
  CHECK(threads.add_native(kFirst, ThreadKind::kNative, "worker") == native);
  CHECK(native->native_number > number);
}

TEST_CASE("strangers are threads without a record") {
  ThreadRegistry threads;
  threads.begin_strangers();
  threads.add(kFirst);
  threads.add_native(kOneSecond, ThreadKind::kNative, "worker");
  CHECK(ids(threads.strangers({kFirst, kOneSecond, kThird})) == std::vector<int32_t>{kThird});
}

TEST_CASE("who has left Java is a stranger when he is met for the second time, and what he has used is known") {
  ThreadRegistry threads;
  threads.begin_strangers();
  threads.remove(threads.add(kFirst));
  CHECK(threads.strangers({kFirst}).empty());
  const auto again = threads.strangers({kFirst});
  REQUIRE(again.size() == 1);
  CHECK(again[0].known_ns > 0);  // of the thread that called remove()
  threads.remove(threads.add(kOneSecond));
  CHECK(threads.strangers({}).empty());  // it has ended
  CHECK(threads.strangers({kOneSecond})[0].known_ns == 0);
}

TEST_CASE("damage: so many have left Java that one does not know of all: nobody is taken for a stranger") {
  ThreadRegistry threads;
  threads.begin_strangers();
  for (int32_t i = 0; i < 5000; ++i) threads.remove(threads.add(kFirst + i));
  CHECK(threads.strangers({kFirst + 4999}).empty());
  CHECK(threads.strangers({kFirst + 4999}).size() == 1);
}

TEST_CASE("a native thread's own handler finds its record") {
  ThreadRegistry threads;
  std::thread([&] {
    CHECK(threads.current() == nullptr);
    ThreadRecord* record = threads.add_native(gettid(), ThreadKind::kNative, "worker");
    CHECK(threads.current() == record);
  }).join();
}
