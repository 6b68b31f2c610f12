// SPDX-License-Identifier: Apache-2.0
// What threads tell of their requests themselves: cells, virtual threads, names.
#include "agent/context/own_contexts.h"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "agent/context/span_names.h"
#include "agent/context/virtual_contexts.h"
#include "agent/hotspot/processor/thread_local_place.h"

using namespace rec::agent;

namespace {

RequestContext own_request(uint64_t number) { return {{number, number}, number, static_cast<uint32_t>(number)}; }

}  // namespace

TEST_CASE("a cell gives what was written, and an empty context clears it") {
  ContextCell cell;
  RequestContext context;
  CHECK_FALSE(cell.read(context));
  cell.write(own_request(7));
  REQUIRE(cell.read(context));
  CHECK(context == own_request(7));
  cell.write({{}, 0, 3});  // a name alone is a context, too
  REQUIRE(cell.read(context));
  CHECK(context == RequestContext{{}, 0, 3});
  cell.write({});
  CHECK_FALSE(cell.read(context));
}

TEST_CASE("race: of a cell that its thread goes on writing, no half is taken for a whole") {
  ContextCell cell;
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (uint64_t i = 1; !stop.load(std::memory_order_relaxed); i = i % 1000 + 1) {
      cell.write({{i, i}, i, 1});
      if (i % 3 == 0) cell.write({});
    }
  });
  uint64_t read = 0, torn = 0;
  for (int i = 0; i < 2'000'000 && read < 200'000; ++i) {
    RequestContext context;
    if (!cell.read(context)) continue;
    ++read;
    torn += context.trace[0] != context.trace[1] || context.trace[1] != context.span || context.name != 1;
  }
  stop = true;
  writer.join();
  CHECK(torn == 0);
}

TEST_CASE("each thread has a context of its own, which another one finds by its thread pointer") {
  RequestContext context;
  REQUIRE(write_own_context(0, own_request(1)));
  std::atomic<uint64_t> pointer{0};
  std::atomic<bool> stop{false};
  std::thread other([&] {
    RequestContext none;
    CHECK_FALSE(read_own_context(0, none));
    write_own_context(0, own_request(2));
    pointer = thread_pointer();
    while (!stop) std::this_thread::yield();
  });
  while (pointer == 0) std::this_thread::yield();
  CHECK(read_own_context_of(pointer, 0, context));
  CHECK(context == own_request(2));
  stop = true;
  other.join();
  REQUIRE(read_own_context(0, context));
  CHECK(context == own_request(1));
  write_own_context(0, {});
  CHECK_FALSE(read_own_context(0, context));
}

TEST_CASE("a virtual thread's context is found by its id alone, and by no other") {
  const auto all = std::make_unique<VirtualContexts>();
  RequestContext context;
  CHECK_FALSE(all->used());
  CHECK_FALSE(all->read(1, context));
  CHECK(all->write(1, {}));
  CHECK_FALSE(all->used());
  for (int64_t id = 1; id <= 5000; ++id) REQUIRE(all->write(id, own_request(static_cast<uint64_t>(id))));
  CHECK(all->used());
  for (int64_t id = 1; id <= 5000; ++id) {
    REQUIRE(all->read(id, context));
    CHECK(context == own_request(static_cast<uint64_t>(id)));
  }
  CHECK_FALSE(all->read(5001, context));
  for (int64_t id = 1; id <= 5000; id += 2) REQUIRE(all->write(id, {}));
  CHECK_FALSE(all->read(1, context));
  CHECK(all->read(2, context));
}

TEST_CASE("a virtual thread for which there is no room has no context, and gets one when another has left") {
  const auto all = std::make_unique<VirtualContexts>();
  RequestContext context;
  int64_t refused = 0;
  for (int64_t id = 1; id < 200'000 && refused == 0; ++id)
    if (!all->write(id, own_request(1))) refused = id;
  REQUIRE(refused > 10'000);  // the first full bucket
  CHECK_FALSE(all->read(refused, context));
  for (int64_t id = 1; id < refused; ++id) CHECK(all->write(id, {}));
  CHECK(all->write(refused, own_request(2)));
  CHECK(all->read(refused, context));
  CHECK(context == own_request(2));
}

TEST_CASE("a name has one number, longer ones are cut between characters, and all that come late are [other]") {
  static SpanNames of_all;  // names stay for the life of the process
  SpanNames* const names = &of_all;
  CHECK(names->number_of("") == 0);
  const uint32_t first = names->number_of("checkout");
  CHECK(first != 0);
  CHECK(names->number_of("pay") != first);
  CHECK(names->number_of("checkout") == first);
  CHECK(names->text(first) == "checkout");
  CHECK(names->text(0).empty());
  CHECK(names->text(3).empty());
  CHECK(names->text(SpanNames::kMost + 1).empty());
  const std::string long_name = std::string(SpanNames::kMostBytes - 1, 'x') + "ü";
  CHECK(names->text(names->number_of(long_name)) == std::string(SpanNames::kMostBytes - 1, 'x'));
  uint32_t last = 0;
  for (uint32_t i = 0; i < SpanNames::kMost + 10; ++i) last = names->number_of("name " + std::to_string(i));
  CHECK(last == SpanNames::kOther);
  CHECK(names->text(last) == "[other]");
  CHECK(names->number_of("checkout") == first);
}
