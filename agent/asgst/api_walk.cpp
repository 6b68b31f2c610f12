// SPDX-License-Identifier: Apache-2.0
// The calls of asgst.h that walk.
#include <asgst.h>

#include <cstring>
#include <memory>
#include <new>

#include "agent/asgst/last_error.h"
#include "agent/asgst/session.h"
#include "agent/asgst/stack_reader.h"
#include "agent/asgst/thread_call.h"
#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/vm/java_thread.h"

namespace rec::agent::asgst {
namespace {

// The visitor comes between two walks that have to agree.
int walk_from_outside(const Session& of, int32_t os_id, const Departure& before, CallerStack caller,
                      ASGST_StackVisitor visitor, void* arg) {
  const ASGST_Stack& stack = caller.stack();
  caller.belongs_to(owner_of(of, os_id, before.java_thread));
  const int result = read_stack_from(of, caller, before);
  if (!(departure_of(of, os_id) == before)) return ASGST_TORN;
  if (result < 0) return result;
  if (visitor != nullptr) visitor(&stack, arg);
  const std::unique_ptr<ASGST_Frame[]> again(new (std::nothrow) ASGST_Frame[static_cast<size_t>(stack.max_frames)]);
  if (!again) return ASGST_FULL;
  ASGST_Stack second = caller.twin(again.get());
  const bool same =
      read_stack_from(of, CallerStack(second), before) == result && second.count == stack.count &&
      std::memcmp(second.frames, stack.frames, static_cast<size_t>(stack.count) * sizeof(ASGST_Frame)) == 0;
  return same && departure_of(of, os_id) == before ? result : ASGST_TORN;
}

struct Visit {
  const Session& of;
  CallerStack stack;
  ASGST_StackVisitor visitor;
  void* arg;
  int result;
};

void visit_own_stack(void* arg, const ucontext_t& context) {
  Visit& visit = *static_cast<Visit*>(arg);
  const int error_before = last_error();
  visit.result = read_own_stack(visit.of, visit.stack, context);
  if (visit.result >= 0 && visit.visitor != nullptr) visit.visitor(&visit.stack.stack(), visit.arg);
  set_last_error(error_before);
}

int walk_in_thread(const Session& of, int32_t os_id, CallerStack stack, ASGST_StackVisitor visitor, void* arg,
                   int timeout_ms) {
  Visit visit{of, stack, visitor, arg, ASGST_OK};
  switch (call_in_thread(os_id, visit_own_stack, &visit, timeout_ms)) {
    case Called::kDone: return visit.result;
    case Called::kNoThread: return ASGST_UNKNOWN_THREAD;
    case Called::kTimeout: return ASGST_TIMEOUT;
    case Called::kDeaf: return ASGST_UNSAFE;
    case Called::kNoSignal: break;
  }
  return ASGST_UNAVAILABLE;
}

int walk_thread(const Session& of, int32_t os_id, CallerStack stack, ASGST_StackVisitor visitor, void* arg,
                int timeout_ms) {
  // Only the thread itself knows where it stands in native code.
  if (stack.wants(ASGST_WANT_NATIVE)) return walk_in_thread(of, os_id, stack, visitor, arg, timeout_ms);
  const Departure departure = departure_of(of, os_id);
  if (departure.java_thread == 0) return ASGST_UNKNOWN_THREAD;
  if (runs_java(of.layout(), departure.state)) return walk_in_thread(of, os_id, stack, visitor, arg, timeout_ms);
  return walk_from_outside(of, os_id, departure, stack, visitor, arg);
}

}  // namespace

extern "C" {

JNIEXPORT int ASGST_WalkStack(ASGST_Stack* stack, const void* ucontext) {
  const Session* of = session();
  if (of == nullptr) return set_last_error(closed_error());
  if (const int wrong = CallerStack::check(stack)) return set_last_error(wrong);
  CallerStack(*stack).clear();
  if (ucontext == nullptr) return set_last_error(ASGST_BAD_ARGUMENT);
  return set_last_error(read_own_stack(*of, CallerStack(*stack), *static_cast<const ucontext_t*>(ucontext)));
}

JNIEXPORT int ASGST_WalkThread(jint os_thread_id, ASGST_Stack* stack, ASGST_StackVisitor visitor, void* arg,
                               int timeout_ms) {
  Session* of = session();
  if (of == nullptr) return set_last_error(closed_error());
  if (const int wrong = CallerStack::check(stack)) return set_last_error(wrong);
  CallerStack(*stack).clear();
  if (timeout_ms < 0) return set_last_error(ASGST_BAD_ARGUMENT);
  if (!fault_handler_ready()) return set_last_error(ASGST_UNSAFE);
  if (CallerStack(*stack).wants(ASGST_WANT_NATIVE)) of->vm.modules.refresh();
  return set_last_error(walk_thread(*of, os_thread_id, CallerStack(*stack), visitor, arg, timeout_ms));
}

}  // extern "C"

}  // namespace rec::agent::asgst
