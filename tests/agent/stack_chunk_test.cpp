// SPDX-License-Identifier: Apache-2.0
// Chunks of a virtual thread's stack, in memory that we made: what HotSpot writes, and what it would never.
#include "agent/hotspot/walk/stack_chunk.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <vector>

#include "agent/hotspot/processor/fault_handler.h"

using namespace rec::agent;

namespace {

constexpr uint64_t kChunkClass = 0x100, kContinuationClass = 0x200, kThreadClass = 0x300;
constexpr uint64_t kMark = 1;
constexpr uint32_t kSize = 16, kSp = 20, kBottom = 24, kParent = 32, kStack = 48;

// A StackChunk whose words are wide: mark, class, then size and sp, bottom, parent, and from byte 48 on the stack.
struct FakeChunk {
  explicit FakeChunk(uint32_t size) : words(kStack / 8 + size) {
    words[0] = kMark;
    words[1] = kChunkClass;
    set(kSize, size);
    set(kSp, size);
    set(kBottom, size);
  }
  void set(uint32_t offset, uint32_t value) { std::memcpy(bytes() + offset, &value, 4); }
  void set_parent(const FakeChunk& parent) { words[kParent / 8] = parent.address(); }
  char* bytes() { return reinterpret_cast<char*>(words.data()); }
  uint64_t address() const { return reinterpret_cast<uint64_t>(words.data()); }
  uint64_t stack(uint32_t word) const { return address() + kStack + 8ull * word; }
  uint64_t& at(uint32_t word) { return words[kStack / 8 + word]; }

  std::vector<uint64_t> words;
};

Layout layout_of_chunks() {
  Layout layout;
  layout.object.klass = 8;
  layout.object.klass_word = Layout::Object::KlassWord::kWide;
  layout.object.reference = Layout::Object::Reference::kWide;
  layout.continuation.chunk_class = kChunkClass;
  layout.continuation.klass = layout.continuation.virtual_klass = kContinuationClass;
  layout.continuation.size = kSize;
  layout.continuation.sp = kSp;
  layout.continuation.bottom = kBottom;
  layout.continuation.parent = kParent;
  layout.continuation.stack = kStack;
  layout.continuation.tail = 16;
  layout.continuation.child = 24;
  return layout;
}

const Layout kLayout = layout_of_chunks();

StackChunk chunk_in(const FakeChunk& chunk) {
  StackChunk read;
  REQUIRE(read_chunk(kLayout, chunk.address(), read));
  return read;
}
bool can_be_read(const FakeChunk& chunk) {
  StackChunk read;
  return read_chunk(kLayout, chunk.address(), read);
}

// Two compiled frames, of 4 and 6 words, with pcs 0x1000 and 0x2000, from word 6 to the bottom.
FakeChunk two_compiled() {
  FakeChunk chunk(16);
  chunk.set(kSp, 6);
  chunk.at(5) = 0x1000;
  chunk.at(9) = 0x2000;
  return chunk;
}

// An interpreted frame of 12 words and two locals at word 4, called by a compiled one of 4 words:
//   2: fp, as words from there   3: pc   4..: expressions   8..16: its slots   fp = 17: saved fp, pc   19, 20: locals
FakeChunk interpreted_and_compiled() {
  FakeChunk chunk(25);
  chunk.set(kSp, 4);
  chunk.at(2) = 17 - 2;
  chunk.at(3) = 0x1000;
  chunk.at(17 - 1) = 21 - 17;  // the sender's sp
  chunk.at(17 - 7) = 20 - 17;  // the first local
  chunk.at(18) = 0x2000;
  return chunk;
}

}  // namespace

TEST_CASE("frames of a chunk are left one after another, to its bottom") {
  const FakeChunk chunk = two_compiled();
  const StackChunk known = chunk_in(chunk);
  ChunkFrames frames(known);
  CHECK(frames.pc() == 0x1000);
  CHECK(frames.sp() == chunk.stack(6));
  REQUIRE(frames.leave_compiled(4));
  CHECK(frames.pc() == 0x2000);
  CHECK_FALSE(frames.at_bottom());
  REQUIRE(frames.leave_compiled(6));
  CHECK(frames.at_bottom());
}

TEST_CASE("an interpreted frame leads to its compiled caller's own stack pointer") {
  const FakeChunk chunk = interpreted_and_compiled();
  const StackChunk known = chunk_in(chunk);
  ChunkFrames frames(known);
  CHECK(frames.interpreted_fp() == chunk.stack(17));
  REQUIRE(frames.leave_interpreted(frames.interpreted_fp()));
  CHECK(frames.pc() == 0x2000);
  CHECK(frames.sp() == chunk.stack(21));
  REQUIRE(frames.leave_compiled(4));
  CHECK(frames.at_bottom());
}

TEST_CASE("the outermost interpreted frame ends behind the bottom, with its arguments") {
  FakeChunk chunk = interpreted_and_compiled();
  chunk.set(kSize, 21);
  chunk.set(kBottom, 19);
  const StackChunk known = chunk_in(chunk);
  ChunkFrames frames(known);
  REQUIRE(frames.leave_interpreted(frames.interpreted_fp()));
  CHECK(frames.at_bottom());
}

