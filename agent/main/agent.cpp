// SPDX-License-Identifier: Apache-2.0
// The agent's entry points and JVMTI callbacks: what the JVM calls. Each does one step and hands on.
#include <jni.h>
#include <jvmti.h>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <string>
#include <utility>

#include "agent/hotspot/processor/thread_local_place.h"
#include "agent/hotspot/state/mount_notices.h"
#include "agent/main/control.h"
#include "agent/main/known_vm.h"
#include "agent/main/text_command.h"
#include "agent/options/answer.h"
#include "agent/options/help.h"
#include "agent/options/log.h"
#include "agent/options/options.h"
#include "agent/process/fork_handler.h"
#include "agent/sampling/bound_thread_events.h"
#include "agent/sampling/system_property.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

using base::Done;
using base::Status;

constexpr char kNoJvmti[] = "this VM has no JVMTI 1.2";
constexpr int kStartPauses = 500, kStartPauseUs = 10'000;  // for a VM that lets us in while it starts

// All of the agent's state. It lives as long as the process: handlers may run until the very end.
std::atomic<Control*> the_control{nullptr};

// Never destroyed, as the rest.
Options& options_at_start() {
  static Options& options = *new Options;
  return options;
}

// acquire: pairs with the release in make_control(), which comes before the first callback.
Control& control() { return *the_control.load(std::memory_order_acquire); }

void JNICALL on_thread_start(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  if (const RecordingInUse recording{control().slot()}) recording->thread_started(jni, thread);
}

void JNICALL on_thread_end(jvmtiEnv*, JNIEnv*, jthread) {
  ThreadRecord* record = control().threads().current();
  if (record == nullptr || record->kind != ThreadKind::kJava) return;
  const RecordingInUse recording{control().slot()};
  if (recording) recording->thread_ended(*record);
  if (control().threads().remove(record) && recording) recording->thread_has_left_again();
}

void JNICALL on_gc_start(jvmtiEnv*) {
  if (const RecordingInUse recording{control().slot()}) recording->collection_started();
}

void JNICALL on_gc_finish(jvmtiEnv*) {
  if (const RecordingInUse recording{control().slot()}) recording->collection_finished();
}

void JNICALL on_object_sampled(jvmtiEnv*, JNIEnv* jni, jthread, jobject object, jclass mirror, jlong size) {
  if (const RecordingInUse recording{control().slot()}) recording->object_sampled(jni, object, mirror, size);
}

void JNICALL on_enter(jvmtiEnv*, JNIEnv* jni, jthread thread, jobject object) {
  if (const RecordingInUse recording{control().slot()}) recording->locks().enter_begins(jni, thread, object);
}

void JNICALL on_entered(jvmtiEnv*, JNIEnv* jni, jthread thread, jobject object) {
  if (const RecordingInUse recording{control().slot()}) recording->locks().enter_ends(jni, thread, object);
}

void JNICALL on_wait(jvmtiEnv*, JNIEnv* jni, jthread thread, jobject, jlong timeout_ms) {
  if (const RecordingInUse recording{control().slot()}) recording->locks().wait_begins(jni, thread, timeout_ms);
}

void JNICALL on_waited(jvmtiEnv*, JNIEnv* jni, jthread thread, jobject object, jboolean timed_out) {
  if (const RecordingInUse recording{control().slot()}) recording->locks().wait_ends(jni, thread, object, timed_out);
}

void on_parked(JNIEnv* jni, int64_t start_ticks, int64_t duration_ns, bool is_absolute, int64_t time) {
  if (const RecordingInUse recording{control().slot()})
    recording->locks().park_ended(jni, start_ticks, duration_ns, is_absolute, time);
}

void on_slept(JNIEnv* jni, int64_t start_ticks, int64_t duration_ns, int64_t wanted_ns) {
  if (const RecordingInUse recording{control().slot()})
    recording->locks().sleep_ended(jni, start_ticks, duration_ns, wanted_ns);
}

