// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/stand_in.h"

#include <cassert>
#include <cstring>

namespace rec::agent {
namespace {

// The VM's own classes come after some hundred numbers that JFR keeps for its types (jfrTraceId.cpp).
struct Holder {
  ClassId id;
  const char* name;
  uint16_t methods;
};
constexpr auto kNoWalks = static_cast<uint16_t>(WalkEnd::kCount);  // behind the reasons of walks
constexpr auto kKinds = static_cast<uint16_t>(ThreadKind::kCount);
constexpr Holder kNotWalked = {static_cast<ClassId>(1), "rec/NotWalked",
                               kNoWalks + static_cast<uint16_t>(NoWalk::kCount)};
constexpr Holder kJvm = {static_cast<ClassId>(2), "JVM", kKinds};
constexpr Holder kOurs = {static_cast<ClassId>(3), "rec", kKinds};
constexpr Holder kNative = {static_cast<ClassId>(4), "native", kKinds};

constexpr uint32_t kPublicStaticNative = 0x1 | 0x8 | 0x100;

TextView text_of(const char* text) { return {text, static_cast<uint16_t>(std::strlen(text))}; }

Ref<ClassFact> holder_in(Epoch& epoch, const Holder& holder) {
  if (const Ref<ClassFact> known = epoch.find_class(holder.id)) return known;
  ClassShape shape;
  shape.id = holder.id;
  shape.method_count = holder.methods;
  shape.name = text_of(holder.name);
  return epoch.tag_class(shape);
}

Ref<MethodFact> method_in(Epoch& epoch, const Holder& holder, uint16_t idnum, const char* name) {
  MethodShape shape;
  shape.holder = holder_in(epoch, holder);
  if (!shape.holder) return {};
  shape.idnum = idnum;
  if (const Ref<MethodFact> known = epoch.find_method(shape.holder, shape.idnum, shape.version)) return known;
  shape.modifiers = kPublicStaticNative;
  shape.name = text_of(name);
  shape.descriptor = text_of("()V");
  return epoch.tag_method(shape);
}

Frame frame_of(Ref<MethodFact> method) {
  Frame frame;
  frame.method = method;
  frame.type = FrameType::kNative;
  frame.flags = Frame::kNoBci;
  return frame;
}

struct KindFrame {
  const Holder& holder;
  const char* name;
};

KindFrame frame_of_kind(ThreadKind kind) {
  switch (kind) {
    case ThreadKind::kCollector: return {kJvm, "[GC Thread]"};
    case ThreadKind::kC1: return {kJvm, "[C1 Compiler]"};
    case ThreadKind::kC2: return {kJvm, "[C2 Compiler]"};
    case ThreadKind::kJvmci: return {kJvm, "[JVMCI Compiler]"};
    case ThreadKind::kVmThread: return {kJvm, "[VM Thread]"};
    case ThreadKind::kVmOther: return {kJvm, "[JVM Thread]"};
    case ThreadKind::kOurs: return {kOurs, "[rec Thread]"};
    case ThreadKind::kJava:
    case ThreadKind::kNative:
    case ThreadKind::kCount: break;
  }
  return {kNative, "[native Thread]"};
}

}  // namespace

Frame stand_in_frame(Epoch& epoch, WalkEnd end) {
  return frame_of(method_in(epoch, kNotWalked, static_cast<uint16_t>(end), walk_end_name(end)));
}

Frame stand_in_frame_without_walk(Epoch& epoch, NoWalk why) {
  constexpr const char* kNames[] = {"mayNotFault", "takesTooLong", "notSeen", "noBuffer"};
  const auto at = static_cast<uint16_t>(why);
  return frame_of(method_in(epoch, kNotWalked, static_cast<uint16_t>(kNoWalks + at), kNames[at]));
}

Frame stand_in_frame(Epoch& epoch, ThreadKind kind) {
  assert(kind != ThreadKind::kJava && "what a Java thread does is on its stack");
  const KindFrame frame = frame_of_kind(kind);
  return frame_of(method_in(epoch, frame.holder, static_cast<uint16_t>(kind), frame.name));
}

}  // namespace rec::agent
