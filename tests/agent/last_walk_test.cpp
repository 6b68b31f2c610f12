// SPDX-License-Identifier: Apache-2.0
// What a thread's memory of its last walk keeps, finds and forgets. That a walk with it finds what one without it finds
// is for a JVM to show (tests/jvm/chains.sh, bench/walk_agent.cpp).
#include "agent/hotspot/walk/last_walk.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace rec::agent {
namespace {

constexpr uint32_t kDepth = 8;

// A stack of frames of one Java frame each: frame n stands at sp 1000 - 10 n, so 0 is the root.
struct Memory {
  std::vector<uint64_t> bytes = std::vector<uint64_t>(LastWalk::bytes_for(kDepth) / 8 + 1);
  LastWalk walk{reinterpret_cast<std::byte*>(bytes.data()), kDepth};

  static FrameMark mark_of(uint64_t n) {
    FrameMark mark;
    mark.pc = 100 + n, mark.sp = 1000 - 10 * n, mark.fp = 7;
    mark.proof = {n, 1, FrameProof::By::kCompilation};
    mark.frames = 1;
    return mark;
  }

  // The walk notes frames top down to bottom; what was kept before stays below. `bare` more lie on top, of no mark.
  uint64_t note(uint64_t top, uint64_t bottom, uint32_t serial = 1, uint32_t bare = 0) {
    std::array<RawFrame, 64> raw{};
    const uint32_t kept = walk.kept_frames();
    walk.start_over(bare);
    uint32_t count = bare;
    for (uint64_t n = top + 1; n-- > bottom; ++count) {
      raw[count].method = 5000 + n;
      walk.note(mark_of(n));
    }
    for (uint32_t i = 0; i < count; ++i) walk.tag(kept + i) = tag_of(bottom + i);
    const uint64_t hash = walk.hash_on(kept, kept + count);
    walk.adopt(raw.data(), count, serial);
    return hash;
  }
  static Frame tag_of(uint64_t n) { return {{static_cast<uint32_t>(n + 1)}, static_cast<uint16_t>(n)}; }
  // Of the frames from the root up to this one.
  static uint64_t hash_up_to(uint64_t top) {
    std::vector<Frame> frames;
    for (uint64_t n = top + 1; n-- > 0;) frames.push_back(tag_of(n));
    return hashed(frames).hash;
  }
  uint32_t find(uint64_t n) { return walk.find(mark_of(n).pc, mark_of(n).sp, 0); }
};

TEST_CASE("last walk: frames are found where they stood, from the top down, and lie from the root up") {
  Memory memory;
  memory.walk.begin();
  CHECK(memory.find(0) == LastWalk::kNone);
  memory.note(4, 0);
  memory.walk.begin();
  CHECK(memory.find(9) == LastWalk::kNone);                                 // above all that is known
  CHECK(memory.walk.find(1, Memory::mark_of(3).sp, 0) == LastWalk::kNone);  // another return address
  REQUIRE(memory.find(2) == 2);
  CHECK(memory.walk.frames_of(2).size() == 1);
  CHECK(memory.walk.frames_of(2)[0].method == 5002);
  CHECK(memory.walk.frames_of(2)[0].of_compilation);
  CHECK(memory.find(4) == LastWalk::kNone);  // a walk goes up the stack only
}

TEST_CASE("last walk: what was moved is found in the other stack, and frame pointers that lead elsewhere stay") {
  Memory memory;
  memory.walk.begin();
  memory.note(4, 0);
  const uint64_t top = Memory::mark_of(4).sp, other = 500;
  memory.walk.move(other - top, top, 1001);  // downwards
  memory.walk.begin();
  CHECK(memory.find(4) == LastWalk::kNone);
  memory.walk.begin();
  const uint64_t sp = Memory::mark_of(2).sp - (top - other);
  REQUIRE(memory.walk.find(Memory::mark_of(2).pc, sp, 0) == 2);
  CHECK(memory.walk.mark(2).fp == 7);
  CHECK(memory.walk.frames_of(2)[0].method == 5002);
}

TEST_CASE("last walk: frame pointers into the stack are moved with it") {
  Memory memory;
  memory.walk.begin();
  memory.note(1, 0);
  memory.walk.move(100, 7, 8);  // a stack that has nothing but what they point to
  CHECK(memory.walk.mark(0).fp == 107);
  CHECK(memory.walk.mark(0).sp == 1100);
}

TEST_CASE("last walk: what is kept stays below what is new, with its tags") {
  Memory memory;
  memory.walk.begin();
  memory.note(4, 0);
  memory.walk.begin();
  memory.walk.keep(memory.find(2));
  CHECK(memory.walk.kept_frames() == 3);
  memory.note(5, 3, 2);
  memory.walk.begin();
  memory.walk.keep(memory.find(5));
  REQUIRE(memory.walk.kept_frames() == 6);
  for (uint32_t n = 0; n < 6; ++n) {
    CHECK(memory.walk.raw(n).method == 5000 + n);
    CHECK(memory.walk.tag(n).bci == n);
  }
  CHECK(memory.walk.tags_serial() == 2);
}

TEST_CASE("last walk: a stack's hash goes on from what stays, and is that of all its tags") {
  Memory memory;
  memory.walk.begin();
  CHECK(memory.note(4, 0) == Memory::hash_up_to(4));
  memory.walk.begin();
  memory.walk.keep(memory.find(2));
  CHECK(memory.note(6, 3) == Memory::hash_up_to(6));
  memory.walk.begin();
  memory.walk.keep(memory.find(4));
  CHECK(memory.note(5, 5, 1, 2) == Memory::hash_up_to(7));  // two frames on top that are not noted
  memory.walk.begin();
  memory.walk.keep(memory.find(5));
  CHECK(memory.walk.kept_frames() == 6);
  CHECK(memory.note(7, 6) == Memory::hash_up_to(7));
}

TEST_CASE("last walk: tags lie as in a stored stack, innermost first") {
  Memory memory;
  memory.walk.begin();
  memory.note(4, 0);
  const Frame* top = &memory.walk.tag(4);
  for (uint32_t n = 0; n < 5; ++n) CHECK(top[n] == Memory::tag_of(4 - n));
}

TEST_CASE("last walk: frames that are not of a compilation, and those without a tag, are to be looked up again") {
  Memory memory;
  memory.walk.begin();
  FrameMark interpreted = Memory::mark_of(1);
  interpreted.proof.by = FrameProof::By::kBytecode;
  for (const FrameMark& mark : {Memory::mark_of(3), Memory::mark_of(2), interpreted, Memory::mark_of(0)})
    memory.walk.note(mark);
  const std::array<RawFrame, 4> raw{};
  for (uint32_t n = 0; n < 4; ++n) memory.walk.tag(n) = n == 3 ? Frame{} : Memory::tag_of(n);
  memory.walk.hash_on(0, 4);
  memory.walk.adopt(raw.data(), 4, 1);
  CHECK(memory.walk.unsettled_in(4) == 4);
  CHECK(memory.walk.unsettled_in(3) == 2);
  CHECK(memory.walk.unsettled_in(1) == 0);
  memory.walk.begin();
  memory.walk.keep(3);
  memory.walk.tag(3) = Memory::tag_of(3);  // it has got one
  CHECK(memory.walk.hash_on(3, 4) == Memory::hash_up_to(3));
  CHECK(memory.walk.unsettled_in(4) == 2);
}

TEST_CASE("last walk: tags of a walk whose outermost frames are of no mark hold for no epoch") {
  Memory memory;
  memory.walk.begin();
  memory.walk.note(Memory::mark_of(1));
  const std::array<RawFrame, 2> raw{};
  memory.walk.adopt(raw.data(), 2, 1);
  CHECK(memory.walk.tags_serial() == 0);
}

TEST_CASE("last walk: a walk that keeps nothing leaves only itself") {
  Memory memory;
  memory.walk.begin();
  memory.note(4, 0);
  memory.walk.begin();
  memory.note(1, 0);
  memory.walk.begin();
  CHECK(memory.find(4) == LastWalk::kNone);
  CHECK(memory.find(1) == 1);
}

TEST_CASE("last walk: frames that need their frame pointer are not found with another one") {
  Memory memory;
  memory.walk.begin();
  FrameMark mark = Memory::mark_of(0);
  mark.proof = {};
  mark.frames = 0;
  memory.walk.note(mark);
  memory.walk.adopt(nullptr, 0, 1);
  memory.walk.begin();
  CHECK(memory.walk.find(mark.pc, mark.sp, 8) == LastWalk::kNone);
  memory.walk.begin();
  CHECK(memory.walk.find(mark.pc, mark.sp, 7) == 0);
}

TEST_CASE("last walk: what does not fit is forgotten as a whole") {
  Memory memory;
  memory.walk.begin();
  memory.note(7, 0);
  memory.walk.begin();
  memory.walk.keep(memory.find(7));
  memory.note(15, 8);  // twice the depth: that much fits
  memory.walk.begin();
  REQUIRE(memory.find(15) == 15);
  memory.walk.keep(15);
  memory.note(16, 16);
  memory.walk.begin();
  CHECK(memory.find(16) == LastWalk::kNone);
  CHECK(memory.find(0) == LastWalk::kNone);
}

}  // namespace
}  // namespace rec::agent
