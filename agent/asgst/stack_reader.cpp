// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/stack_reader.h"

#include "agent/hotspot/processor/signal_context.h"
#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/walk/stack_walker.h"
#include "agent/process/system_thread.h"

namespace rec::agent::asgst {
namespace {

int read_native_stack(const Session& session, CallerStack stack, const ucontext_t& context) {
  const ShownFrames shown = stack.shown(has_room(context));
  if (shown.native == NativeFrames::kHidden) return ASGST_NO_FRAMES;
  return stack.fill(session, walk_native_thread(session.vm, registers_of(context), stack.room(), shown));
}

}  // namespace

int read_own_stack(const Session& session, CallerStack stack, const ucontext_t& context) {
  if (!may_fault(context)) return ASGST_UNSAFE;
  const int32_t os_id = own_thread_id();
  const uint64_t java_thread = java_thread_of(session, os_id);
  const bool wants_native = stack.wants(ASGST_WANT_NATIVE);
  if (java_thread == 0) return wants_native ? read_native_stack(session, stack, context) : ASGST_UNKNOWN_THREAD;
  stack.belongs_to(owner_of(session, os_id, java_thread));
  const ShownFrames shown = stack.shown(wants_native && has_room(context));
  return stack.fill(session, walk_stack(session.vm, registers_of(context), java_thread, stack.room(), shown));
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

int read_stack_from(const Session& session, CallerStack stack, const Departure& departure) {
  if (!departure.anchor) {
    stack.stack().end = ASGST_END_NO_JAVA;
    return ASGST_NO_FRAMES;
  }
  const ShownFrames shown = stack.shown(false);
  return stack.fill(session,
                    walk_from(session.vm, departure.anchor, departure.java_thread, stack.room(), nullptr, shown));
}

}  // namespace rec::agent::asgst
