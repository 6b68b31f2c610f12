// SPDX-License-Identifier: Apache-2.0
// Which of C2's notes are believed.
#include "agent/hotspot/vm/compiler_notes.h"

#include <doctest/doctest.h>

#include "tests/agent/noted_method.h"

using rec::agent::NotedMethod;

TEST_CASE("a note of a call that new code got everywhere is not believed amid an inlined loop: the loop's is") {
  NotedMethod code;
  const uint32_t call = code.scope(0, NotedMethod::kOut, NotedMethod::kCall),
                 box = code.scope(0, NotedMethod::kOut, NotedMethod::kBox);
  code.note(10, code.scope(call, NotedMethod::kLeaf, NotedMethod::kLoop - 1));
  code.note(50, box);
  code.note(90, box);
  code.note(100, code.scope(call, NotedMethod::kLeaf, NotedMethod::kInLoop));
  code.spread(box);
  CHECK(code.believed(40) == 100);
  CHECK(code.believed(60) == 100);
  CHECK(code.believed(95) == 95);
  CHECK(code.believed(5) == 5);
}

TEST_CASE("nor is that of a call in an inlined method amid a loop of its caller") {
  NotedMethod code;
  const uint32_t call = code.scope(0, NotedMethod::kOut, NotedMethod::kBox),
                 inner = code.scope(call, NotedMethod::kOther, NotedMethod::kCall);
  code.note(10, code.scope(0, NotedMethod::kOut, NotedMethod::kLoop - 1));
  code.note(90, inner);
  code.note(100, code.scope(0, NotedMethod::kOut, NotedMethod::kInLoop));
  code.spread(inner);
  CHECK(code.believed(50) == 100);
}

TEST_CASE("what stands for a call that became instructions is believed: it is not everywhere") {
  NotedMethod code;
  const uint32_t call = code.scope(0, NotedMethod::kOut, NotedMethod::kCall),
                 box = code.scope(0, NotedMethod::kOut, NotedMethod::kBox);
  const uint32_t loop = code.scope(call, NotedMethod::kLeaf, NotedMethod::kInLoop);
  for (int32_t copy = 0; copy < 8; ++copy) {  // of a loop that is unrolled
    code.note(10 + 20 * copy, loop);
    code.note(20 + 20 * copy, box);
  }
  code.note(190, loop);
  CHECK(code.believed(15) == 15);
  CHECK(code.believed(75) == 75);
}

TEST_CASE("a note stays where the code around it is of two calls, or is what was inlined there") {
  NotedMethod code;
  const uint32_t call = code.scope(0, NotedMethod::kOut, NotedMethod::kCall),
                 box = code.scope(0, NotedMethod::kOut, NotedMethod::kBox);
  uint32_t before = code.scope(call, NotedMethod::kLeaf, NotedMethod::kInLoop), behind = 0;
  SUBCASE("of the method itself") { behind = code.scope(0, NotedMethod::kOut, NotedMethod::kInLoop); }
  SUBCASE("of a later call") {
    behind =
        code.scope(code.scope(0, NotedMethod::kOut, NotedMethod::kLater), NotedMethod::kLeaf, NotedMethod::kInLoop);
  }
  SUBCASE("inlined there") {
    before = code.scope(box, NotedMethod::kLeaf, NotedMethod::kInLoop);
    behind = code.scope(box, NotedMethod::kLeaf, NotedMethod::kLoop - 1);
  }
  code.note(10, before);
  code.note(90, box);
  code.note(100, behind);
  code.spread(box);
  CHECK(code.believed(50) == 50);
}

