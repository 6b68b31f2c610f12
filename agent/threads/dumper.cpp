// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/dumper.h"

#include <algorithm>
#include <utility>

#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/vm/local_refs.h"
#include "agent/hotspot/vm/thread_name.h"
#include "agent/hotspot/vm/vm_features.h"
#include "agent/hotspot/walk/held_monitors.h"
#include "agent/sampling/system_property.h"
#include "agent/threads/incomplete.h"
#include "agent/threads/native_frames.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

constexpr size_t kMaxVirtualName = 256;
constexpr size_t kBatch = 8;             // threads whose clocks are read in a row: a system call each
constexpr size_t kMostFrames = 1 << 16;  // that are kept from dump to dump

void set_place(const Layout& layout, const OutsideWalk::Place& place, DumpedThread& thread) {
  thread.vm_state = vm_state(layout, place.state);
  thread.in_transition = in_transition(layout, place.state);
  thread.last_java_sp = place.anchor.sp;
}

}  // namespace

Dumper::Dumper(VmSession& session)
    : session_(session), outside_(session.vm), own_stacks_(session.vm), waits_(session.vm.layout, fields_) {}

void Dumper::open(JNIEnv* jni) {
  if (opened_) return;
  fields_.open(jni);
  waits_.open(session_.jvmti, jni);
  dump_.vm_major = features_of(session_.vm.layout).major;
  dump_.vm_name = system_property(session_.jvmti, "java.vm.name");
  dump_.vm_version = system_property(session_.jvmti, "java.vm.version");
  dump_.vm_info = system_property(session_.jvmti, "java.vm.info");
  opened_ = true;
}

void Dumper::forget() {
  dump_.frames.clear();
  ++dump_.numbering;
  table_.clear();
  known_.forget();
  named_.clear();
}

// Frames keep their numbers, because threads that stand still have them.
void Dumper::begin() {
  if (dump_.frames.size() > kMostFrames) forget();
  dump_.unix_ns = base::now_unix_ns();
  dump_.threads.clear();
  dump_.deadlocks.clear();
  dump_.retries = dump_.asked = dump_.unanswered = 0;
}

const ThreadDump& Dumper::take(JNIEnv* jni, ThreadDetail detail) {
  const int64_t start = base::now_ticks();
  int64_t last = start;
  const auto lap = [&last] {
    const int64_t now = base::now_ticks();
    return now - std::exchange(last, now);
  };
  open(jni);
  begin();
  session_.vm.modules.refresh();
  Candidates& candidates = candidates_;
  list(jni, candidates);
  dump_.times.list_ns = lap();
  std::vector<Candidate*> in_java;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (i % kBatch == 0) read_clocks({&candidates[i], std::min(kBatch, candidates.size() - i)}, detail);
    if (!take_outside(jni, candidates[i])) in_java.push_back(&candidates[i]);
  }
  dump_.times.walk_ns = lap();
  if (!in_java.empty()) ask(jni, std::move(in_java));
  dump_.times.ask_ns = lap();
  std::vector<jthread> references;
  for (const Candidate& candidate : candidates) references.push_back(candidate.thread);
  std::erase_if(candidates, [](const Candidate& candidate) { return candidate.gone; });
  for (Candidate& candidate : candidates) candidate.dumped.name = fields_.name(jni, candidate.thread);
  find_owners(candidates);
  find_deadlocks(jni, candidates);
  dump_.times.names_ns = lap();
  read_system(candidates, detail);
  dump_.times.os_ns = lap();
  if (detail != ThreadDetail::kJava) read_native_frames(session_.vm, native_names_, dump_);
  dump_.times.native_ns = lap();
  for (const jthread reference : references) jni->DeleteLocalRef(reference);
  candidates.clear();
  known_.end();
  dump_.times.total_ns = base::now_ticks() - start;
  return dump_;
}

// --- who is there

