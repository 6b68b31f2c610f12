// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/dumper.h"

#include <time.h>

#include <algorithm>

#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/vm/local_refs.h"
#include "agent/hotspot/vm/vm_features.h"
#include "agent/sampling/system_property.h"
#include "agent/threads/native_frames.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

constexpr timespec kPause{0, 50'000};          // between two looks at who has answered
constexpr int64_t kMayHaveLeftNs = 2'000'000;  // then it is looked whether a thread has left Java code

// Why a stack is not whole, in words; empty: it is.
const char* incomplete(const Walk& walk) {
  if (walk.end == WalkEnd::kDepth) return "the stack is deeper than what is kept";
  if (walk.gap) return "frames of a virtual thread that are being moved in the heap are missing";
  if (!walk.complete()) return "the walk broke off";
  return "";
}

}  // namespace

Dumper::Dumper(VmSession& session)
    : session_(session), outside_(session.vm), own_stacks_(session.vm), waits_(session.vm.layout, fields_) {}

void Dumper::open(JNIEnv* jni, ThreadDump& dump) {
  if (!opened_) {
    fields_.open(jni);
    waits_.open(session_.jvmti, jni);
    vm_name_ = system_property(session_.jvmti, "java.vm.name");
    vm_version_ = system_property(session_.jvmti, "java.vm.version");
    vm_info_ = system_property(session_.jvmti, "java.vm.info");
    opened_ = true;
  }
  dump.vm_major = features_of(session_.vm.layout).major;
  dump.vm_name = vm_name_;
  dump.vm_version = vm_version_;
  dump.vm_info = vm_info_;
}

ThreadDump Dumper::take(JNIEnv* jni, NativeFrames native) {
  ThreadDump dump;
  const int64_t start = base::now_ticks();
  dump.unix_ns = base::now_unix_ns();
  open(jni, dump);
  Candidates candidates = list(jni);
  int64_t last = start;
  const auto lap = [&last] {
    const int64_t before = last;
    last = base::now_ticks();
    return last - before;
  };
  dump.times.list_ns = lap();
  FrameTable table(dump.frames);
  std::vector<Candidate*> in_java;
  for (Candidate& candidate : candidates)
    if (!take_outside(jni, candidate, table, dump)) in_java.push_back(&candidate);
  dump.times.walk_ns = lap();
  if (!in_java.empty()) ask(jni, std::move(in_java), table, dump);
  dump.times.ask_ns = lap();
  std::vector<jthread> references;
  for (const Candidate& candidate : candidates) references.push_back(candidate.thread);
  std::erase_if(candidates, [](const Candidate& candidate) { return candidate.gone; });
  find_owners(candidates);
  for (Candidate& candidate : candidates) read_info(jni, candidate);
  dump.times.list_ns += lap();
  find_deadlocks(jni, candidates, dump);
  read_os(candidates, dump);
  dump.times.os_ns = lap();
  if (native == NativeFrames::kYes) read_native_frames(session_.vm, dump);
  dump.times.native_ns = lap();
  for (const jthread reference : references) jni->DeleteLocalRef(reference);
  dump.times.total_ns = base::now_ticks() - start;
  return dump;
}

// --- who is there

Dumper::Candidates Dumper::list(JNIEnv* jni) const {
  Candidates candidates;
  jint count = 0;
  jthread* threads = nullptr;
  if (session_.jvmti->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) return candidates;
  expect_local_refs(jni, count);
  candidates.reserve(static_cast<size_t>(count));
  for (jint i = 0; i < count; ++i) {
    Candidate candidate;
    candidate.thread = threads[i];
    DumpedThread& thread = candidate.dumped;
    thread.is_java = true;
    thread.java_thread = fields_.java_thread(jni, threads[i]);
    thread.java_id = fields_.id(jni, threads[i]);
    thread.os_id = os_thread_id(session_.vm.layout, thread.java_thread);
    candidate.gone = thread.java_thread == 0;
    candidates.push_back(std::move(candidate));
  }
  session_.jvmti->Deallocate(reinterpret_cast<unsigned char*>(threads));
  return candidates;
}

