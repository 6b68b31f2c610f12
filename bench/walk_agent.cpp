// SPDX-License-Identifier: Apache-2.0
// An agent that walks each sampled stack three times, with rec's walker from scratch, with rec's walker and its memory of
// the thread's last walk, and with HotSpot's AsyncGetCallTrace, and prints at exit how long each took, how often each
// failed and how often they agree. Which goes first alternates: see
// walk_rows.h. Nothing is recorded.
//
//   java -agentpath:libwalk_agent.so=500 ...        microseconds of CPU between a thread's samples; default 1000
//
// JDK 17 to 25: it takes a jmethodID for the address of a Method*, which ends with JDK 26.
#include <dlfcn.h>
#include <jvmti.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/processor/signal_context.h"
#include "agent/hotspot/walk/vm_code.h"
#include "agent/sampling/cpu_clock.h"
#include "agent/sampling/java_threads.h"
#include "agent/sampling/last_walks.h"
#include "agent/sampling/scratch_pool.h"
#include "bench/walk_rows.h"

namespace rec::bench {
namespace {

using namespace rec::agent;

constexpr uint32_t kDepth = 4096;
constexpr CarrierFrames kCarrier = CarrierFrames::kShown;  // as theirs

// The interface of AsyncGetCallTrace, which no header declares (src/hotspot/share/prims/forte.cpp).
struct CallFrame {
  jint bci;
  jmethodID method;
};
struct CallTrace {
  JNIEnv* env;
  jint frame_count;
  CallFrame* frames;
};
using AsyncGetCallTrace = void (*)(CallTrace*, jint depth, void* context);

struct Bench {
  jvmtiEnv* jvmti = nullptr;
  AsyncGetCallTrace their_walk = nullptr;
  VmCode vm;
  ThreadRegistry threads;
  JavaThreads java_threads;
  ScratchPool scratch, again_scratch;
  LastWalks last_walks;
  std::array<std::array<CallFrame, kDepth>, ScratchPool::kInRow> their_frames;
  CpuClock* clock = nullptr;
  uint64_t env_offset = 0;  // of the JNIEnv in a JavaThread
  int64_t period_ns = 1'000'000;
  WalkRows rows;
  std::atomic<uint32_t> signals{0};
  std::atomic<bool> running{false};
};
Bench* bench = nullptr;

uint32_t now_ns() {  // differences only
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint32_t>(now.tv_sec * 1'000'000'000ll + now.tv_nsec);
}

uint64_t method_of(jmethodID id) { return id == nullptr ? 0 : u64_at(reinterpret_cast<uint64_t>(id)); }

bool same_methods(const WalkRow& row, const RawFrame* ours, const CallFrame* theirs) {
  if (row.our_frames != row.their_frames) return false;
  for (int i = 0; i < row.our_frames; ++i)
    if (ours[i].method != method_of(theirs[i].method)) return false;
  return true;
}

// What the memory has of the walk goes behind what it found; the memory is told, as when a sample is recorded.
bool again_same(const WalkRow& row, const Walk& again, LastWalk& last, const RawFrame* ours,
                std::span<RawFrame> frames) {
  for (uint32_t i = 0; i < again.kept; ++i) frames[again.count + i] = last.raw(last.kept_frames() - 1 - i);
  last.adopt(frames.data(), again.count, 1);
  return static_cast<uint32_t>(row.our_frames) == again.count + again.kept && row.end == again.end &&
         std::equal(ours, ours + row.our_frames, frames.begin());
}

void walk_three_times(const ThreadRecord& thread, ucontext_t& context) {
  const ScratchPool::Scratch scratch = bench->scratch.try_take(), again_scratch = bench->again_scratch.try_take();
  const LastWalks::Loan last = bench->last_walks.try_take(&thread);
  if (!scratch || !again_scratch || last.walk == nullptr) return;
  auto& their_frames = bench->their_frames[static_cast<size_t>(scratch.index)];
  CallTrace trace{reinterpret_cast<JNIEnv*>(thread.java_thread + bench->env_offset), 0, their_frames.data()};
  WalkRow row;
  Walk again;
  row.first = static_cast<Walker>(bench->signals.fetch_add(1, std::memory_order_relaxed) % kWalkers);
  for (int i = 0; i < kWalkers; ++i) {
    const auto walker = static_cast<Walker>((row.first + i) % kWalkers);
    const uint32_t begin = now_ns();
    if (walker == kOurs) {
      const Walk walk = walk_stack(bench->vm, registers_of(context), thread.java_thread, scratch.raw, kCarrier);
      row.our_frames = static_cast<int32_t>(walk.count);
      row.end = walk.end;
    } else if (walker == kAgain) {
      again = walk_stack(bench->vm, registers_of(context), thread.java_thread, again_scratch.raw, kCarrier, last.walk);
      row.kept_frames = static_cast<int32_t>(again.kept);
    } else {
      bench->their_walk(&trace, kDepth, &context);
      row.their_frames = trace.frame_count;
    }
    row.time_ns[walker] = now_ns() - begin;
  }
  row.same = same_methods(row, scratch.raw.data(), their_frames.data());
  row.again_same = again_same(row, again, *last.walk, scratch.raw.data(), again_scratch.raw);
  bench->last_walks.give_back(last);
  bench->again_scratch.give_back(again_scratch);
  bench->scratch.give_back(scratch);
  bench->rows.add(row);
}

void on_signal(int, siginfo_t*, void* context) {
  const int saved_errno = errno;
  if (ThreadRecord* thread = bench->threads.current()) {
    CpuClock::go_on(*thread, bench->period_ns);  // or the first tick would be the last
    if (bench->running.load(std::memory_order_acquire)) walk_three_times(*thread, *static_cast<ucontext_t*>(context));
  }
  errno = saved_errno;
}

// --- the JVM's events

// Makes the class' jmethodIDs: AsyncGetCallTrace must not.
void JNICALL on_class_prepare(jvmtiEnv* jvmti, JNIEnv*, jthread, jclass prepared) {
  jint count = 0;
  jmethodID* methods = nullptr;
  if (jvmti->GetClassMethods(prepared, &count, &methods) == JVMTI_ERROR_NONE)
    jvmti->Deallocate(reinterpret_cast<unsigned char*>(methods));
}

void JNICALL on_class_load(jvmtiEnv*, JNIEnv*, jthread, jclass) {
}  // only its being enabled matters to AsyncGetCallTrace

void JNICALL on_dynamic_code(jvmtiEnv*, const char* name, const void* address, jint size) {
  add_stub(bench->vm, name, address, size);
}

void add_thread(JNIEnv* jni, jthread thread) {
  if (ThreadRecord* record = bench->java_threads.add(jni, thread, bench->threads)) bench->clock->start(*record);
}

void JNICALL on_thread_start(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  if (bench->running.load(std::memory_order_acquire)) add_thread(jni, thread);
}

void JNICALL on_thread_end(jvmtiEnv*, JNIEnv*, jthread) {
  ThreadRecord* record = bench->clock != nullptr ? bench->threads.current() : nullptr;
  if (record == nullptr) return;
  bench->clock->stop(*record);
  bench->threads.remove(record);
}

void enable(jvmtiEvent event) { bench->jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr); }

// For the classes that were there first.
void prepare_loaded_classes(JNIEnv* jni) {
  jint count = 0;
  jclass* classes = nullptr;
  if (bench->jvmti->GetLoadedClasses(&count, &classes) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; ++i) {
    on_class_prepare(bench->jvmti, jni, nullptr, classes[i]);
    jni->DeleteLocalRef(classes[i]);
  }
  bench->jvmti->Deallocate(reinterpret_cast<unsigned char*>(classes));
}

const char* start(JNIEnv* jni, jthread main_thread) {
  bench->their_walk = reinterpret_cast<AsyncGetCallTrace>(dlsym(RTLD_DEFAULT, "AsyncGetCallTrace"));
  if (bench->their_walk == nullptr) return "this VM has no AsyncGetCallTrace";
  if (!install_fault_handler() || !open_vm_code(bench->vm, jni).empty()) return "rec does not know this VM";
  enable(JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
  bench->jvmti->GenerateEvents(JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
  if (!bench->java_threads.open(bench->jvmti, jni, bench->vm.layout) || !bench->scratch.resize(kDepth) ||
      !bench->again_scratch.resize(kDepth) || !bench->last_walks.resize(kDepth))
    return "no threads";
  prepare_loaded_classes(jni);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  if (sigaction(SIGPROF, &action, nullptr) != 0) return "no signal";
  bench->clock = new CpuClock(SIGPROF, false, choose_clock(CpuClockKind::kPerf, bench->period_ns));
  add_thread(jni, main_thread);
  ThreadRecord* self = bench->threads.current();
  if (self == nullptr) return "no main thread";
  bench->env_offset = reinterpret_cast<uint64_t>(jni) - self->java_thread;
  bench->running.store(true, std::memory_order_release);
  return nullptr;
}

void JNICALL on_vm_init(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  if (const char* why = start(jni, thread)) std::fprintf(stderr, "walk_agent: %s\n", why);
}

void JNICALL on_vm_death(jvmtiEnv*, JNIEnv*) {
  if (!bench->running.exchange(false)) return;
  bench->threads.for_each([](ThreadRecord& record) { bench->clock->stop(record); });
  timespec handlers_end{0, 50'000'000};
  nanosleep(&handlers_end, nullptr);
  bench->rows.print();
}

}  // namespace
}  // namespace rec::bench

using namespace rec::bench;

extern "C" __attribute__((visibility("default"))) jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void*) {
  bench = new Bench;
  if (options != nullptr && std::atoi(options) > 0) bench->period_ns = std::atoi(options) * 1'000ll;
  if (vm->GetEnv(reinterpret_cast<void**>(&bench->jvmti), JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
  rec::agent::enable_debug_non_safepoints();
  jvmtiEventCallbacks callbacks{};
  callbacks.VMInit = on_vm_init;
  callbacks.VMDeath = on_vm_death;
  callbacks.ThreadStart = on_thread_start;
  callbacks.ThreadEnd = on_thread_end;
  callbacks.ClassLoad = on_class_load;
  callbacks.ClassPrepare = on_class_prepare;
  callbacks.DynamicCodeGenerated = on_dynamic_code;
  if (bench->jvmti->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) return JNI_ERR;
  for (jvmtiEvent event : {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END,
                           JVMTI_EVENT_CLASS_LOAD, JVMTI_EVENT_CLASS_PREPARE})
    enable(event);
  return JNI_OK;
}