void Dumper::list(JNIEnv* jni, Candidates& candidates) {
  jint count = 0;
  jthread* threads = nullptr;
  if (session_.jvmti->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) return;
  expect_local_refs(jni, count);
  candidates.resize(static_cast<size_t>(count));
  known_.begin(candidates.size());
  for (jint i = 0; i < count; ++i) {
    Candidate& candidate = candidates[static_cast<size_t>(i)];
    candidate.thread = threads[i];
    DumpedThread& thread = candidate.dumped;
    thread.is_java = true;
    thread.java_thread = fields_.java_thread(jni, threads[i]);
    thread.java_id = fields_.id(jni, threads[i]);
    candidate.gone = thread.java_thread == 0;
    outside_.expect(thread.java_thread);
  }
  session_.jvmti->Deallocate(reinterpret_cast<unsigned char*>(threads));
  for (size_t i = 0; i < candidates.size(); ++i) {
    Candidate& candidate = candidates[i];
    DumpedThread& thread = candidate.dumped;
    if (i + kBatch < candidates.size()) expect_os_thread(session_.vm.layout, candidates[i + kBatch].dumped.java_thread);
    thread.os_id = os_thread_id(session_.vm.layout, thread.java_thread);
    if (!candidate.gone) candidate.known = &known_.of(thread.java_thread, thread.os_id, thread.java_id);
  }
}

bool Dumper::alive(JNIEnv* jni, const Candidate& candidate) const {
  return fields_.java_thread(jni, candidate.thread) == candidate.dumped.java_thread;
}

// --- from outside

// Before anything else is looked at, and meanwhile the stacks of those that have run come to the cache. Of a thread that is
// met for the first time, and blocked, the clock proves nothing yet: it is read with what else the system says.
void Dumper::read_clocks(std::span<Candidate> batch, ThreadDetail detail) const {
  for (Candidate& candidate : batch) {
    if (candidate.gone) continue;
    DumpedThread& thread = candidate.dumped;
    const KnownThread& known = *candidate.known;
    const bool later = known.is_new && detail == ThreadDetail::kJava && state_of(candidate) == VmState::kBlocked;
    if (!later) thread.os.cpu_ns = task_cpu_ns(thread.os_id);
    if (later || thread.os.cpu_ns != known.cpu_ns) outside_.expect_stack(thread.java_thread);
  }
}

// Its clock has been read. False: it runs Java code, or does not stay where it is, and has to be asked.
bool Dumper::take_outside(JNIEnv* jni, Candidate& candidate) {
  using Outcome = OutsideWalk::Outcome;
  DumpedThread& thread = candidate.dumped;
  for (int i = 0; i < kOutsideTries && !candidate.gone; ++i) {
    if (i > 0) thread.os.cpu_ns = task_cpu_ns(thread.os_id);
    if (take_standing(jni, candidate)) return true;
    const Outcome outcome = outside_.begin(thread.java_thread);
    if (outcome == Outcome::kInJava) break;
    // A thread that comes back from Java into the VM has no anchor for a few instructions.
    const bool may_be_between =
        outcome == Outcome::kNoFrames && outside_.state() == VmState::kInVm && i + 1 < kOutsideTries;
    if (outcome != Outcome::kMoved && !may_be_between && take_walk(jni, candidate, outcome)) return true;
    ++thread.retries;
    ++dump_.retries;
    candidate.gone = !alive(jni, candidate);
  }
  thread.stack.clear();
  thread.monitors.clear();
  if (candidate.known != nullptr) candidate.known->cpu_ns = -1;
  return candidate.gone;
}

