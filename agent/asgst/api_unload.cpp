// SPDX-License-Identifier: Apache-2.0
// The calls of asgst.h that tell of classes which go or are redefined.
#include <asgst.h>

#include <atomic>
#include <mutex>
#include <string>

#include "agent/asgst/last_error.h"
#include "agent/asgst/redefinition_watch.h"
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

UnloadHandlers* called = nullptr;  // handlers(), set before anybody calls: a handler must not construct it
std::atomic<bool> tells_redefinitions{true};

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

void on_redefine(jclass mirror) {
  JNIEnv* jni = session()->jni();
  if (jni == nullptr || !tells_redefinitions.load(std::memory_order_relaxed)) return;
  if (const uint64_t klass = klass_of(session()->layout(), jni, mirror)) tell(klass, true);
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

int notify_redefinition(Session& of, bool on) {
  called = &handlers();
  tells_redefinitions.store(on, std::memory_order_relaxed);
  if (!on) {
    of.capabilities.fetch_and(~uint32_t{ASGST_NOTIFIES_REDEFINITION}, std::memory_order_relaxed);
    return ASGST_OK;
  }
  if (!start_redefinition_watch(of.jvmti, on_redefine)) return ASGST_UNAVAILABLE;
  of.capabilities.fetch_or(ASGST_NOTIFIES_REDEFINITION, std::memory_order_relaxed);
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
  if (tells_redefinitions.load(std::memory_order_relaxed)) notify_redefinition(*of, true);
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
