// SPDX-License-Identifier: Apache-2.0
// The part of the Dumper that asks threads by signal: those in Java code, which nobody else can walk.
#include <time.h>

#include <algorithm>

#include "agent/hotspot/vm/java_thread.h"
#include "agent/threads/dumper.h"
#include "agent/threads/incomplete.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

constexpr timespec kPause{0, 50'000};          // between two looks at who has answered
constexpr int64_t kMayHaveLeftNs = 2'000'000;  // then it is looked whether a thread has left Java code

}  // namespace

VmState Dumper::state_of(const Candidate& candidate) const {
  const Layout& layout = session_.vm.layout;
  return vm_state(layout, state_word(layout, candidate.dumped.java_thread));
}

void Dumper::ask(JNIEnv* jni, std::vector<Candidate*> queue) {
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
        give_up(jni, candidate, late ? "there was no time left to ask it" : "no signal is free to ask it");
      } else if (own_stacks_.is_deaf(candidate.dumped.os_id)) {
        give_up(jni, candidate, "it blocks the signal that would ask it");
      } else {
        candidate.slot = own_stacks_.try_ask(candidate.dumped.java_thread, candidate.dumped.os_id);
        if (candidate.slot < 0) break;
        candidate.asked_ns = base::now_ticks();
        ++dump_.asked;
        asked.push_back(&candidate);
      }
      queue.pop_back();
    }
    const size_t open = asked.size();
    std::erase_if(asked, [&](Candidate* candidate) { return look_after(jni, *candidate); });
    if (asked.size() == open && (open > 0 || !queue.empty())) nanosleep(&kPause, nullptr);
  }
}

// True: it has answered, or never will.
bool Dumper::look_after(JNIEnv* jni, Candidate& candidate) {
  if (own_stacks_.answered(candidate.slot)) {
    take_answer(jni, candidate);
    own_stacks_.give_back(candidate.slot);
    return true;
  }
  const int64_t waited = base::now_ticks() - candidate.asked_ns;
  if (waited < kMayHaveLeftNs) return false;
  const VmState state = state_of(candidate);
  const bool left_java = state == VmState::kInNative || state == VmState::kBlocked;
  if (left_java) candidate.dumped.os.cpu_ns = task_cpu_ns(candidate.dumped.os_id);
  if ((left_java && take_outside(jni, candidate)) || !alive(jni, candidate)) {
    candidate.gone = candidate.gone || !alive(jni, candidate);
    own_stacks_.give_back(candidate.slot);
    return true;
  }
  if (waited < kAnswerLimitNs) return false;
  own_stacks_.give_back(candidate.slot);
  give_up(jni, candidate, "it did not answer its signal in time");
  return true;
}

void Dumper::give_up(JNIEnv* jni, Candidate& candidate, const char* why) {
  ++dump_.unanswered;
  candidate.dumped.source = StackSource::kNone;
  candidate.dumped.vm_state = state_of(candidate);
  candidate.dumped.why = why;
  read_java_state(jni, candidate);
}

void Dumper::take_answer(JNIEnv* jni, Candidate& candidate) {
  const OwnStacks::Answer answer = own_stacks_.answer_of(candidate.slot);
  const Layout& layout = session_.vm.layout;
  DumpedThread& thread = candidate.dumped;
  thread.stack.clear();
  for (size_t i = 0; i < answer.raw.size(); ++i) {
    const FrameFacts& facts = answer.frames[i];
    thread.stack.push_back({facts.key.id != 0 ? table_.add(facts) : kUnknownFrame, answer.raw[i].type});
  }
  thread.source = answer.raw.empty() ? StackSource::kNone : StackSource::kSignal;
  thread.why = answer.may_not_fault ? "the thread blocks SIGSEGV, or its alternate stack is too small"
                                    : why_incomplete(answer.walk);
  thread.vm_state = vm_state(layout, answer.state_word);
  thread.in_transition = in_transition(layout, answer.state_word);
  thread.on_cpu = true;
  read_java_state(jni, candidate);
  thread.waiting = {};
  candidate.owner = {};
}

}  // namespace rec::agent