void Dumper::read_info(JNIEnv* jni, Candidate& candidate) const {
  candidate.dumped.name = fields_.name(jni, candidate.thread);
  candidate.dumped.priority = fields_.priority(jni, candidate.thread);
  candidate.dumped.daemon = fields_.daemon(jni, candidate.thread);
}

bool Dumper::alive(JNIEnv* jni, const Candidate& candidate) const {
  return fields_.java_thread(jni, candidate.thread) == candidate.dumped.java_thread;
}

// --- from outside

// False: it runs Java code, or does not stay where it is, and has to be asked.
bool Dumper::take_outside(JNIEnv* jni, Candidate& candidate, FrameTable& table, ThreadDump& dump) {
  using Outcome = OutsideWalk::Outcome;
  DumpedThread& thread = candidate.dumped;
  for (int i = 0; i < kOutsideTries && !candidate.gone; ++i) {
    const Outcome outcome = outside_.begin(thread.java_thread, thread.os_id);
    if (candidate.first_cpu_ns < 0) candidate.first_cpu_ns = outside_.cpu_ns();
    if (outcome == Outcome::kInJava) break;
    // A thread that comes back from Java into the VM has no anchor for a few instructions.
    const bool may_be_between =
        outcome == Outcome::kNoFrames && outside_.state() == VmState::kInVm && i + 1 < kOutsideTries;
    if (outcome != Outcome::kMoved && !may_be_between) {
      thread.stack.clear();
      add_frames(table, outside_.frames(), thread.stack);
      candidate.owner = {};
      thread.waiting = waits_.monitor_of(thread.java_thread, candidate.owner);
      read_java_state(jni, candidate);
      if (outside_.confirm() && alive(jni, candidate)) {
        thread.source = outcome == Outcome::kWalked ? StackSource::kAnchor : StackSource::kNone;
        thread.why = outcome == Outcome::kWalked ? incomplete(outside_.walk()) : "no Java frames";
        thread.vm_state = outside_.state();
        thread.in_transition = outside_.in_transition();
        thread.last_java_sp = outside_.last_java_sp();
        thread.proven = outside_.stood_still();
        return true;
      }
    }
    ++thread.retries;
    ++dump.retries;
    candidate.gone = !alive(jni, candidate);
  }
  thread.stack.clear();
  return candidate.gone;
}

void Dumper::read_java_state(JNIEnv* jni, Candidate& candidate) const {
  DumpedThread& thread = candidate.dumped;
  thread.java_state = fields_.state(jni, candidate.thread);
  if (thread.waiting.kind == WaitKind::kNone && (thread.java_state & JVMTI_THREAD_STATE_PARKED) != 0)
    thread.waiting = waits_.blocker_of(jni, candidate.thread, candidate.owner);
  LastCarried last;
  thread.virtual_id = carried_thread_id(session_.vm.layout, thread.java_thread, thread.java_id, last);
}

void Dumper::add_frames(FrameTable& table, std::span<const RawFrame> raw, std::vector<ThreadFrame>& stack) const {
  stack.reserve(raw.size());
  for (const RawFrame& frame : raw) {
    FrameKey key;
    uint32_t index = kUnknownFrame;
    if (read_key(session_.vm.layout, frame, key)) index = table.find(key);
    if (index == kUnknownFrame && key.id != 0) {
      FrameFacts facts;
      if (read_frame(session_.vm.layout, frame, facts)) index = table.add(facts);
    }
    stack.push_back({index, frame.type});
  }
}

// --- by signal

VmState Dumper::state_of(const Candidate& candidate) const {
  const Layout& layout = session_.vm.layout;
  return vm_state(layout, state_word(layout, candidate.dumped.java_thread));
}

