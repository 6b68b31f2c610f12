// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/stack_reader.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/walk/method_view.h"
#include "agent/hotspot/walk/stack_walker.h"
#include "agent/hotspot/x86_64/signal_context.h"

namespace rec::agent::asgst {
namespace {

static_assert(static_cast<int>(WalkEnd::kRoot) == ASGST_END_ROOT);
static_assert(static_cast<int>(WalkEnd::kDepth) == ASGST_END_DEPTH);
static_assert(static_cast<int>(WalkEnd::kNoJavaFrame) == ASGST_END_NO_JAVA);
static_assert(static_cast<int>(WalkEnd::kNativeUnknown) == ASGST_END_NATIVE);
static_assert(static_cast<int>(WalkEnd::kBadStack) == ASGST_END_BAD_STACK);
static_assert(static_cast<int>(WalkEnd::kBadReturn) == ASGST_END_BAD_RETURN);
static_assert(static_cast<int>(WalkEnd::kDeoptimizing) == ASGST_END_DEOPTIMIZING);
static_assert(static_cast<int>(WalkEnd::kBadFrame) == ASGST_END_BAD_FRAME);
static_assert(static_cast<int>(FrameType::kNative) == ASGST_FRAME_NATIVE);
static_assert(static_cast<int>(FrameType::kInlined) == ASGST_FRAME_INLINED);
static_assert(sizeof(ASGST_Frame) == 2 * sizeof(RawFrame));

// The caller's room serves twice: the walk fills its second half, and each raw frame then becomes a frame, from the
// first one on. Frame i ends at 32 * (i + 1), not behind the start of raw frame i + 1, which is 16 * (n + i + 1), since
// i < n.
RawFrame* second_half(const ASGST_Stack& stack) {
  return reinterpret_cast<RawFrame*>(reinterpret_cast<char*>(stack.frames) +
                                     static_cast<size_t>(stack.max_frames) * sizeof(RawFrame));
}

RawFrame take(const RawFrame* from) {
  RawFrame raw;
  std::memcpy(static_cast<void*>(&raw), static_cast<const void*>(from), sizeof raw);
  return raw;
}

ASGST_Frame frame_of(const Layout& layout, const RawFrame& raw) {
  const MethodView view = view_method(layout, raw.method);
  ASGST_Frame frame{};
  frame.method = reinterpret_cast<ASGST_Method>(raw.method);
  frame.class_idnum = static_cast<jlong>(view.holder.id);
  frame.idnum = view ? view.number : jint{ASGST_BAD_METHOD};
  frame.bci = raw.bci;
  frame.type = static_cast<jint>(raw.type);
  return frame;
}

std::span<RawFrame> room_of(const ASGST_Stack& stack) {
  return {second_half(stack), static_cast<size_t>(stack.max_frames)};
}

int fill(const Session& session, ASGST_Stack& stack, const Walk& walk) {
  const RawFrame* raw = second_half(stack);
  for (uint32_t i = 0; i < walk.count; ++i) {
    const ASGST_Frame frame = frame_of(session.layout(), take(raw + i));
    std::memcpy(&stack.frames[i], &frame, sizeof frame);
  }
  stack.count = static_cast<jint>(walk.count);
  stack.end = static_cast<jint>(walk.end);
  stack.flags = walk.gap ? uint32_t{ASGST_STACK_HAS_GAP} : 0;
  if (walk.count == 0) return ASGST_NO_FRAMES;
  return walk.whole() ? ASGST_OK : ASGST_TRUNCATED;
}

}  // namespace

int check_stack(const ASGST_Stack* stack) {
  if (stack == nullptr) return ASGST_BAD_ARGUMENT;
  if (stack->size < sizeof *stack) return ASGST_BAD_SIZE;
  return stack->frames != nullptr && stack->max_frames > 0 ? ASGST_OK : ASGST_BAD_ARGUMENT;
}

int read_own_stack(const Session& session, ASGST_Stack& stack, const ucontext_t& context) {
  if (!may_fault(context)) return ASGST_UNSAFE;
  const uint64_t java_thread = java_thread_of(session, static_cast<int32_t>(syscall(SYS_gettid)));
  if (java_thread == 0) return ASGST_UNKNOWN_THREAD;
  return fill(session, stack,
              walk_stack(session.vm, registers_of(context), java_thread, room_of(stack), CarrierFrames::kShown));
}

Departure departure_of(const Session& session, int32_t os_id) {
  const Layout& layout = session.layout();
  Departure from;
  from.java_thread = java_thread_of(session, os_id);
  if (from.java_thread == 0) return {};
  from.anchor = frame_anchor(layout, from.java_thread);
  from.state = state_word(layout, from.java_thread);
  return from;
}

int read_stack_from(const Session& session, ASGST_Stack& stack, const Departure& departure) {
  if (!departure.anchor) {
    stack.end = ASGST_END_NO_JAVA;
    return ASGST_NO_FRAMES;
  }
  const Walk walk = walk_from(session.vm, departure.anchor, departure.java_thread, room_of(stack));
  return fill(session, stack, walk);
}

}  // namespace rec::agent::asgst
