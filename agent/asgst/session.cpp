// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/session.h"

#include <asgst.h>
#include <dlfcn.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include "agent/asgst/library_watch.h"
#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/vm/local_refs.h"
#include "agent/hotspot/vm/virtual_thread.h"
#include "agent/hotspot/vm/vm_features.h"
#include "agent/hotspot/vm/vm_tables.h"
#include "agent/hotspot/walk/vm_code.h"
#include "agent/options/log.h"
#include "agent/process/system_thread.h"

namespace rec::agent::asgst {
namespace {

std::mutex& opening() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

std::atomic<Session*> the_session{nullptr};  // set once, for good
// Under opening(), and while it runs the events of the session that is being opened.
Session* coming = nullptr;
std::atomic<int> error{ASGST_NOT_OPEN};
std::atomic<const char*> reason{"has not been opened"};

int fail(int code, const std::string& why) {
  // release: pairs with the acquire in closed_reason(). Leaked: somebody may be reading the one before.
  reason.store(strdup(why.c_str()), std::memory_order_release);
  // release: pairs with the acquire in closed_error(): who has this error finds its reason, or a later one.
  error.store(code, std::memory_order_release);
  return code;
}

// ASGST_TOO_EARLY: the VM shows itself only when it has started (src/hotspot/share/prims/jni.cpp, vm_created).
int find_vm(JavaVM*& vm) {
  using GetVms = jint (*)(JavaVM**, jsize, jsize*);
  const auto get = reinterpret_cast<GetVms>(dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs"));
  jsize count = 0;
  if (get == nullptr) return fail(ASGST_NO_VM, "is not in this process");
  return get(&vm, 1, &count) == JNI_OK && count > 0 ? int{ASGST_OK} : fail(ASGST_TOO_EARLY, "has not started");
}

// Events come to the session that is open, or being opened.
Session* of_event() {
  Session* open = session();
  return open != nullptr ? open : coming;
}

void add_thread(Session& session, JNIEnv* jni, jthread thread) {
  const uint64_t java_thread = session.fields.java_thread(jni, thread);
  if (java_thread == 0) return;
  session.threads.set(os_thread_id(session.layout(), java_thread), java_thread, session.fields.id(jni, thread));
}

void JNICALL on_thread_start(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  if (Session* to = of_event()) add_thread(*to, jni, thread);
}

void JNICALL on_thread_end(jvmtiEnv*, JNIEnv*, jthread) {
  if (Session* to = of_event()) to->threads.set(own_thread_id(), 0, 0);
}

void JNICALL on_dynamic_code(jvmtiEnv*, const char* name, const void* address, jint size) {
  if (Session* to = of_event()) add_stub(to->vm, name, address, size);
}

bool enable_events(jvmtiEnv* jvmti) {
  jvmtiEventCallbacks callbacks{};
  callbacks.ThreadStart = on_thread_start;
  callbacks.ThreadEnd = on_thread_end;
  callbacks.DynamicCodeGenerated = on_dynamic_code;
  if (jvmti->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) return false;
  for (const jvmtiEvent event : {JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END, JVMTI_EVENT_DYNAMIC_CODE_GENERATED})
    if (jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) != JVMTI_ERROR_NONE) return false;
  return true;
}

// Those that started before the events were enabled.
bool add_threads(Session& session, JNIEnv* jni) {
  jint count = 0;
  jthread* threads = nullptr;
  if (session.jvmti->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) return false;
  expect_local_refs(jni, count);
  for (jint i = 0; i < count; ++i) {
    add_thread(session, jni, threads[i]);
    jni->DeleteLocalRef(threads[i]);
  }
  session.jvmti->Deallocate(reinterpret_cast<unsigned char*>(threads));
  return true;
}

uint32_t capabilities_of(const VmFeatures& vm) {
  uint32_t all = ASGST_CAN_WALK | ASGST_CAN_WALK_THREADS | ASGST_CAN_WALK_NATIVE;
  if (vm.compile_levels) all |= ASGST_HAS_LEVELS;
  if (vm.method_generics) all |= ASGST_HAS_METHOD_GENERICS;
  if (vm.class_generics) all |= ASGST_HAS_CLASS_GENERICS;
  if (vm.class_modifiers) all |= ASGST_HAS_CLASS_MODIFIERS;
  if (vm.method_ids) all |= ASGST_CAN_FIND_JMETHODID;
  if (vm.method_ids_lead_back) all |= ASGST_CAN_RESOLVE_JMETHODID;
  if (vm.class_mirrors) all |= ASGST_CAN_CONVERT_CLASSES;
  return all;
}

// JNI's functions are the VM's own.
uint16_t number_of_vm(const NativeModules& modules, JavaVM* vm) {
  NativeModule module;
  return modules.find(reinterpret_cast<uint64_t>(vm->functions->GetEnv), module) ? module.number : uint16_t{0};
}

int fill(Session& session, JNIEnv* jni) {
  if (!install_fault_handler()) return fail(ASGST_UNSAFE, "lets nobody handle SIGSEGV");
  if (const std::string why = open_vm_code(session.vm, jni); !why.empty()) {
    const bool has_no_ids = why.find("no ids") != std::string::npos;
    return fail(has_no_ids ? ASGST_NO_CLASS_IDS : ASGST_UNKNOWN_LAYOUT, why);
  }
  session.vm_library = number_of_vm(session.vm.modules, session.java_vm);
  if (!session.fields.open(jni)) return fail(ASGST_UNAVAILABLE, "has threads without the fields eetop and tid");
  if (!session.threads.reserve()) return fail(ASGST_FULL, "has no address space left");
  if (!enable_events(session.jvmti)) return fail(ASGST_UNAVAILABLE, "does not tell of threads");
  session.jvmti->GenerateEvents(JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
  if (!add_threads(session, jni)) return fail(ASGST_UNAVAILABLE, "does not tell of threads");
  session.capabilities.store(capabilities_of(features_of(session.layout())), std::memory_order_relaxed);
  return ASGST_OK;
}

int open_locked(JavaVM* vm, int flags) {
  if (Session* open = session()) {  // once more
    open->vm.modules.refresh();
    return install_fault_handler() ? ASGST_OK : ASGST_UNSAFE;
  }
  if (vm == nullptr)
    if (const int error_of_search = find_vm(vm)) return error_of_search;
  if (!VmTables::open()) return fail(ASGST_NO_STRUCTURES, "has no vmStructs tables");
  auto next = std::unique_ptr<Session>(new (std::nothrow) Session);
  if (!next) return fail(ASGST_FULL, "has no memory left");
  if (vm->GetEnv(reinterpret_cast<void**>(&next->jvmti), JVMTI_VERSION_1_2) != JNI_OK)
    return fail(ASGST_NO_VM, "has no JVMTI 1.2");
  next->java_vm = vm;
  next->flags = flags;
  enable_debug_non_safepoints();
  jvmtiPhase phase;
  JNIEnv* jni = nullptr;
  int result = ASGST_OK;
  coming = next.get();
  if (next->jvmti->GetPhase(&phase) != JVMTI_ERROR_NONE || phase != JVMTI_PHASE_LIVE)
    result = fail(ASGST_TOO_EARLY, "has not started, or has ended");
  else if ((jni = next->jni()) == nullptr)
    result = fail(ASGST_UNKNOWN_THREAD, "does not know the thread that opens it");
  else
    result = fill(*next, jni);
  if (result == ASGST_OK) {
    if ((flags & ASGST_OPEN_KEEP_UP) != 0 && !start_library_watch(next->vm.modules))
      say(LogLevel::kWarn,
          "libraries that are loaded later are listed by calls alone: the system has no thread for it");
    // release: pairs with the acquire in session().
    the_session.store(next.release(), std::memory_order_release);
  } else {
    next->jvmti->DisposeEnvironment();
    next.release();  // a callback may still be on its way
  }
  return result;
}

}  // namespace

JNIEnv* Session::jni() const {
  JNIEnv* env = nullptr;
  return java_vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_8) == JNI_OK ? env : nullptr;
}

// acquire: pairs with the release in open_locked(); the session is complete.
Session* session() { return the_session.load(std::memory_order_acquire); }
// acquire, both: pairs with the releases in fail().
int closed_error() { return error.load(std::memory_order_acquire); }
const char* closed_reason() { return session() != nullptr ? "" : reason.load(std::memory_order_acquire); }

int open_session(JavaVM* vm, int flags) {
  const std::lock_guard<std::mutex> lock(opening());
  return open_locked(vm, flags);
}

uint64_t java_thread_of(const Session& session, int32_t os_id) {
  const uint64_t java_thread = session.threads.find(os_id);
  return java_thread != 0 && os_thread_id(session.layout(), java_thread) == os_id ? java_thread : 0;
}

StackOwner owner_of(const Session& session, int32_t os_id, uint64_t java_thread) {
  const Layout& layout = session.layout();
  StackOwner owner;
  owner.state = vm_state(layout, state_word(layout, java_thread));
  owner.java_id = session.threads.java_id(os_id);
  LastCarried last;
  owner.virtual_id = carried_thread_id(layout, java_thread, owner.java_id, last);
  return owner;
}

}  // namespace rec::agent::asgst
