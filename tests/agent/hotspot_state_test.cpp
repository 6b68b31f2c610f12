// SPDX-License-Identifier: Apache-2.0
// What is read of threads from outside, on JavaThreads that we made: eight words each.
#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/state/owners.h"
#include "agent/hotspot/state/thread_words.h"

using namespace rec::agent;

namespace {

// [0] stack base, [1] its size, [2] state, [3] id that it runs as, [4] its lock stack: top, and from [5] on objects
using Thread = std::array<uint64_t, 8>;

uint64_t address_of(const Thread& thread) { return reinterpret_cast<uint64_t>(thread.data()); }
template <size_t N>
uint64_t address_of_words(const std::array<uint64_t, N>& words) {
  return reinterpret_cast<uint64_t>(words.data());
}

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

namespace {

struct SimulatedHandshake {
  struct {
    uint64_t vtable = 1;
    const char* name;
  } closure;
  struct {
    uint64_t vtable = 1;
    const void* closure;
    uint64_t pending = 1, target = 0, requester = 1;
  } operation;
  struct {
    const void* next = nullptr;
    const void* operation;
  } node;

  explicit SimulatedHandshake(const char* name) : closure{.name = name} {
    operation.closure = &closure;
    node.operation = &operation;
  }
  uint64_t address() const { return reinterpret_cast<uint64_t>(&operation); }
  ThreadWords::Handshake queued() const {
    return {reinterpret_cast<uint64_t>(&node), address(), reinterpret_cast<uint64_t>(closure.name), pending()};
  }
  uint32_t pending() const { return static_cast<uint32_t>(operation.pending); }
};

// A thread whose queue is word 41: behind its own address, before the lock's name.
struct ThreadWithQueue {
  std::array<uint64_t, 512> words;
  const char lock_name[20] = "HandshakeState_lock", other[16] = "some other lock";
  const Layout layout = simulated_layout();
  const uint64_t address = address_of_words(words);

