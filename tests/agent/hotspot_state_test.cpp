// SPDX-License-Identifier: Apache-2.0
// What is read of threads from outside, on JavaThreads that we made: eight words each.
#include <doctest/doctest.h>

#include <array>

#include "agent/hotspot/state/owners.h"
#include "agent/hotspot/state/thread_words.h"
#include "agent/hotspot/x86_64/fault_handler.h"

using namespace rec::agent;

namespace {

// [0] stack base, [1] its size, [2] state, [3] id that it runs as, [4] its lock stack: top, and from [5] on objects
using Thread = std::array<uint64_t, 8>;

uint64_t address_of(const Thread& thread) { return reinterpret_cast<uint64_t>(thread.data()); }
uint64_t address_of_words(const std::array<uint64_t, 512>& words) { return reinterpret_cast<uint64_t>(words.data()); }

Layout simulated_layout() {
  Layout layout;
  layout.thread.stack_base = 0;
  layout.thread.stack_size = 8;
  layout.thread.state = 16;
  layout.thread.owner_id = 24;
  layout.thread.lock_stack = 32;
  layout.lock_stack.top = 0;
  layout.lock_stack.base = 8;
  const VmState kinds[] = {VmState::kUnknown,  VmState::kUnknown,  VmState::kNew,     VmState::kNew,
                           VmState::kInNative, VmState::kInNative, VmState::kInVm,    VmState::kInVm,
                           VmState::kInJava,   VmState::kInJava,   VmState::kBlocked, VmState::kBlocked};
  for (uint32_t i = 0; i < std::size(kinds); ++i) {
    layout.states.kinds[i] = kinds[i];
    layout.states.transitions[i] = i > 2 && i % 2 == 1;
  }
  layout.states.in_java = 8;
  return layout;
}

struct TwoThreads {
  Thread first{0x10000, 0x1000}, second{0x20000, 0x1000};
  Layout layout = simulated_layout();

  std::optional<uint32_t> owner(uint64_t word, uint64_t object, uint64_t java_thread = 0) const {
    const Owners owners(layout, {{address_of(first), 11}, {address_of(second), 22}});
    return owners.find({word, java_thread}, object);
  }
};

constexpr uint64_t kAnonymous = 1;

}  // namespace

TEST_CASE("a monitor's owner is known by the id that the VM keeps") {
  TwoThreads threads;
  threads.layout.monitor.owner_is_id = true;
  CHECK(threads.owner(22, 0) == 1);
  CHECK(threads.owner(11, 0) == 0);
  CHECK_FALSE(threads.owner(33, 0));
}

TEST_CASE("before there were ids, it is known by the thread, or by the place of its record of the lock") {
  const TwoThreads threads;
  CHECK(threads.owner(address_of(threads.second), 0) == 1);
  CHECK(threads.owner(0x10000 - 8, 0) == 0);
  CHECK(threads.owner(0x20000 - 0x1000, 0) == 1);
  CHECK_FALSE(threads.owner(0x20000 - 0x1000 - 8, 0));  // below the stack
  CHECK_FALSE(threads.owner(0x20000 + 8, 0));           // above all
}

TEST_CASE("a monitor that was locked on a lock stack belongs to the thread whose lock stack holds the object") {
  TwoThreads threads;
  constexpr uint32_t kBase = 32 + 8;
  threads.second[4] = kBase + 16;  // the top counts from the thread
  threads.second[5] = 0xaaa0;
  threads.second[6] = 0xbbb0;
  threads.second[7] = 0xccc0;  // above the top
  CHECK(threads.owner(kAnonymous, 0xbbb0) == 1);
  CHECK_FALSE(threads.owner(kAnonymous, 0xccc0));
  CHECK_FALSE(threads.owner(kAnonymous, 0));
  threads.layout.thread.lock_stack = kAbsent;
  CHECK_FALSE(threads.owner(kAnonymous, 0xbbb0));
}

TEST_CASE("a synchronizer's owner is a thread, and nobody owns what is free") {
  const TwoThreads threads;
  CHECK(threads.owner(0, 0, address_of(threads.first)) == 0);
  CHECK_FALSE(threads.owner(0, 0, 0x1234));
  CHECK_FALSE(threads.owner(0, 0));
}

TEST_CASE("damage: owners of threads that have gone are read as nobody's") {
  REQUIRE(install_fault_handler());
  const Layout layout = simulated_layout();
  const Owners owners(layout, {{0, 11}});
  CHECK_FALSE(owners.find({kAnonymous, 0}, 0xaaa0));
  CHECK_FALSE(owners.find({0x10000, 0}, 0));
}

TEST_CASE("a safepoint waits for threads in Java, in the VM and between states, and for no others") {
  const Layout layout = simulated_layout();
  ThreadWords words;
  words.open(layout, {});
  CHECK_FALSE(words.has_poll_word());
  Thread thread{};
  const auto tardy = [&](uint32_t state) { return thread[2] = state, words.tardy(address_of(thread)); };
  for (const uint32_t safe : {0u, 2u, 4u, 10u}) CHECK_FALSE(tardy(safe));
  for (const uint32_t late : {3u, 5u, 6u, 7u, 8u, 9u, 11u}) CHECK(tardy(late));
  CHECK(words.state_name(8) == std::string("in Java"));
  CHECK(words.state_name(9) == std::string("in transition"));
  CHECK(words.state_name(4) == std::string("in native"));
  CHECK(words.state_name(10) == std::string("blocked"));
  CHECK(words.state_name(2) == std::string("new"));
  CHECK(words.state_name(14) == std::string("in transition"));
}

TEST_CASE("a VM that does not number its states has safepoints wait for Java code only") {
  Layout layout = simulated_layout();
  layout.states = {};
  layout.states.in_java = 8;
  ThreadWords words;
  words.open(layout, {});
  CHECK(words.is_tardy(8));
  for (const uint32_t other : {4u, 6u, 9u, 10u}) CHECK_FALSE(words.is_tardy(other));
}

TEST_CASE("a thread's handshake is found behind its own address, before the lock of that name, and named") {
  const char lock_name[] = "HandshakeState_lock", name[] = "Shenandoah Flush SATB", other[] = "some other lock";
  struct {
    uint64_t vtable = 1;
    const char* name;
  } closure{.name = name};
  struct {
    uint64_t vtable = 1;
    const void* closure;
  } operation{.closure = &closure};
  struct {
    uint64_t next = 0;
    const void* operation;
  } node{.operation = &operation};
  std::array<uint64_t, 512> thread;
  thread.fill(reinterpret_cast<uint64_t>(other));  // every word may be followed
  thread[41] = 0;
  thread[7] = thread[40] = address_of_words(thread);  // only the second one is before such a lock
  thread[55] = reinterpret_cast<uint64_t>(lock_name);
  const Layout layout = simulated_layout();
  const uint64_t all[] = {address_of_words(thread)};
  ThreadWords words;
  words.open(layout, all);
  REQUIRE(words.has_queue());
  CHECK(words.handshake(all[0]) == 0);
  thread[41] = reinterpret_cast<uint64_t>(&node);
  CHECK(words.handshake(all[0]) == reinterpret_cast<uint64_t>(&operation));
  CHECK(words.handshake_name(words.handshake(all[0])) == "Shenandoah Flush SATB");
  closure.name = "a\tname of something else";
  CHECK(words.handshake_name(words.handshake(all[0])) == "");
  thread[55] = reinterpret_cast<uint64_t>(other);
  ThreadWords without;
  without.open(layout, all);
  CHECK_FALSE(without.has_queue());
}
