// SPDX-License-Identifier: Apache-2.0
// The calls of asgst.h that tell of classes which go or are redefined.
#include <asgst.h>

#include <mutex>
#include <string>

#include "agent/asgst/last_error.h"
#include "agent/asgst/session.h"
#include "agent/asgst/unload_handlers.h"
#include "agent/asgst/unload_watch.h"
#include "agent/hotspot/state/unload_probe.h"
#include "agent/hotspot/vm/class_mirror.h"
#include "agent/hotspot/walk/method_view.h"
#include "agent/options/log.h"

namespace rec::agent::asgst {
namespace {

std::mutex& registering() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

UnloadHandlers& handlers() {
  static UnloadHandlers& all = *new UnloadHandlers;
  return all;
}

UnloadHandlers* called = nullptr;   // handlers(), set before anybody calls: a handler must not construct it
jvmtiEnv* redefinitions = nullptr;  // under registering()

// klass can be read.
void tell(uint64_t klass, bool redefined) {
  const ClassMethods methods = methods_of(session()->layout(), klass);
  called->call(reinterpret_cast<ASGST_Class>(klass), reinterpret_cast<ASGST_Method*>(methods.begin),
               static_cast<int>(methods.count), redefined);
}

void on_unload(uint64_t klass) { tell(klass, false); }

void on_gone(const void* stand_in) {
  called->call(static_cast<ASGST_Class>(const_cast<void*>(stand_in)), nullptr, 0, false);
}

void JNICALL on_class_file(jvmtiEnv*, JNIEnv* jni, jclass redefined, jobject, const char*, jobject, jint,
                           const unsigned char*, jint*, unsigned char**) {
  if (redefined == nullptr) return;  // a class is loaded
  if (const uint64_t klass = klass_of(session()->layout(), jni, redefined)) tell(klass, true);
}

constexpr uint32_t kTells = ASGST_UNLOAD_IS_SYNCHRONOUS | ASGST_UNLOAD_IS_LATE;

bool try_probe(const Session& of) {
  if ((of.flags & ASGST_OPEN_NO_PROBE) != 0) return false;
  const std::string why = set_unload_probe(of.layout(), on_unload);
  if (!why.empty()) say(LogLevel::kWarn, "handlers of unloaded classes are told late: this VM " + why);
  return why.empty();
}

// The first registration decides.
bool start_telling(Session& of) {
  if ((of.capabilities.load(std::memory_order_relaxed) & kTells) != 0) return true;
  called = &handlers();
  uint32_t how = 0;
  if (try_probe(of))
    how = ASGST_UNLOAD_IS_SYNCHRONOUS;
  else if (start_unload_watch(of, on_gone))
    how = ASGST_UNLOAD_IS_LATE;
  of.capabilities.fetch_or(how, std::memory_order_relaxed);
  return how != 0;
}

bool open_redefinitions(const Session& of) {
  if (redefinitions != nullptr) return true;
  jvmtiEnv* jvmti = nullptr;
  if (of.java_vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_1_2) != JNI_OK) return false;
  jvmtiCapabilities capabilities{};
  capabilities.can_retransform_classes = 1;  // else it is not told of those
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassFileLoadHook = on_class_file;
  if (jvmti->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE ||
      jvmti->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE)
    return jvmti->DisposeEnvironment(), false;
  redefinitions = jvmti;
  return true;
}

int notify_redefinition(Session& of, bool on) {
  called = &handlers();
  if (!on && redefinitions == nullptr) return ASGST_OK;
  if (!open_redefinitions(of)) return ASGST_UNAVAILABLE;
  const jvmtiEventMode mode = on ? JVMTI_ENABLE : JVMTI_DISABLE;
  if (redefinitions->SetEventNotificationMode(mode, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr) != JVMTI_ERROR_NONE)
    return ASGST_UNAVAILABLE;
  if (on)
    of.capabilities.fetch_or(ASGST_NOTIFIES_REDEFINITION, std::memory_order_relaxed);
  else
    of.capabilities.fetch_and(~uint32_t{ASGST_NOTIFIES_REDEFINITION}, std::memory_order_relaxed);
  return ASGST_OK;
}

}  // namespace

extern "C" {

JNIEXPORT int ASGST_RegisterClassUnloadHandler(ASGST_ClassUnloadHandler handler, void* arg) {
  Session* of = session();
  if (of == nullptr) return set_last_error(closed_error());
  if (handler == nullptr) return set_last_error(ASGST_BAD_ARGUMENT);
  const std::lock_guard<std::mutex> lock(registering());
  if (!start_telling(*of)) return set_last_error(ASGST_UNAVAILABLE);
  return set_last_error(handlers().add(handler, arg) ? ASGST_OK : ASGST_FULL);
}

JNIEXPORT bool ASGST_DeregisterClassUnloadHandler(ASGST_ClassUnloadHandler handler, void* arg) {
  if (session() == nullptr) return set_last_error(closed_error()), false;
  if (handler == nullptr) return set_last_error(ASGST_BAD_ARGUMENT), false;
  const std::lock_guard<std::mutex> lock(registering());
  return set_last_error(handlers().remove(handler, arg) ? ASGST_OK : ASGST_NOT_REGISTERED) == ASGST_OK;
}

JNIEXPORT int ASGST_NotifyRedefinition(bool on) {
  Session* of = session();
  if (of == nullptr) return set_last_error(closed_error());
  const std::lock_guard<std::mutex> lock(registering());
  return set_last_error(notify_redefinition(*of, on));
}

}  // extern "C"

}  // namespace rec::agent::asgst