  ThreadWithQueue() {
    words.fill(reinterpret_cast<uint64_t>(other));  // every word may be followed
    words[7] = words[40] = address;                 // only the second one is before such a lock
    words[41] = 0;
    words[55] = reinterpret_cast<uint64_t>(lock_name);
  }
  ThreadWords open() const {
    ThreadWords result;
    result.open(layout, std::array{address});
    return result;
  }
  void push(SimulatedHandshake& handshake) {
    handshake.node.next = reinterpret_cast<const void*>(words[41]);
    words[41] = reinterpret_cast<uint64_t>(&handshake.node);
  }
};

std::vector<ThreadWords::Handshake> handshakes(const ThreadWords& words, const ThreadWithQueue& thread) {
  std::array<ThreadWords::Handshake, ThreadWords::kMaxQueued> out;
  return {out.begin(), out.begin() + words.handshakes(thread.address, out)};
}

}  // namespace

TEST_CASE("a thread's handshake is found behind its own address, before the lock of that name, and named") {
  ThreadWithQueue thread;
  const ThreadWords words = thread.open();
  REQUIRE(words.has_queue());
  CHECK(handshakes(words, thread).empty());
  SimulatedHandshake handshake("Shenandoah Flush SATB");
  thread.push(handshake);
  REQUIRE(handshakes(words, thread).size() == 1);
  CHECK(handshakes(words, thread)[0].is_same(handshake.queued()));
  CHECK(words.handshake_name(handshake.address()) == "Shenandoah Flush SATB");
  handshake.closure.name = "a\tname of something else";
  CHECK(words.handshake_name(handshake.address()) == "");
  thread.words[55] = reinterpret_cast<uint64_t>(thread.other);
  CHECK_FALSE(thread.open().has_queue());
}

TEST_CASE("a handshake that waits behind a younger one is there still, and one for which nobody waits is not") {
  ThreadWithQueue thread;
  SimulatedHandshake older("GetStackTraceClosure"), nobodys("ThreadSelfSuspensionHandshake"), younger("ZRendezvous");
  nobodys.operation.requester = 0;
  thread.push(older), thread.push(nobodys), thread.push(younger);
  const ThreadWords words = thread.open();
  REQUIRE(handshakes(words, thread).size() == 2);
  CHECK(handshakes(words, thread)[0].is_same(younger.queued()));
  CHECK(words.has_to_do(thread.address, older.queued()));
  CHECK_FALSE(words.has_to_do(thread.address, nobodys.queued()));
}

TEST_CASE("the next handshake at the address of one that is done is another one") {
  ThreadWithQueue thread;
  SimulatedHandshake first("ZMarkFlushStacks");
  thread.push(first);
  const ThreadWords words = thread.open();
  const ThreadWords::Handshake seen = first.queued();
  auto node = first.node;  // elsewhere
  thread.words[41] = reinterpret_cast<uint64_t>(&node);
  CHECK(handshakes(words, thread).front().operation == seen.operation);
  CHECK_FALSE(words.has_to_do(thread.address, seen));

  thread.words[41] = seen.node;  // all of it where it was, but for another purpose, or with more threads to come
  CHECK(words.has_to_do(thread.address, seen));
  first.closure.name = "ZRendezvous";
  CHECK_FALSE(words.has_to_do(thread.address, seen));
  first.closure.name = reinterpret_cast<const char*>(seen.name);
  first.operation.pending = 3;
  CHECK_FALSE(words.has_to_do(thread.address, seen));
}

TEST_CASE("the next handshake of the same thread differs from one that is done by when it was asked for") {
  ThreadWords::Handshake first{.node = 8, .operation = 16, .name = 24, .pending = 1, .start = 1000};
  ThreadWords::Handshake next = first;
  next.start = 2000;
  CHECK_FALSE(first.is_same(next));
  CHECK_FALSE(first.is_of_same(next));
  next.start = 0;  // not known yet: all else is equal
  CHECK(first.is_same(next));
  next = first;
  next.node = 32;  // what tells more needs no help
  CHECK(first.is_same(next));
}

TEST_CASE("the word that says since when is learned from those that did not change, and is the same each time") {
  std::array<uint64_t, 64> stack{};
  const auto address = address_of_words(stack) + 256;  // an operation in the middle of its frame
  StartWord word(-256, 256);
  const auto ask = [&](uint64_t at, uint64_t stale) {
    stack[5] = at, stack[9] = at + 1, stack[40] = stale;
    word.begin(address, static_cast<int64_t>(at) - 100, static_cast<int64_t>(at) + 100);
    stack[9] += 50;  // when it was looked at last
    word.still();
    word.end();
  };
  ask(1000, 950);
  CHECK_FALSE(word.known());  // two of them held still
  ask(2000, 950);
  REQUIRE(word.known());
  CHECK(word.read(address) == 2000);
  stack[5] = 3000;
  CHECK(word.read(address) == 3000);
}

TEST_CASE("a frame without the time in it is given up, and one that was not seen twice teaches nothing") {
  std::array<uint64_t, 64> stack{};
  const auto address = address_of_words(stack);
  StartWord word(0, 512);
  for (int i = 0; i < 100 && word.wanted(); ++i) {
    word.begin(address, 900, 1100);
    word.still();
    word.end();
  }
  CHECK_FALSE(word.wanted());
  StartWord fleeting(0, 512);
  stack[3] = 1000;
  for (int i = 0; i < 10; ++i) {
    fleeting.begin(address, 900, 1100);
    fleeting.end();
  }
  CHECK_FALSE(fleeting.known());
}

TEST_CASE("damage: a queue that runs in a circle is read to its limit") {
  ThreadWithQueue thread;
  SimulatedHandshake handshake("ZRendezvous");
  handshake.node.next = &handshake.node;
  thread.words[41] = reinterpret_cast<uint64_t>(&handshake.node);
  CHECK(handshakes(thread.open(), thread).size() == ThreadWords::kMaxQueued);
}
