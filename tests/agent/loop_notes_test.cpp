// SPDX-License-Identifier: Apache-2.0
// Whose a loop is, where its notes are not believed.
#include "agent/hotspot/vm/loop_notes.h"

#include <doctest/doctest.h>

#include "tests/agent/noted_method.h"

using rec::agent::NotedMethod;

namespace {

// The note of a box is everywhere, and a loop is beside code of two other calls.
struct BesideBox {
  NotedMethod code;
  const uint32_t call = code.scope(0, NotedMethod::kOut, NotedMethod::kCall),
                 box = code.scope(0, NotedMethod::kOut, NotedMethod::kBox),
                 later = code.scope(0, NotedMethod::kOut, NotedMethod::kLater);
  BesideBox() { code.loops(NotedMethod::kLeaf); }
};

}  // namespace

#if defined(__x86_64__)
TEST_CASE("where a loop does not poll, what else is in it says whose it is") {
  BesideBox beside;
  auto& [code, call, box, later] = beside;
  code.note(10, code.scope(later, NotedMethod::kOther, 2));
  code.jump_back(88, 20);
  int32_t in_loop = NotedMethod::kInLoop;
  uint64_t expected = 40;
  SUBCASE("a bytecode of a loop") {}
  SUBCASE("not one that is in none") {
    in_loop = 2;
    expected = 50;
  }
  SUBCASE("not a value that is put away") {
    code.spill_before(40);
    expected = 50;
  }
  SUBCASE("not with another call's beside it") {
    code.note(30, code.scope(later, NotedMethod::kOther, 2));
    expected = 50;
  }
  SUBCASE("another call that is not made has no say") { code.note(30, later); }
  SUBCASE("not what is in a loop inside it") {
    code.jump_back(44, 38);
    expected = 60;
  }
  code.note(40, code.scope(call, NotedMethod::kLeaf, in_loop));
  code.note(90, box);
  code.note(95, code.scope(later, NotedMethod::kOther, 2));
  code.spread(box);
  CHECK(code.believed(expected == 60 ? 60 : 50) == expected);
}

TEST_CASE("the loop of an intrinsic is whose the loop around it is") {
  BesideBox beside;
  auto& [code, call, box, later] = beside;
  code.note(10, code.scope(later, NotedMethod::kOther, 2));
  code.jump_back(60, 46);
  code.jump_back(98, 14);
  uint64_t expected = 30;
  SUBCASE("by its poll") {
    code.note(24, code.scope(later, NotedMethod::kOther, 2));
    code.note(30, code.scope(call, NotedMethod::kLeaf, 2));
    code.poll(30);
  }
  SUBCASE("by what else is in it") { code.note(30, code.scope(call, NotedMethod::kLeaf, NotedMethod::kInLoop)); }
  SUBCASE("unless it has a note of its own") {
    code.note(30, code.scope(call, NotedMethod::kLeaf, NotedMethod::kInLoop));
    code.note(56, code.scope(later, NotedMethod::kOther, 2));
    expected = 50;
  }
  code.note(100, box);
  code.note(105, code.scope(later, NotedMethod::kLeaf, 2));
  code.spread(box);
  CHECK(code.believed(50) == expected);
}

TEST_CASE("a loop whose poll is its caller's is the caller's, whatever else is in it") {
  NotedMethod code;
  const uint32_t call = code.scope(0, NotedMethod::kOut, NotedMethod::kCall),
                 box = code.scope(0, NotedMethod::kOut, NotedMethod::kBox);
  code.loops(NotedMethod::kLeaf);
  code.jump_back(88, 20);
  code.note(30, code.scope(call, NotedMethod::kLeaf, NotedMethod::kLoop - 1));
  code.note(90, box);
  code.note(92, code.scope(0, NotedMethod::kOut, 2));
  code.poll(92);
  code.note(100, code.scope(call, NotedMethod::kLeaf, NotedMethod::kLoop - 1));
  code.spread(box);
  CHECK(code.believed(50) == 50);
}

