// SPDX-License-Identifier: Apache-2.0
#include "agent/spans/span_thread.h"

#include <atomic>

#include "agent/hotspot/vm/java_fields.h"
#include "agent/hotspot/vm/virtual_thread.h"

namespace rec::agent {
namespace {

std::atomic<VmSession*> opened_session{nullptr};

bool java_knows_caller(JavaVM* vm) {
  void* jni = nullptr;
  return vm->GetEnv(&jni, JNI_VERSION_1_8) == JNI_OK;
}

}  // namespace

void tell_span_threads(VmSession& session) {
  // release: pairs with the acquire in calling_virtual_thread().
  opened_session.store(&session, std::memory_order_release);
}

// JVMTI does not know which virtual thread runs, unless it is told of mounts (mount_notices.h). A carrier runs no native code
// but that of a virtual thread: where that cannot be told, it is not taken for the carrier's.
std::optional<int64_t> calling_virtual_thread() {
  // acquire: pairs with the release in tell_span_threads().
  VmSession* const session = opened_session.load(std::memory_order_acquire);
  if (session == nullptr) return {};
  const Layout& layout = session->vm.layout;
  if (!has_virtual_threads(layout)) return 0;
  const ThreadRecord* const thread = session->threads.current();
  if (thread == nullptr || thread->java_thread == 0) {
    if (java_knows_caller(session->java_vm)) return {};
    return 0;
  }
  LastCarried nothing_known;
  const int64_t id = carried_thread_id(layout, thread->java_thread, thread->java_id, nothing_known);
  if (id == 0 && is_carrier(*thread)) return {};
  return id;
}

}  // namespace rec::agent