#if defined(__x86_64__)
TEST_CASE("between loops of two calls the loop's own poll says whose it is") {
  NotedMethod code;
  const uint32_t first = code.scope(0, NotedMethod::kOut, NotedMethod::kCall),
                 box = code.scope(0, NotedMethod::kOut, NotedMethod::kBox),
                 second = code.scope(0, NotedMethod::kOut, NotedMethod::kLater);
  code.note(10, code.scope(first, NotedMethod::kLeaf, NotedMethod::kInLoop));
  code.jump_back(88, 20);
  uint64_t expected = 0;
  SUBCASE("behind it") {
    code.note(90, box);
    code.note(92, code.scope(first, NotedMethod::kLeaf, NotedMethod::kInLoop));  // of a load that both loops share
    code.note(93, code.scope(second, NotedMethod::kOther, NotedMethod::kInLoop));
    code.poll(93);
    expected = 93;
  }
  SUBCASE("in it") {
    code.note(40, code.scope(second, NotedMethod::kOther, NotedMethod::kInLoop));
    code.poll(40);
    code.note(90, box);
    code.note(95, code.scope(first, NotedMethod::kLeaf, NotedMethod::kInLoop));
    expected = 40;
  }
  SUBCASE("farther behind it, and of the call in front") {
    code.note(90, box);
    code.note(92, code.scope(second, NotedMethod::kOther, 2));
    code.note(110, code.scope(first, NotedMethod::kLeaf, NotedMethod::kLoop + 1));
    code.poll(110);
    expected = 110;
  }
  SUBCASE("farther behind it, and of nobody near") {
    code.note(90, box);
    code.note(92, code.scope(second, NotedMethod::kOther, 2));
    code.note(110, code.scope(code.scope(0, NotedMethod::kOut, 3), NotedMethod::kLeaf, NotedMethod::kInLoop));
    code.poll(110);
    expected = 50;
  }
  SUBCASE("that of what is around both says nothing") {
    code.note(90, box);
    code.note(93, code.scope(0, NotedMethod::kOut, NotedMethod::kInLoop));
    code.poll(93);
    expected = 50;
  }
  code.spread(box);
  CHECK(code.believed(50) == expected);
}

TEST_CASE("where a loop does not poll, rounds of one right behind it say whose it is, and nothing else does") {
  NotedMethod code;
  const uint32_t call = code.scope(0, NotedMethod::kOut, NotedMethod::kCall),
                 box = code.scope(0, NotedMethod::kOut, NotedMethod::kBox),
                 later = code.scope(0, NotedMethod::kOut, NotedMethod::kLater);
  code.loops(NotedMethod::kLeaf);
  code.jump_back(88, 20);
  uint64_t expected = 50;
  SUBCASE("behind it") {
    code.note(10, code.scope(later, NotedMethod::kOther, 2));
    code.note(90, box);
    code.note(100, code.scope(call, NotedMethod::kLeaf, NotedMethod::kInLoop));
    expected = 100;
  }
  SUBCASE("in front of it") {
    code.note(10, code.scope(call, NotedMethod::kLeaf, NotedMethod::kInLoop));
    code.note(90, box);
    code.note(100, code.scope(later, NotedMethod::kOther, 2));
  }
  SUBCASE("behind more code") {
    code.note(10, code.scope(later, NotedMethod::kOther, 2));
    code.note(95, box);
    code.note(100, code.scope(call, NotedMethod::kLeaf, NotedMethod::kInLoop));
  }
  SUBCASE("neither") {
    code.note(10, code.scope(call, NotedMethod::kOther, 2));
    code.note(90, box);
    code.note(100, code.scope(later, NotedMethod::kOther, 2));
  }
  code.spread(box);
  CHECK(code.believed(50) == expected);
}
#endif

TEST_CASE("notes of other bytecodes are believed, and of calls that are made") {
  NotedMethod code;
  const uint32_t call = code.scope(0, NotedMethod::kOut, NotedMethod::kCall);
  int32_t bci = NotedMethod::kBox;
  SUBCASE("no call") { bci = NotedMethod::kBox + 1; }
#if defined(__x86_64__)
  SUBCASE("a call, right there") { code.call_before(90); }
#endif
  const uint32_t box = code.scope(0, NotedMethod::kOut, bci);
  code.note(10, code.scope(call, NotedMethod::kLeaf, NotedMethod::kLoop - 1));
  code.note(90, box);
  code.note(100, code.scope(call, NotedMethod::kLeaf, NotedMethod::kInLoop));
  code.spread(box);
  CHECK(code.believed(50) == 50);
}

TEST_CASE("damage: notes that lead nowhere are believed") {
  NotedMethod code;
  code.note(50, 200);
  code.note(100, code.scope(7, NotedMethod::kOut, NotedMethod::kBox));
  for (const uint64_t pc_offset : {45, 95, 200}) CHECK(code.believed(pc_offset) == pc_offset);
}