// What the dump before knew, if the thread has not run since.
bool Dumper::take_standing(JNIEnv* jni, Candidate& candidate) {
  DumpedThread& thread = candidate.dumped;
  const KnownThread& known = *candidate.known;
  if (known.cpu_ns < 0 || known.cpu_ns != thread.os.cpu_ns || !task_clock_is_exact()) return false;
  const Layout& layout = session_.vm.layout;
  if (!(OutsideWalk::place_of(layout, thread.java_thread) == known.place)) return false;
  thread.stack = known.stack;
  thread.source = known.source;
  thread.why = known.why;
  thread.proven = true;
  set_place(layout, known.place, thread);
  read_java_state(jni, candidate);
  thread.monitors = read_monitors(layout, known.monitors);
  return OutsideWalk::place_of(layout, thread.java_thread) == known.place && alive(jni, candidate);
}

bool Dumper::take_walk(JNIEnv* jni, Candidate& candidate, OutsideWalk::Outcome outcome) {
  DumpedThread& thread = candidate.dumped;
  const bool walked = outcome == OutsideWalk::Outcome::kWalked;
  thread.stack.clear();
  add_frames(thread.stack);
  read_java_state(jni, candidate);
  std::vector<MonitorSlot> monitors = walked ? find_monitors(session_.vm, outside_) : std::vector<MonitorSlot>();
  thread.monitors = read_monitors(session_.vm.layout, monitors);
  if (!outside_.confirm() || !alive(jni, candidate)) return false;
  thread.source = walked ? StackSource::kAnchor : StackSource::kNone;
  thread.why = walked ? why_incomplete(outside_.walk()) : "no Java frames";
  thread.proven = false;
  set_place(session_.vm.layout, outside_.place(), thread);
  KnownThread& known = *candidate.known;
  known.cpu_ns = thread.os.cpu_ns;
  if (known.cpu_ns < 0) return true;
  known.place = outside_.place();
  known.source = thread.source;
  known.why = thread.why;
  known.stack = thread.stack;
  known.monitors = std::move(monitors);
  return true;
}

void Dumper::read_java_state(JNIEnv* jni, Candidate& candidate) const {
  DumpedThread& thread = candidate.dumped;
  candidate.owner = {};
  thread.waiting = waits_.monitor_of(thread.java_thread, candidate.owner);
  const ThreadFields::Status status = fields_.status(jni, candidate.thread);
  thread.java_state = status.state;
  thread.priority = status.priority;
  thread.daemon = status.daemon;
  if (thread.waiting.kind == WaitKind::kNone && (thread.java_state & JVMTI_THREAD_STATE_PARKED) != 0)
    thread.waiting = waits_.blocker_of(jni, candidate.thread, candidate.owner);
  LastCarried last;
  const Layout& layout = session_.vm.layout;
  thread.virtual_id = carried_thread_id(layout, thread.java_thread, thread.java_id, last);
  thread.virtual_name.clear();
  if (thread.virtual_id == 0) return;
  char name[kMaxVirtualName];
  thread.virtual_name.assign(name,
                             carried_thread_name(layout, thread.java_thread, thread.virtual_id, name, sizeof name));
}

// Compiled frames that stand as in the walk before have its methods (raw_frame.h): they are named by it. The frames above
// them may be others.
void Dumper::add_frames(std::vector<ThreadFrame>& stack) {
  const std::span<const RawFrame> raw = outside_.frames();
  const size_t kept = std::min<size_t>(outside_.kept(), named_.size());
  stack.resize(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    const size_t below = raw.size() - i;  // frames from the root up to this one
    const bool named = below <= kept && raw[i].of_compilation;
    stack[i] = {named ? named_[named_.size() - below].frame : name(raw[i]), raw[i].type};
  }
  if (!raw.empty()) named_ = stack;
}

uint32_t Dumper::name(const RawFrame& frame) {
  FrameKey key;
  if (!read_key(session_.vm.layout, frame, key)) return kUnknownFrame;
  if (const uint32_t known = table_.find(key); known != kUnknownFrame) return known;
  FrameFacts facts;
  return read_frame(session_.vm.layout, frame, facts) ? table_.add(facts) : kUnknownFrame;
}

}  // namespace rec::agent