TEST_CASE("a loop with its caller's poll is not of a method that has nothing in it") {
  NotedMethod code;
  const uint32_t call = code.scope(0, NotedMethod::kOut, NotedMethod::kLater),
                 box = code.scope(call, NotedMethod::kLeaf, NotedMethod::kBox);
  code.jump_back(88, 20);
  code.note(30, code.scope(0, NotedMethod::kOut, 2));
  code.poll(30);
  uint64_t expected = 30;
  SUBCASE("nothing") {}
  SUBCASE("but of one that has") {
    code.note(40, code.scope(call, NotedMethod::kLeaf, 3));
    expected = 50;
  }
  code.note(90, box);
  code.note(95, code.scope(call, NotedMethod::kLeaf, 4));
  code.spread(box);
  CHECK(code.believed(50) == expected);
}

TEST_CASE("of two methods that a call may lead to, each has its own loop") {
  NotedMethod code;
  const uint32_t call = code.scope(0, NotedMethod::kOut, NotedMethod::kCall),
                 box = code.scope(call, NotedMethod::kLeaf, NotedMethod::kBox);
  code.jump_back(88, 20);
  code.note(30, code.scope(call, NotedMethod::kOther, 2));
  code.poll(30);
  code.note(90, box);
  code.note(95, code.scope(call, NotedMethod::kLeaf, 4));
  code.spread(box);
  CHECK(code.believed(50) == 30);
}

TEST_CASE("a goto makes no code but polls: its note is not believed, and tells nothing of others") {
  BesideBox beside;
  auto& [code, call, box, later] = beside;
  code.loops(NotedMethod::kOther);
  code.jump_back(88, 20);
  const uint32_t leaf_goto = code.scope(call, NotedMethod::kLeaf, NotedMethod::kLoop);
  uint64_t expected = 0;
  SUBCASE("where the loop's poll is another's") {
    code.note(30, code.scope(later, NotedMethod::kOther, NotedMethod::kLoop));
    code.poll(30);
    code.note(70, leaf_goto);
    expected = 30;
  }
  SUBCASE("where the loop's poll is its caller's") {
    code.note(30, code.scope(0, NotedMethod::kOut, 2));
    code.poll(30);
    code.note(70, leaf_goto);
    expected = 30;
  }
  SUBCASE("where calls are on both sides, which may be noted everywhere") {
    const uint32_t inner = code.scope(later, NotedMethod::kOther, NotedMethod::kBox);
    code.note(30, inner);
    code.note(70, leaf_goto);
    code.note(75, inner);
    expected = 50;
  }
  SUBCASE("where it is all that is beside a note of a call") {
    code.note(40, leaf_goto);
    code.note(70, box);
    expected = 50;
  }
  code.note(90, box);
  code.note(98, code.scope(0, NotedMethod::kOut, 3));
  code.spread(box);
  CHECK(code.believed(50) == expected);
}

TEST_CASE("a call that leaves a loop for the interpreter at a goto has an exact note") {
  BesideBox beside;
  auto& [code, call, box, later] = beside;
  code.jump_back(88, 20);
  code.note(30, code.scope(later, NotedMethod::kOther, 2));
  code.poll(30);
  code.note(70, code.scope(call, NotedMethod::kLeaf, NotedMethod::kLoop));
  code.call_before(70);
  code.note(90, box);
  CHECK(code.believed(70) == 70);
}

TEST_CASE("a call of a stub has no exact note: it is the loop's") {
  NotedMethod code;
  const uint32_t call = code.scope(0, NotedMethod::kOut, NotedMethod::kCall),
                 box = code.scope(0, NotedMethod::kOut, NotedMethod::kBox);
  uint64_t expected = 30;
  SUBCASE("of the VM's functions") { code.bare_call_before(60); }
  SUBCASE("other calls have") {
    code.call_before(60);
    expected = 60;
  }
  code.note(30, code.scope(call, NotedMethod::kLeaf, 2));
  code.poll(30);
  code.jump_back(88, 20);
  code.note(60, box);
  code.note(90, box);
  code.note(105, code.scope(0, NotedMethod::kOut, 2));
  code.spread(box);
  CHECK(code.believed(60) == expected);
}
#endif
