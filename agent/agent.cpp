// SPDX-License-Identifier: Apache-2.0
// The agent's entry points and JVMTI callbacks: what the JVM calls. Each does one step and hands on.
#include <jni.h>
#include <jvmti.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string>

#include "agent/hotspot/safe_load.h"
#include "agent/housekeeper.h"
#include "agent/log.h"
#include "agent/options/help.h"
#include "agent/options/options.h"
#include "agent/recording.h"
#include "agent/vm_code.h"
#include "recorder/clock.h"

namespace rec::agent {
namespace {

constexpr int64_t kHousekeepingNs = 1'000'000'000;

// All of the agent's state. It lives as long as the process: handlers may run until the very end.
struct Agent {
  Options options;
  bool exit_on_error = false;
  JavaVM* java_vm = nullptr;
  jvmtiEnv* jvmti = nullptr;
  Housekeeper housekeeper;
  VmCode vm;
  std::atomic<Recording*> recording{nullptr};
};
Agent* the_agent = nullptr;

Recording* recording() { return the_agent->recording.load(std::memory_order_acquire); }

// The application runs unrecorded, or ends, as the user asked.
void refuse(const Error& error) {
  say(LogLevel::kError, refusal_line(error, the_agent->exit_on_error));
  if (the_agent->exit_on_error) _exit(1);
}

Error unknown_vm(const std::string& why) { return Error{jfr::ErrorCode::kSystem, 0, "this VM " + why, 0}; }

void JNICALL on_thread_start(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  if (Recording* r = recording()) r->thread_started(jni, thread);
}

void JNICALL on_thread_end(jvmtiEnv*, JNIEnv*, jthread) {
  if (Recording* r = recording()) r->thread_ended();
}

void JNICALL on_gc_start(jvmtiEnv*) {
  if (Recording* r = recording()) r->collection_started();
}

void JNICALL on_gc_finish(jvmtiEnv*) {
  if (Recording* r = recording()) r->collection_finished();
}

void JNICALL on_class_prepare(jvmtiEnv*, JNIEnv*, jthread, jclass mirror) {
  if (Recording* r = recording()) r->class_prepared(mirror);
}

void JNICALL on_object_free(jvmtiEnv*, jlong tag) {
  if (Recording* r = recording()) r->mirror_freed(tag);
}

void JNICALL on_dynamic_code(jvmtiEnv*, const char* name, const void* address, jint size) {
  add_stub(the_agent->vm, name, address, size);
}

void enable(jvmtiEvent event) { the_agent->jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr); }

// Opens the VM and starts to record. Runs in an ordinary thread that Java knows.
void start_recording(JNIEnv* jni) {
  Agent& agent = *the_agent;
  if (!install_fault_handler()) return refuse(unknown_vm("lets nobody handle SIGSEGV"));
  if (const std::string why = open_vm_code(agent.vm); !why.empty()) return refuse(unknown_vm(why));
  enable(JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
  agent.jvmti->GenerateEvents(JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
  auto* recording = new Recording(agent.jvmti, agent.vm, agent.options);
  agent.recording.store(recording, std::memory_order_release);
  enable(JVMTI_EVENT_THREAD_START);
  enable(JVMTI_EVENT_THREAD_END);
  if (Status started = recording->start(jni); !started.ok()) return refuse(started.error());
  for (jvmtiEvent event : {JVMTI_EVENT_GARBAGE_COLLECTION_START, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
                           JVMTI_EVENT_OBJECT_FREE, JVMTI_EVENT_CLASS_PREPARE})
    enable(event);
}

void start_in_attached_thread() {
  JNIEnv* jni = nullptr;
  JavaVMAttachArgs arguments{JNI_VERSION_1_8, const_cast<char*>("rec starter"), nullptr};
  if (the_agent->java_vm->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&jni), &arguments) != JNI_OK) return;
  start_recording(jni);
  the_agent->java_vm->DetachCurrentThread();
}

// Once a second: libraries that came are found, and a recording that is to last so long ends.
void keep_house(int64_t started) {
  const int64_t duration = the_agent->options.duration_ns;
  while (Recording* r = recording()) {
    if (!r->running()) return;
    r->refresh_modules();
    const int64_t left = duration == 0 ? kHousekeepingNs : started + duration - now_ticks();
    if (left <= 0) return r->stop();
    if (!the_agent->housekeeper.wait_for(left < kHousekeepingNs ? left : kHousekeepingNs)) return;
  }
}

void start_now_or_later(JNIEnv* jni) {
  const int64_t delay = the_agent->options.delay_ns;
  if (delay == 0) start_recording(jni);
  the_agent->housekeeper.start([delay] {
    if (delay != 0 && the_agent->housekeeper.wait_for(delay)) start_in_attached_thread();
    keep_house(now_ticks());
  });
}

void JNICALL on_vm_init(jvmtiEnv*, JNIEnv* jni, jthread) { start_now_or_later(jni); }

void JNICALL on_vm_death(jvmtiEnv*, JNIEnv* jni) {
  the_agent->housekeeper.stop();
  if (Recording* r = recording()) {
    r->shutting_down(jni);
    r->stop();
  }
}

bool set_up_jvmti(JavaVM* vm) {
  Agent& agent = *the_agent;
  agent.java_vm = vm;
  if (vm->GetEnv(reinterpret_cast<void**>(&agent.jvmti), JVMTI_VERSION_1_2) != JNI_OK) return false;
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_garbage_collection_events = 1;
  capabilities.can_tag_objects = 1;
  capabilities.can_generate_object_free_events = 1;
  agent.jvmti->AddCapabilities(&capabilities);  // without them there are no such events, that is all
  jvmtiEventCallbacks callbacks{};
  callbacks.VMInit = on_vm_init;
  callbacks.VMDeath = on_vm_death;
  callbacks.ThreadStart = on_thread_start;
  callbacks.ThreadEnd = on_thread_end;
  callbacks.GarbageCollectionStart = on_gc_start;
  callbacks.GarbageCollectionFinish = on_gc_finish;
  callbacks.ClassPrepare = on_class_prepare;
  callbacks.ObjectFree = on_object_free;
  callbacks.DynamicCodeGenerated = on_dynamic_code;
  if (agent.jvmti->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) return false;
  enable(JVMTI_EVENT_VM_INIT);
  enable(JVMTI_EVENT_VM_DEATH);
  return true;
}

void print(const std::string& text) {
  [[maybe_unused]] const ssize_t n = write(STDOUT_FILENO, text.data(), text.size());
}

// True when there is something to record; *result is what the entry point returns otherwise.
bool load(const char* text, jint* result) {
  *result = JNI_OK;
  if (the_agent != nullptr) {
    say(LogLevel::kWarn, "the agent is loaded already; it cannot be told anything new yet");
    return false;
  }
  the_agent = new Agent;
  const Result<Options> options = parse_options(text == nullptr ? "" : text, &the_agent->exit_on_error);
  if (!options.ok()) {
    say(LogLevel::kError, refusal_line(options.error(), the_agent->exit_on_error));
    *result = the_agent->exit_on_error ? JNI_ERR : JNI_OK;
    return false;
  }
  the_agent->options = options.value();
  set_log_level(options.value().log_level);
  if (options.value().command == Command::kHelp) print(options_help(100));
  if (options.value().command == Command::kVersion) print("rec " REC_VERSION "\n");
  return options.value().command == Command::kStart;
}

}  // namespace
}  // namespace rec::agent

using namespace rec::agent;

extern "C" {

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* text, void*) {
  jint result = JNI_OK;
  if (!load(text, &result)) return result;
  enable_debug_non_safepoints();
  if (!set_up_jvmti(vm)) refuse(unknown_vm("has no JVMTI 1.2"));
  return JNI_OK;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM* vm, char* text, void*) {
  jint result = JNI_OK;
  if (!load(text, &result)) return result;
  if (!set_up_jvmti(vm)) {
    refuse(unknown_vm("has no JVMTI 1.2"));
    return JNI_OK;
  }
  JNIEnv* jni = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&jni), JNI_VERSION_1_8) == JNI_OK) start_now_or_later(jni);
  return JNI_OK;
}

}  // extern "C"