void on_thrown(JNIEnv* jni, jobject throwable) {
  if (const RecordingInUse recording{control().slot()}) recording->exceptions().thrown(jni, throwable);
}

void JNICALL on_class_prepare(jvmtiEnv*, JNIEnv* jni, jthread, jclass mirror) {
  if (const RecordingInUse recording{control().slot()}) recording->class_prepared(jni, mirror);
}

void JNICALL on_object_free(jvmtiEnv*, jlong tag) {
  if (const RecordingInUse recording{control().slot()}) recording->mirror_freed(tag);
}

void JNICALL on_dynamic_code(jvmtiEnv*, const char* name, const void* address, jint size) {
  add_stub(control().session().vm, name, address, size);
}

void JNICALL on_vm_init(jvmtiEnv*, JNIEnv* jni, jthread) {
  const Answer answer = control().carry_out(jni, options_at_start());
  if (!answer.ok())
    refuse(Error{base::ErrorCode::kSystem, 0, answer.error, 0}, options_at_start().on_error == OnError::kExit);
}

void JNICALL on_vm_death(jvmtiEnv*, JNIEnv* jni) { control().vm_death(jni); }

// A forked child has our memory and none of our threads: it must leave the recording alone.
void after_fork_in_child() {
  Engine::after_fork_in_child();
  if (Control* control = the_control.load(std::memory_order_relaxed)) control->slot().set(nullptr);
}

bool set_up_jvmti(jvmtiEnv* jvmti) {
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_garbage_collection_events = 1;
  jvmti->AddCapabilities(&capabilities);  // without it there are no such events, that is all
  support_bound_threads(jvmti);
  jvmtiEventCallbacks callbacks{};
  callbacks.VMInit = on_vm_init;
  callbacks.VMDeath = on_vm_death;
  callbacks.ThreadStart = on_thread_start;
  callbacks.ThreadEnd = on_thread_end;
  callbacks.GarbageCollectionStart = on_gc_start;
  callbacks.GarbageCollectionFinish = on_gc_finish;
  callbacks.DynamicCodeGenerated = on_dynamic_code;
  callbacks.SampledObjectAlloc = on_object_sampled;
  callbacks.MonitorContendedEnter = on_enter;
  callbacks.MonitorContendedEntered = on_entered;
  callbacks.MonitorWait = on_wait;
  callbacks.MonitorWaited = on_waited;
  return set_callbacks(jvmti, callbacks) == JVMTI_ERROR_NONE &&
         jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, nullptr) == JVMTI_ERROR_NONE;
}

// While a VM starts there is a time when it lets agents in and has no JVMTI for them (jvmtiExport.cpp,
// get_jvmti_interface).
jvmtiEnv* wait_for_jvmti(JavaVM* vm) {
  jvmtiEnv* jvmti = nullptr;
  jint status = JNI_EDETACHED;
  for (int i = 0; i < kStartPauses && status == JNI_EDETACHED; ++i) {
    if (i > 0) usleep(kStartPauseUs);
    status = vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_1_2);
  }
  return status == JNI_OK ? jvmti : nullptr;
}

Error unfit(std::string what) { return Error{base::ErrorCode::kSystem, 0, std::move(what), 0}; }

std::string why_unfit(jvmtiEnv* jvmti) {
  jint version = 0;
  jvmti->GetVersionNumber(&version);
  return why_not_this_vm(system_property(jvmti, "java.vm.name"), version);
}

// Makes the Control, once.
Status make_control(JavaVM* vm) {
  // acquire: pairs with the release below; whoever finds one uses it.
  if (the_control.load(std::memory_order_acquire) != nullptr) return Done{};
  if (!has_handler_locals())
    return unfit(
        "this process has no room left for thread-locals of handlers: other libraries have taken it; "
        "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=2048 makes more");
  jvmtiEnv* jvmti = wait_for_jvmti(vm);
  if (jvmti == nullptr) return unfit(kNoJvmti);
  if (std::string why = why_unfit(jvmti); !why.empty()) return unfit(std::move(why));
  // release: pairs with the acquires in control(), here and in load_at_start().
  the_control.store(new Control(vm, jvmti, on_class_prepare, on_object_free, {on_parked, on_slept, on_thrown}),
                    std::memory_order_release);
  call_in_forked_child(after_fork_in_child);
  if (!set_up_jvmti(jvmti)) return unfit(kNoJvmti);
  return Done{};
}

