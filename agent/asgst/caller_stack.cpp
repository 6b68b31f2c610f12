// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/caller_stack.h"

#include <cstring>

#include "agent/hotspot/walk/method_view.h"

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
static_assert(static_cast<int>(VmState::kNew) == ASGST_THREAD_NEW);
static_assert(static_cast<int>(VmState::kInJava) == ASGST_THREAD_IN_JAVA);
static_assert(static_cast<int>(VmState::kInVm) == ASGST_THREAD_IN_VM);
static_assert(static_cast<int>(VmState::kInNative) == ASGST_THREAD_IN_NATIVE);
static_assert(static_cast<int>(VmState::kBlocked) == ASGST_THREAD_BLOCKED);

// What programs were compiled with stays as it was.
constexpr size_t kStack1 = 32, kFrame = 32, kPlace2 = 24;
static_assert(offsetof(ASGST_Stack, wanted) == kStack1 && sizeof(ASGST_Stack) == 72);
static_assert(sizeof(ASGST_Frame) == kFrame && sizeof(ASGST_Place) == kPlace2);
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

ASGST_Frame java_frame(const Layout& layout, const RawFrame& raw) {
  const MethodView view = view_method(layout, raw.method);
  ASGST_Frame frame{};
  frame.method = reinterpret_cast<ASGST_Method>(raw.method);
  frame.class_idnum = static_cast<jlong>(view.holder.id);
  frame.idnum = view ? view.number : jint{ASGST_BAD_METHOD};
  frame.bci = raw.bci;
  frame.type = static_cast<jint>(raw.type);
  frame.level = raw.level;
  return frame;
}

jint native_type(const Session& session, uint64_t method) {
  const uint16_t library = native_library(method);
  if (library == kStubs) return ASGST_FRAME_STUB;
  if (library != kNoLibrary) return library == session.vm_library ? ASGST_FRAME_VM : ASGST_FRAME_CODE;
  return native_address(method) == kNotUnwound ? ASGST_FRAME_MISSING : ASGST_FRAME_CODE;
}

ASGST_Frame native_frame(const Session& session, const RawFrame& raw) {
  ASGST_Frame frame{};
  frame.idnum = ASGST_BAD_METHOD;
  frame.bci = -1;
  frame.type = native_type(session, raw.method);
  return frame;
}

}  // namespace

int CallerStack::check(const ASGST_Stack* stack) {
  if (stack == nullptr) return ASGST_BAD_ARGUMENT;
  if (stack->size < kStack1) return ASGST_BAD_SIZE;
  const bool has_places = stack->size >= sizeof *stack && stack->places != nullptr;
  if (has_places && stack->place_size < kPlace2) return ASGST_BAD_SIZE;
  return stack->frames != nullptr && stack->max_frames > 0 ? ASGST_OK : ASGST_BAD_ARGUMENT;
}

bool CallerStack::is_version_2() const { return stack_.size >= sizeof stack_; }

ASGST_Stack CallerStack::twin(ASGST_Frame* frames) const {
  ASGST_Stack twin{};
  twin.size = sizeof twin;
  twin.max_frames = stack_.max_frames;
  twin.frames = frames;
  twin.wanted = is_version_2() ? stack_.wanted : 0;
  return twin;
}

void CallerStack::clear() {
  stack_.count = 0;
  stack_.end = ASGST_END_NO_JAVA;
  stack_.flags = 0;
  if (is_version_2()) stack_.given = 0;
  belongs_to({});
}

void CallerStack::belongs_to(const StackOwner& owner) {
  if (!is_version_2()) return;
  stack_.thread_state = static_cast<jint>(owner.state);
  stack_.java_thread_id = owner.java_id;
  stack_.virtual_thread_id = owner.virtual_id;
}

ShownFrames CallerStack::shown(bool has_room) {
  ShownFrames shown = CarrierFrames::kShown;
  if (!is_version_2()) return shown;
  if (wants(ASGST_WANT_NATIVE) && has_room) shown.native = NativeFrames::kShown;
  if (wants(ASGST_WANT_STUBS)) shown.stubs = StubFrames::kShown;
  stack_.given = stack_.wanted & (uint32_t{ASGST_WANT_STUBS} | (has_room ? uint32_t{ASGST_WANT_NATIVE} : 0));
  if (stack_.places != nullptr) shown.pcs = {reinterpret_cast<std::byte*>(stack_.places), stack_.place_size};
  return shown;
}

std::span<RawFrame> CallerStack::room() const { return {second_half(stack_), static_cast<size_t>(stack_.max_frames)}; }

int CallerStack::fill(const Session& session, const Walk& walk) {
  const RawFrame* raw = second_half(stack_);
  bool lacks_native = walk.native_gap;
  for (uint32_t i = 0; i < walk.count; ++i) lacks_native |= !write_frame(session, i, take(raw + i));
  // Without a Java frame, but with all others, a stack is whole, too.
  const bool whole =
      walk.complete() || (walk.end == WalkEnd::kNoJavaFrame && walk.count > 0 && gives(ASGST_WANT_NATIVE));
  stack_.count = static_cast<jint>(walk.count);
  stack_.end = whole ? jint{ASGST_END_ROOT} : static_cast<jint>(walk.end);
  stack_.flags =
      (walk.gap ? uint32_t{ASGST_STACK_HAS_GAP} : 0) | (lacks_native ? uint32_t{ASGST_STACK_LACKS_NATIVE} : 0);
  if (walk.count == 0) return ASGST_NO_FRAMES;
  return whole && stack_.flags == 0 ? ASGST_OK : ASGST_TRUNCATED;
}

// False: it says that frames are missing.
bool CallerStack::write_frame(const Session& session, uint32_t index, const RawFrame& raw) {
  const bool native = raw.type == FrameType::kCpp;
  const ASGST_Frame frame = native ? native_frame(session, raw) : java_frame(session.layout(), raw);
  std::memcpy(&stack_.frames[index], &frame, sizeof frame);
  if (is_version_2() && stack_.places != nullptr) write_place(session, index, raw);
  return frame.type != ASGST_FRAME_MISSING;
}

// The walk has left its pc there.
void CallerStack::write_place(const Session& session, uint32_t index, const RawFrame& raw) {
  char* const at = reinterpret_cast<char*>(stack_.places) + size_t{index} * stack_.place_size;
  ASGST_Place place{};
  std::memcpy(&place.pc, at, sizeof place.pc);
  const uint16_t library = native_library(raw.method);
  const bool is_native = raw.type == FrameType::kCpp;
  NativeModule module;
  if (is_native && library != kNoLibrary && library != kStubs) {
    place.library = library;
    place.address = native_address(raw.method);
    // Behind a call that does not return there may be another function, or another library.
    if (session.vm.modules.find(place.pc - 1, module) && module.number == place.library)
      place.offset = static_cast<uint32_t>(place.pc - module.bias - place.address);
  } else if (is_native && library == kNoLibrary && native_address(raw.method) == kNotUnwound) {
    place.pc = 0;
  }
  std::memset(at, 0, stack_.place_size);
  std::memcpy(at, &place, sizeof place);
}

}  // namespace rec::agent::asgst