void Dumper::ask(JNIEnv* jni, std::vector<Candidate*> queue, FrameTable& table, ThreadDump& dump) {
  const bool can_ask = own_stacks_.ready();
  const int64_t start = base::now_ticks();
  std::vector<Candidate*> asked;
  while (!queue.empty() || !asked.empty()) {
    const bool late = base::now_ticks() - start > kAskBudgetNs;
    while (!queue.empty() && asked.size() < OwnStacks::kSlots) {
      Candidate& candidate = *queue.back();
      if (candidate.gone || !alive(jni, candidate)) {
        candidate.gone = true;
      } else if (late || !can_ask) {
        give_up(jni, candidate, late ? "there was no time left to ask it" : "no signal is free to ask it", dump);
      } else if (own_stacks_.is_deaf(candidate.dumped.os_id)) {
        give_up(jni, candidate, "it blocks the signal that would ask it", dump);
      } else {
        candidate.slot = own_stacks_.try_ask(candidate.dumped.java_thread, candidate.dumped.os_id);
        if (candidate.slot < 0) break;
        candidate.asked_ns = base::now_ticks();
        ++dump.asked;
        asked.push_back(&candidate);
      }
      queue.pop_back();
    }
    const size_t open = asked.size();
    std::erase_if(asked, [&](Candidate* candidate) { return look_after(jni, *candidate, table, dump); });
    if (asked.size() == open && (open > 0 || !queue.empty())) nanosleep(&kPause, nullptr);
  }
}

// True: it has answered, or never will.
bool Dumper::look_after(JNIEnv* jni, Candidate& candidate, FrameTable& table, ThreadDump& dump) {
  if (own_stacks_.answered(candidate.slot)) {
    take_answer(jni, candidate, table);
    own_stacks_.give_back(candidate.slot);
    return true;
  }
  const int64_t waited = base::now_ticks() - candidate.asked_ns;
  if (waited < kMayHaveLeftNs) return false;
  const VmState state = state_of(candidate);
  const bool left_java = state == VmState::kInNative || state == VmState::kBlocked;
  if ((left_java && take_outside(jni, candidate, table, dump)) || !alive(jni, candidate)) {
    candidate.gone = candidate.gone || !alive(jni, candidate);
    own_stacks_.give_back(candidate.slot);
    return true;
  }
  if (waited < kAnswerLimitNs) return false;
  own_stacks_.give_back(candidate.slot);
  give_up(jni, candidate, "it did not answer its signal in time", dump);
  return true;
}

void Dumper::give_up(JNIEnv* jni, Candidate& candidate, const char* why, ThreadDump& dump) {
  ++dump.unanswered;
  candidate.dumped.source = StackSource::kNone;
  candidate.dumped.vm_state = state_of(candidate);
  candidate.dumped.why = why;
  candidate.dumped.java_state = fields_.state(jni, candidate.thread);
}

void Dumper::take_answer(JNIEnv* jni, Candidate& candidate, FrameTable& table) {
  const OwnStacks::Answer answer = own_stacks_.answer_of(candidate.slot);
  DumpedThread& thread = candidate.dumped;
  thread.stack.clear();
  for (size_t i = 0; i < answer.raw.size(); ++i) {
    const FrameFacts& facts = answer.frames[i];
    thread.stack.push_back({facts.key.id != 0 ? table.add(facts) : kUnknownFrame, answer.raw[i].type});
  }
  thread.source = answer.raw.empty() ? StackSource::kNone : StackSource::kSignal;
  thread.why = answer.may_not_fault ? "the thread blocks SIGSEGV" : incomplete(answer.walk);
  thread.vm_state = vm_state(session_.vm.layout, answer.state_word);
  thread.in_transition = in_transition(session_.vm.layout, answer.state_word);
  thread.on_cpu = true;
  thread.waiting = {};
  read_java_state(jni, candidate);
}

}  // namespace rec::agent