void print(const std::string& text) {
  [[maybe_unused]] const ssize_t n = write(STDOUT_FILENO, text.data(), text.size());
}

bool is_for_terminal(AgentCommand command) {
  return command == AgentCommand::kHelp || command == AgentCommand::kVersion;
}

void print_for(AgentCommand command) {
  print(command == AgentCommand::kHelp ? options_help(100) : "rec " REC_VERSION "\n");
}

jint load_at_start(JavaVM* vm, const char* text) {
  // acquire: pairs with the release in make_control().
  if (the_control.load(std::memory_order_acquire) != nullptr) {
    say(LogLevel::kWarn, "the agent is loaded already, the second -agentpath is ignored");
    return JNI_OK;
  }
  bool exit_on_error = false;
  const Result<Options> options = parse_options(text, &exit_on_error);
  if (!options.ok()) {
    say(LogLevel::kError, refusal_line(options.error(), exit_on_error));
    return exit_on_error ? JNI_ERR : JNI_OK;
  }
  options_at_start() = options.value();
  set_log_level(options_at_start().log_level);
  if (is_for_terminal(options_at_start().command)) return print_for(options_at_start().command), JNI_OK;
  enable_debug_non_safepoints();
  if (options_at_start().command == AgentCommand::kApi) return JNI_OK;
  // All environments are made here, for one that is made later would be heard. Not where monitors are to be heard of:
  // mounts_are_quiet().
  std::optional<QuietMounts> quiet;
  if (!options_at_start().records_locks()) quiet.emplace();
  if (const Status made = make_control(vm); !made) return refuse(made.error(), exit_on_error), JNI_OK;
  control().session().class_tags.prepare(vm, on_class_prepare, on_object_free);
  control().session().jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, nullptr);
  return JNI_OK;
}

Answer failed(std::string why) {
  Answer answer;
  answer.error = std::move(why);
  return answer;
}

Answer carried_out(JavaVM* vm, const Options& options) {
  JNIEnv* jni = nullptr;
  const bool known = vm->GetEnv(reinterpret_cast<void**>(&jni), JNI_VERSION_1_8) == JNI_OK;
  const Status made = known ? make_control(vm) : Status(unfit(kNoJvmti));
  return made ? control().carry_out(jni, options) : failed(made.error().what);
}

jint carry_out_attached(JavaVM* vm, const char* text) {
  const TextCommand command = carry_out_text(vm, text);
  if (!command.answer) return JNI_OK;
  if (command.answer_path.empty() || !deliver(*command.answer, command.answer_path)) say_always(command.answer->line());
  return command.answer->ok() ? JNI_OK : JNI_ERR;
}

}  // namespace

void refuse(const Error& error, bool exit_on_error) {
  say(LogLevel::kError, refusal_line(error, exit_on_error));
  if (exit_on_error) _exit(1);
}

TextCommand carry_out_text(JavaVM* vm, const char* text) {
  TextCommand command;
  const Result<Options> options = parse_options(text, &command.exit_on_error, &command.answer_path);
  if (!options) {
    command.why = options.error().code;
    command.answer = failed(options.error().what);
  } else if (is_for_terminal(options->command)) {
    print_for(options->command);
  } else if (options->command == AgentCommand::kApi) {
    enable_debug_non_safepoints();
  } else {
    command.answer = carried_out(vm, *options);
  }
  return command;
}

}  // namespace rec::agent

extern "C" {

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* text, void*) {
  return rec::agent::load_at_start(vm, text == nullptr ? "" : text);
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM* vm, char* text, void*) {
  return rec::agent::carry_out_attached(vm, text == nullptr ? "" : text);
}

}  // extern "C"
