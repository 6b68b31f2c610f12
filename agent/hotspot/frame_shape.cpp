// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/frame_shape.h"

#include <cstring>

#include "agent/hotspot/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint64_t kMaxPrologue = 512;  // bytes

// The bytes at an address, copied once; what cannot be read is zero.
struct Code {
  explicit Code(uint64_t at) {
    if (!safe_copy(bytes, reinterpret_cast<const void*>(at), sizeof bytes)) std::memset(bytes, 0, sizeof bytes);
  }
  uint8_t operator[](int i) const { return bytes[i]; }
  template <typename... Bytes>
  bool is(int from, Bytes... expected) const {
    const uint8_t pattern[] = {static_cast<uint8_t>(expected)...};
    return std::memcmp(bytes + from, pattern, sizeof pattern) == 0;
  }
  uint32_t u32(int from) const {
    uint32_t value;
    std::memcpy(&value, bytes + from, sizeof value);
    return value;
  }
  uint8_t bytes[24] = {};
};

int nop_length(const Code& c) {
  if (c[0] == 0x90) return 1;
  if (c.is(0, 0x0f, 0x1f, 0x00)) return 3;
  if (c.is(0, 0x0f, 0x1f, 0x40)) return 4;
  if (c.is(0, 0x0f, 0x1f, 0x44, 0x00)) return 5;
  if (c.is(0, 0x66, 0x0f, 0x1f, 0x44, 0x00)) return 6;
  if (c.is(0, 0x0f, 0x1f, 0x80)) return 7;
  if (c.is(0, 0x0f, 0x1f, 0x84, 0x00)) return 8;
  if (c[0] == 0x66 && c[1] == 0x90) return 2;
  if (c.is(0, 0x66, 0x66, 0x90)) return 3;
  if (c.is(0, 0x66, 0x66, 0x66, 0x90)) return 4;
  return 0;
}

// What has been done to the stack so far.
struct Built {
  uint64_t bytes = 0;        // sp has moved down by so much
  uint64_t fp_at = 0;        // distance of the saved rbp from the entry's sp, downwards; 0: not saved
};

// One instruction of a prologue; its length, or 0 when it is none that we know.
int step(const Code& c, Built& built) {
  if (const int nop = nop_length(c)) return nop;
  if (c.is(0, 0x89, 0x84, 0x24)) return 7;                      // mov [rsp - bang], eax: touches the guard zone
  if (c[0] == 0x55) { built.bytes += 8; built.fp_at = built.bytes; return 1; }
  if (c.is(0, 0x48, 0x8b, 0xec) || c.is(0, 0x48, 0x89, 0xe5)) return 3;  // mov rbp, rsp
  if (c.is(0, 0x48, 0x83, 0xec)) { built.bytes += c[3]; return 4; }
  if (c.is(0, 0x48, 0x81, 0xec)) { built.bytes += c.u32(3); return 7; }
  if (c.is(0, 0x48, 0x89, 0x6c, 0x24)) { built.fp_at = built.bytes - c[4]; return 5; }     // mov [rsp + x], rbp
  if (c.is(0, 0x48, 0x89, 0xac, 0x24)) { built.fp_at = built.bytes - c.u32(4); return 8; }
  return 0;
}

FrameShape shape_of(const Built& built) {
  FrameShape shape;
  shape.return_offset = built.bytes;
  if (built.fp_at != 0) shape.saved_fp_offset = built.bytes - built.fp_at;
  return shape;
}

// Behind code that is not a prologue's (a class initialisation barrier, say): is the frame's first push still to come?
bool push_lies_ahead(uint64_t pc, uint64_t end) {
  for (uint64_t at = pc; at < end; ++at) {
    const Code c(at);
    if (c.is(0, 0x55, 0x48, 0x83, 0xec) || c.is(0, 0x55, 0x48, 0x81, 0xec) || c.is(0, 0x55, 0x48, 0x8b, 0xec)) return true;
  }
  return false;
}

