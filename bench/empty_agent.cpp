// SPDX-License-Identifier: Apache-2.0
// An agent that has the clocks of a recording and does nothing at their ticks: what the system takes for clocks alone,
// the floor for what a profiler takes.
//
//   java -agentpath:libempty_agent.so=interval=1ms,cpu-clock=perf ...        options as rec's (sampledthreads, too); says
//   at the end how often it was called
#include <jvmti.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "agent/options/options.h"
#include "agent/process/memory.h"
#include "agent/sampling/cpu_clock.h"
#include "agent/sampling/thread_registry.h"

namespace rec::bench {
namespace {

using namespace rec::agent;

ThreadRegistry& threads() {
  static auto& registry = *new ThreadRegistry;
  return registry;
}
CpuClock* the_clock = nullptr;
int64_t period_ns = 0;
std::atomic<uint64_t> ticks{0};

// Setting a clock going behind its first tick is the clock's, not a profiler's.
void on_tick(int, siginfo_t*, void*) {
  ticks.fetch_add(1, std::memory_order_relaxed);
  if (ThreadRecord* thread = threads().current()) CpuClock::go_on(*thread, period_ns);
}

int32_t own_os_id() { return static_cast<int32_t>(syscall(SYS_gettid)); }

void start_clock(ThreadRecord* record) {
  threads().exclusively([record] {
    if (record != nullptr && !record->clocked) record->clocked = the_clock->start(*record);
  });
}

void JNICALL on_thread_start(jvmtiEnv*, JNIEnv*, jthread) { start_clock(threads().add(own_os_id())); }

// Threads that Java does not know, as long as the process lives: none of them has an end here.
void watch_all_threads() {
  const int32_t own = own_os_id();
  while (true) {
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      const int32_t os_id = std::atoi(task.path().filename().c_str());
      if (os_id != own) start_clock(threads().add_native(os_id, ThreadKind::kNative, ""));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

void JNICALL on_thread_end(jvmtiEnv*, JNIEnv*, jthread) {
  ThreadRecord* record = threads().current();
  if (record == nullptr) return;
  threads().exclusively([record] {
    the_clock->stop(*record);
    record->clocked = false;
  });
  threads().remove(record);
}

void JNICALL on_vm_death(jvmtiEnv*, JNIEnv*) {
  std::fprintf(stderr, "empty_agent: %s, %llu ticks\n", the_clock->choice().name(),
               static_cast<unsigned long long>(ticks.load()));
}

}  // namespace
}  // namespace rec::bench

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* text, void*) {
  using namespace rec::bench;
  bool exit_on_error = false;
  const auto options = parse_options(text == nullptr ? "" : text, &exit_on_error);
  jvmtiEnv* jvmti = nullptr;
  if (!options.ok() || vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
  struct sigaction action {};
  action.sa_sigaction = on_tick;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigaction(SIGSTKFLT, &action, nullptr);
  const ClockChoice choice = choose_clock(options.value());
  period_ns = choice.period_ns;
  the_clock = new CpuClock(SIGSTKFLT, false, choice);
  jvmtiEventCallbacks callbacks{};
  callbacks.ThreadStart = on_thread_start;
  callbacks.ThreadEnd = on_thread_end;
  callbacks.VMDeath = on_vm_death;
  jvmti->SetEventCallbacks(&callbacks, sizeof callbacks);
  for (const jvmtiEvent event : {JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END, JVMTI_EVENT_VM_DEATH})
    jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr);
  if (options.value().sampled_threads == SampledThreads::kAll) std::thread(watch_all_threads).detach();
  return JNI_OK;
}
