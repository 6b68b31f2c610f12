// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/stand_in.h"

#include <cstring>

namespace rec::agent {
namespace {

// The VM's own classes come after some hundred numbers that JFR keeps for its types (jfrTraceId.cpp).
constexpr auto kNotWalked = static_cast<ClassId>(1);
constexpr uint32_t kPublicStaticNative = 0x1 | 0x8 | 0x100;

constexpr auto kMayNotFault = static_cast<uint16_t>(WalkEnd::kCount);  // behind the reasons of walks

TextView text_of(const char* text) { return {text, static_cast<uint16_t>(std::strlen(text))}; }

Ref<ClassFact> holder_in(Epoch& epoch) {
  if (const Ref<ClassFact> known = epoch.find_class(kNotWalked)) return known;
  ClassShape shape;
  shape.id = kNotWalked;
  shape.method_count = kMayNotFault + 1;
  shape.name = text_of("rec/NotWalked");
  return epoch.tag_class(shape);
}

Ref<MethodFact> method_in(Epoch& epoch, uint16_t idnum, const char* name) {
  MethodShape shape;
  shape.holder = holder_in(epoch);
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

}  // namespace

Frame stand_in_frame(Epoch& epoch, WalkEnd end) {
  return frame_of(method_in(epoch, static_cast<uint16_t>(end), walk_end_name(end)));
}

Frame stand_in_frame_without_walk(Epoch& epoch) { return frame_of(method_in(epoch, kMayNotFault, "mayNotFault")); }

}  // namespace rec::agent
