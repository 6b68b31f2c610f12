// SPDX-License-Identifier: Apache-2.0
// An agent that takes thread dumps inside a JVM as fast as it can and judges them.
//
//   java -agentpath:libthreads_agent.so=churn=1000000 ThreadChurn     walks; every stack is held against the known shape
//   java -agentpath:libthreads_agent.so=race=200 ManyThreads ...      dumps, in turn with JVMTI's GetAllStackTraces
//   java -agentpath:libthreads_agent.so=cold=200 ManyThreads ...      the same, and nothing is remembered between them
//
// Prints one line of figures, and ends the JVM: with 1 when a torn stack was accepted. See docs/threads.md.
#include <jvmti.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <thread>

#include "agent/process/memory.h"
#include "agent/threads/dump_text.h"
#include "agent/threads/dumper.h"
#include "base/clock.h"

namespace rec::bench {
namespace {

using namespace rec::agent;

struct Bench {
  VmSession session;
  Dumper* dumper = nullptr;
  long churn_walks = 0, race_dumps = 0;
  bool cold = false;
};
Bench* bench = nullptr;

// --- the shape of ThreadChurn

constexpr int kDeepest = 15;

int level_of(const DumpFrame& frame) {
  const bool level = frame.klass == "ThreadChurn" && frame.name.size() > 1 && frame.name[0] == 'd' &&
                     frame.name.find_first_not_of("0123456789", 1) == std::string::npos;
  return level ? std::atoi(frame.name.c_str() + 1) : -1;
}

bool is(const DumpFrame& frame, const char* name) { return frame.klass == "ThreadChurn" && frame.name == name; }

// May `above` have been called by `below`? Only for the program's own methods; the library's may call each other.
bool may_follow(const DumpFrame& above, const DumpFrame& below) {
  const int from = level_of(below), to = level_of(above);
  if (to >= 0) return to == kDeepest ? from < 0 : from == to + 1;
  if (is(above, "stay")) return from == 0 || is(below, "stays");
  if (is(above, "stays")) return from > 0 && from < kDeepest;
  if (is(above, "waitALittle")) return is(below, "stay");
  if (is(below, "stay") || is(below, "stays") || is(below, "waitALittle")) return above.klass != "ThreadChurn";
  return from < 0;  // a level calls nothing else
}

// Empty, or what is wrong.
std::string wrong_with(const ThreadDump& dump, const DumpedThread& thread) {
  if (thread.why[0] != 0) return {};  // it is said to be incomplete
  const auto frame = [&](size_t i) -> const DumpFrame* {
    return thread.stack[i].frame == kUnknownFrame ? nullptr : &dump.frames[thread.stack[i].frame];
  };
  for (size_t i = 0; i < thread.stack.size(); ++i) {
    if (frame(i) == nullptr) return "a frame without a name";
    if (i + 1 == thread.stack.size()) break;
    if (frame(i + 1) == nullptr || !may_follow(*frame(i), *frame(i + 1)))
      return frame(i)->name + " called by " + (frame(i + 1) ? frame(i + 1)->name : "?");
  }
  const DumpFrame* last = thread.stack.empty() ? nullptr : frame(thread.stack.size() - 1);
  // The VM calls run() at a thread's start and exit() at its end.
  const bool is_root =
      last == nullptr || (last->klass == "java.lang.Thread" && (last->name == "run" || last->name == "exit"));
  if (!is_root) return "ends at " + last->name;
  return {};
}

bool is_churning(const DumpedThread& thread) {
  return thread.is_java && (thread.name.rfind("churn-", 0) == 0 || thread.name == "passing");
}

int churn(JNIEnv* jni, long walks) {
  std::map<std::string, long> torn;
  long anchor = 0, still = 0, signal = 0, none = 0, incomplete = 0, retries = 0, dumps = 0, shown = 0;
  const int64_t start = base::now_ticks();
  for (; anchor + signal < walks; ++dumps) {
    const ThreadDump& dump = bench->dumper->take(jni, ThreadDetail::kJava);
    retries += dump.retries;
    for (const DumpedThread& thread : dump.threads) {
      if (!is_churning(thread)) continue;
      if (thread.source == StackSource::kNone) {
        ++none;
        continue;
      }
      ++(thread.source == StackSource::kAnchor ? anchor : signal);
      still += thread.proven;
      incomplete += thread.why[0] != 0;
      const std::string wrong = wrong_with(dump, thread);
      if (wrong.empty()) continue;
      ++torn[std::string(stack_source_name(thread.source)) + ": " + wrong];
      if (++shown <= 3) std::fputs(dump_text(dump).substr(0, 4000).c_str(), stderr);
    }
  }
  long bad = 0;
  for (const auto& [what, count] : torn)
    std::fprintf(stderr, "torn, %ld times: %s\n", count, what.c_str()), bad += count;
  std::printf(
      "churn: dumps=%ld walks=%ld outside=%ld stoodstill=%ld signal=%ld refused=%ld none=%ld incomplete=%ld torn=%ld "
      "seconds=%ld\n",
      dumps, anchor + signal, anchor, still, signal, retries, none, incomplete, bad,
      static_cast<long>((base::now_ticks() - start) / 1'000'000'000));
  return bad == 0 ? 0 : 1;
}

// --- beside GetAllStackTraces

// The least, which other programs disturb least, and the median, in microseconds.
std::string figures(const char* name, std::vector<int64_t>& of) {
  std::sort(of.begin(), of.end());
  return std::string(" ") + name + "_us=" + std::to_string(of.front() / 1000) + '/' +
         std::to_string(of[of.size() / 2] / 1000);
}

int race(JNIEnv* jni, long dumps) {
  jvmtiEnv* jvmti = bench->session.jvmti;
  std::vector<int64_t> ours, list, walk, whole, theirs;
  size_t threads = 0, frames = 0;
  for (long i = 0; i < dumps; ++i) {
    if (bench->cold) bench->dumper->forget();
    const ThreadDump& dump = bench->dumper->take(jni, ThreadDetail::kJava);
    ours.push_back(dump.times.list_ns + dump.times.walk_ns + dump.times.ask_ns);
    list.push_back(dump.times.list_ns);
    walk.push_back(dump.times.walk_ns);
    whole.push_back(dump.times.total_ns);
    threads = dump.threads.size();
    frames = 0;
    for (const DumpedThread& thread : dump.threads) frames += thread.stack.size();
    const int64_t start = base::now_ticks();
    jvmtiStackInfo* info = nullptr;
    jint count = 0;
    if (jvmti->GetAllStackTraces(64, &info, &count) != JVMTI_ERROR_NONE) return 1;
    theirs.push_back(base::now_ticks() - start);
    for (jint t = 0; t < count; ++t) jni->DeleteLocalRef(info[t].thread);
    jvmti->Deallocate(reinterpret_cast<unsigned char*>(info));
    usleep(20'000);
  }
  const std::string line = figures("list", list) + figures("walk", walk) + figures("stacks", ours) +
                           figures("with_proc", whole) + figures("get_all", theirs);
  std::printf("race: dumps=%ld threads=%zu frames=%zu%s\n", dumps, threads, frames, line.c_str());
  return 0;
}

// ------------------------------------------------------------------------------------------------------------------------

void run() {
  JNIEnv* jni = nullptr;
  JavaVMAttachArgs arguments{JNI_VERSION_1_8, const_cast<char*>("threads bench"), nullptr};
  if (bench->session.java_vm->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&jni), &arguments) != JNI_OK)
    _exit(1);
  sleep(3);  // the program gets going
  if (const std::string why = bench->session.open(jni); !why.empty())
    std::fprintf(stderr, "this VM %s\n", why.c_str()), _exit(1);
  bench->dumper = new Dumper(bench->session);
  const int status = bench->race_dumps > 0 ? race(jni, bench->race_dumps) : churn(jni, bench->churn_walks);
  std::fflush(nullptr);
  _exit(status);
}

void JNICALL on_vm_init(jvmtiEnv*, JNIEnv*, jthread) { std::thread(run).detach(); }

}  // namespace
}  // namespace rec::bench

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void*) {
  using namespace rec::bench;
  bench = new Bench;
  const std::string text = options == nullptr ? "" : options;
  if (text.rfind("churn=", 0) == 0) bench->churn_walks = std::atol(text.c_str() + 6);
  bench->cold = text.rfind("cold=", 0) == 0;
  if (text.rfind("race=", 0) == 0 || bench->cold) bench->race_dumps = std::atol(text.c_str() + 5);
  bench->session.java_vm = vm;
  if (vm->GetEnv(reinterpret_cast<void**>(&bench->session.jvmti), JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
  jvmtiEventCallbacks callbacks{};
  callbacks.VMInit = on_vm_init;
  bench->session.jvmti->SetEventCallbacks(&callbacks, sizeof callbacks);
  bench->session.jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, nullptr);
  return JNI_OK;
}