FrameShape prologue_shape(const CodeBlob& blob, uint64_t entry, uint64_t pc) {
  const uint64_t complete = blob.code_begin + static_cast<uint64_t>(blob.frame_complete);
  if (pc <= entry) return {};  // the unverified entry checks the receiver's class before there is a frame
  Built built;
  uint64_t at = entry;
  while (at < pc && at < entry + kMaxPrologue) {
    const int length = step(Code(at), built);
    if (length == 0) break;
    at += static_cast<uint64_t>(length);
  }
  if (at >= pc) return shape_of(built);
  const uint64_t frame_bytes = static_cast<uint64_t>(blob.frame_words) * 8;
  if (built.bytes + 8 >= frame_bytes) return complete_shape(blob.frame_words);
  return push_lies_ahead(pc, complete) ? FrameShape{} : complete_shape(blob.frame_words);
}

constexpr FrameShape kPopped{};
constexpr FrameShape kFpOnTop{8, 0};

bool is_return_poll(const Code& c) {  // cmp rsp, [r15 + poll word]; ja slow path
  return (c.is(0, 0x49, 0x3b, 0x67) && c.is(4, 0x0f, 0x87)) || (c.is(0, 0x49, 0x3b, 0xa7) && c.is(7, 0x0f, 0x87));
}

bool is_return(const Code& c, int at) { return c[at] == 0xc3 || c[at] == 0xc2; }

// The slow path of the poll at a return: lea r10, [return's pc]; mov [r15 + saved pc], r10; jmp handler. The frame is gone.
bool in_poll_stub(const Code& c, const Code& before) {
  if (c.is(0, 0x4c, 0x8d, 0x15) && c.is(7, 0x4d, 0x89, 0x97)) return true;
  if (c.is(0, 0x4d, 0x89, 0x97) && before.is(8, 0x4c, 0x8d, 0x15)) return true;    // 7 bytes back
  return c[0] == 0xe9 && before.is(8, 0x4d, 0x89, 0x97);
}

// add rsp, frame; pop rbp; jmp: compiled code that leaves for an exception handler.
bool behind_final_pop(const Code& before) {
  if (before[14] != 0x5d) return false;
  return before.is(10, 0x48, 0x83, 0xc4) || before.is(7, 0x48, 0x81, 0xc4);
}

const FrameShape* epilogue_shape(uint64_t pc) {
  const Code c(pc);
  const Code before(pc - 15);  // before[14] is the byte in front of pc
  if (is_return(c, 0)) return &kPopped;
  if (c[0] == 0x5d) return &kFpOnTop;
  if (is_return_poll(c)) return &kPopped;
  if (c.is(0, 0x0f, 0x87) && is_return(c, 6)) return &kPopped;
  if (in_poll_stub(c, before)) return &kPopped;
  if (c[0] == 0xe9 && behind_final_pop(before)) return &kPopped;
  return nullptr;
}

}  // namespace

FrameShape complete_shape(uint32_t frame_words) {
  if (frame_words < 2) return {};
  const uint64_t bytes = static_cast<uint64_t>(frame_words) * 8;
  return {bytes - 8, bytes - 16};
}

FrameShape shape_at(const CodeBlob& blob, uint64_t entry, uint64_t pc) {
  const bool in_prologue = blob.frame_complete >= 0 && pc < blob.code_begin + static_cast<uint64_t>(blob.frame_complete);
  if (in_prologue) return prologue_shape(blob, entry, pc);
  if (const FrameShape* shape = epilogue_shape(pc)) return *shape;
  return complete_shape(blob.frame_words);
}

StubShape stub_shape_at(uint64_t stub_begin, uint64_t pc) {
  const Code head(stub_begin);
  const int skip = head.is(0, 0xf3, 0x0f, 0x1e, 0xfa) ? 4 : 0;  // endbr64
  const bool framed = head[skip] == 0x55 && (head.is(skip + 1, 0x48, 0x8b, 0xec) || head.is(skip + 1, 0x48, 0x89, 0xe5));
  if (!framed || pc <= stub_begin + static_cast<uint64_t>(skip)) return StubShape::kFrameless;
  if (pc < stub_begin + static_cast<uint64_t>(skip) + 4) return StubShape::kPushedFp;
  const Code here(pc);
  if (is_return(here, 0)) return StubShape::kFrameless;
  if (here[0] == 0x5d && is_return(here, 1)) return StubShape::kPushedFp;
  return StubShape::kFramed;
}

}  // namespace rec::agent