TEST_CASE("an empty chunk has no frames, whichever way it says so") {
  FakeChunk chunk(16);
  chunk.set(kSp, 12);
  chunk.set(kBottom, 12);
  CHECK(ChunkFrames(chunk_in(chunk)).at_bottom());
  chunk.set(kSp, 16);  // to 21
  CHECK(ChunkFrames(chunk_in(chunk)).at_bottom());
}

TEST_CASE("damage: what is no chunk is not read") {
  FakeChunk other(16);
  other.words[1] = kThreadClass;
  CHECK_FALSE(can_be_read(other));
  FakeChunk huge(16);
  huge.set(kSize, 1u << 30);
  CHECK_FALSE(can_be_read(huge));
  FakeChunk upside_down(16);
  upside_down.set(kBottom, 4);
  upside_down.set(kSp, 8);
  CHECK_FALSE(can_be_read(upside_down));
  FakeChunk open_ended(16);
  open_ended.set(kBottom, 17);
  CHECK_FALSE(can_be_read(open_ended));
}

TEST_CASE("damage: frames that do not end at the bottom are none") {
  const FakeChunk chunk = two_compiled();
  const StackChunk known = chunk_in(chunk);
  ChunkFrames too_large(known);
  REQUIRE(too_large.leave_compiled(4));
  CHECK_FALSE(too_large.leave_compiled(7));
  ChunkFrames none(known);
  CHECK_FALSE(none.leave_compiled(0));
  CHECK_FALSE(none.leave_compiled(0xffffff));
}

TEST_CASE("damage: an interpreted frame that leads out of its chunk, or back, is none") {
  FakeChunk chunk = interpreted_and_compiled();
  const StackChunk known = chunk_in(chunk);
  for (const uint64_t fp : {uint64_t{0}, ~uint64_t{0}, uint64_t{1}, uint64_t{40}, uint64_t{1} << 60}) {
    chunk.at(2) = fp;
    CHECK(ChunkFrames(known).interpreted_fp() == 0);
  }
  chunk.at(2) = 17 - 2;
  const uint64_t fp = chunk.stack(17);
  for (const uint64_t locals : {~uint64_t{0}, uint64_t{9}, uint64_t{1} << 60}) {
    chunk.at(17 - 7) = locals;
    ChunkFrames frames(known);
    CHECK_FALSE(frames.leave_interpreted(fp));
  }
  chunk.at(17 - 7) = 3;
  chunk.at(17 - 1) = ~uint64_t{20};  // the sender's sp
  ChunkFrames frames(known);
  CHECK_FALSE(frames.leave_interpreted(fp));
}

TEST_CASE("chunks are visited from the newest to the last parent") {
  FakeChunk inner = two_compiled(), outer = two_compiled();
  inner.set_parent(outer);
  std::vector<uint64_t> begins;
  CHECK(each_chunk(kLayout, inner.address(), [&](const StackChunk& chunk) {
    begins.push_back(chunk.begin);
    return true;
  }));
  CHECK(begins == std::vector<uint64_t>{inner.stack(0), outer.stack(0)});
  CHECK(each_chunk(kLayout, 0, [](const StackChunk&) { return false; }));
}

TEST_CASE("damage: chunks that are each other's parents have no end") {
  FakeChunk first = two_compiled(), second = two_compiled();
  first.set_parent(second);
  second.set_parent(first);
  int visits = 0;
  CHECK_FALSE(each_chunk(kLayout, first.address(), [&](const StackChunk&) { return ++visits > 0; }));
  CHECK(visits == kMaxChunks);
}

TEST_CASE("race: a chunk that changes while it is read is not believed") {
  FakeChunk chunk = two_compiled();
  CHECK_FALSE(each_chunk(kLayout, chunk.address(), [&](const StackChunk&) { return chunk.set(kSp, 10), true; }));
  chunk.set(kSp, 6);
  CHECK_FALSE(each_chunk(kLayout, chunk.address(), [&](const StackChunk&) { return chunk.words[1] = 0, true; }));
}

TEST_CASE("race: a chunk that was moved is read where it is now") {
  REQUIRE(install_fault_handler());  // doctest takes the signal for each case anew
  FakeChunk old = two_compiled(), now = two_compiled();
  now.set(kSp, 10);
  old.words[0] = now.address() | 3;
  CHECK(chunk_in(old).sp == now.stack(10));
  old.words[0] = 3;  // a mark that leads nowhere: the object is what it is
  CHECK(chunk_in(old).sp == old.stack(6));
}

TEST_CASE("a continuation leads to its newest chunk, and what is none does not") {
  const FakeChunk chunk = two_compiled();
  std::array<uint64_t, 4> continuation{kMark, kContinuationClass, chunk.address(), 0};
  uint64_t on_stack = reinterpret_cast<uint64_t>(continuation.data()), newest = 0;
  REQUIRE(find_chunk(kLayout, 0, reinterpret_cast<uint64_t>(&on_stack), newest));
  CHECK(newest == chunk.address());
  continuation[1] = kThreadClass;
  CHECK_FALSE(find_chunk(kLayout, 0, reinterpret_cast<uint64_t>(&on_stack), newest));
  on_stack = 0;
  CHECK_FALSE(find_chunk(kLayout, 0, reinterpret_cast<uint64_t>(&on_stack), newest));
}
