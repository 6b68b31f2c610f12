// SPDX-License-Identifier: Apache-2.0
#include "agent/main/control.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "agent/options/changes.h"
#include "agent/options/filename.h"
#include "agent/options/log.h"
#include "agent/sampling/attached_thread.h"
#include "agent/sampling/bound_thread_events.h"
#include "agent/spans/java_spans.h"
#include "agent/spans/span_thread.h"
#include "base/clock.h"
#include "base/units.h"
#include "recover/leftovers.h"

namespace rec::agent {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kCommandLimitNs = 30 * kSecondNs;  // what a front end waits for the disk
constexpr int64_t kLookLimitNs = 5 * kSecondNs;      // what a look at a name waits for the disk; then the stop does
constexpr int64_t kExitLimitNs = 5 * kSecondNs;      // what the end of the JVM waits for the disk

constexpr const char* kGoesOn = "; the recording goes on";

Answer refused(AgentCommand command, std::string why) {
  Answer answer;
  answer.command = command;
  answer.error = std::move(why);
  return answer;
}

std::string recorded(const Answer& answer) { return "recorded " + answer.filename + ": " + answer.samples_text(); }

// "cpu 10ms, wall 50ms, safepoint 10ms"
std::string what_runs(const std::string& clocks, const Options& options) {
  std::string text = clocks == "none" ? "no clock runs" : clocks;
  const auto add = [&text](const char* what, int64_t ns) {
    if (ns != 0) text += ", " + std::string(what) + " " + base::duration_text(ns);
  };
  add("safepoint", options.safepoint_ns);
  add("threaddump", options.thread_dump_ns);
  add("statistics", options.statistics_ns == kDefaultStatisticsNs ? 0 : options.statistics_ns);
  return text;
}

void say_that_disk_holds_us() {
  say(LogLevel::kWarn, "the JVM ends while the disk does not answer; 'jrec recover " + std::to_string(getpid()) +
                           "' finishes the recording");
}

}  // namespace

Control::Control(JavaVM* java_vm, jvmtiEnv* jvmti, OnClassPrepared on_prepared, OnMirrorFreed on_freed,
                 const HookListeners& listeners)
    : on_prepared_(on_prepared), on_freed_(on_freed), listeners_(listeners) {
  session_.java_vm = java_vm;
  session_.jvmti = jvmti;
}

Answer Control::carry_out(JNIEnv* jni, const Options& options) {
  std::unique_lock<std::timed_mutex> lock(mutex_, std::chrono::nanoseconds(kCommandLimitNs));
  if (!lock.owns_lock()) return refused(options.command, "another command is under way");
  Answer answer = locked(jni, options);
  answer.command = options.command;
  return answer;
}

Answer Control::locked(JNIEnv* jni, const Options& options) {
  std::erase_if(retired_, [](const auto& recording) { return recording->over(); });
  for (const std::string& line : unfilled_in(options.filename, this_process())) say(LogLevel::kWarn, line);
  switch (options.command) {
    case AgentCommand::kStart: return start(jni, options);
    case AgentCommand::kStop: return stop(jni, options);
    case AgentCommand::kDump: return dump(options);
    case AgentCommand::kSet: return set(jni, options);
    case AgentCommand::kThreads: return dump_threads(jni, options);
    default: return status(options);
  }
}

Answer Control::start(JNIEnv* jni, const Options& options) {
  if (recording_) return start_beside(jni, options);
  if (delayed_) return refused(options.command, "a recording is to start soon");
  if (!retired_.empty())
    return refused(options.command, "the recording before, " + retired_.back()->filename() +
                                        ", still waits for a disk that does not answer");
  return options.delay_ns == 0 ? start_now(jni, options) : start_later(options);
}

Answer Control::start_now(JNIEnv* jni, const Options& options) {
  if (const std::string why = session_.open(jni); !why.empty()) return refused(options.command, "this VM " + why);
  session_.look_again();
  tell_span_threads(session_);
  open_java_spans();
  set_log_level(options.log_level);
  recording_ = std::make_unique<ActiveRecording>(session_, safepoints_, wall_requests_, options, listeners_);
  slot_.set(recording_.get());
  enable_thread_starts(true);
  for (const jvmtiEvent end : {JVMTI_EVENT_THREAD_END, kBoundThreadEnd})
    enable(end, true);  // for good: records of threads must not outlive them
  if (Status started = recording_->start(jni); !started.ok()) {
    retire(jni, std::move(recording_));
    return refused(options.command, started.error().what);
  }
  enable_events(true);
  recording_->watch_classes(jni, on_prepared_, on_freed_);
  list_.add({list_.next_id(), recording_->records(), recording_->target(), base::now_ticks()});
  recording_->set_end(list_.first_end_ticks());
  housekeeper_.start([this](Housekeeper::Pause& pause) { keep_house(pause); });
  interval_dumps_.start(options.thread_dump_ns);
  Answer answer = status_of(list_.oldest());
  answer.note = "recording to " + answer.filename + ", clocks " + answer.clock;
  return answer;
}

Answer Control::start_beside(JNIEnv* jni, const Options& options) {
  if (!options.name_given || list_.named(options.name) != nullptr)
    return refused(options.command, "a recording is under way (" + list_.text() +
                                        "); another one beside it needs a name of its own (name=)");
  if (options.delay_ns != 0) return refused(options.command, "a recording beside another one has no delay");
  std::vector<Options> asked = list_.wishes();
  asked.push_back(options);
  const ListedRecording recording{list_.next_id(), options, target_of(options), base::now_ticks()};
  Status begun = record_finest(jni, asked);
  if (begun) begun = recording_->begin(recording, kCommandLimitNs);
  if (!begun) {
    (void)record_finest(jni, list_.wishes());
    return refused(options.command, begun.error().what);
  }
  list_.add(recording);
  recording_->set_end(list_.first_end_ticks());
  Answer answer = status_of(recording);
  answer.note = "recording to " + answer.filename + " beside " + std::to_string(list_.size() - 1) + " more, clocks " +
                answer.clock;
  return answer;
}

// What all of these want, and nothing else.
Status Control::record_finest(JNIEnv* jni, const std::vector<Options>& asked) {
  const Options before = recording_->records(), wanted = with_finest(before, asked);
  if (wanted == before) return base::Done{};
  if (Status changed = recording_->change(jni, wanted, kCommandLimitNs); !changed) return changed;
  if (before.thread_dump_ns == wanted.thread_dump_ns) return base::Done{};
  interval_dumps_.stop();
  interval_dumps_.start(wanted.thread_dump_ns);
  return base::Done{};
}

Answer Control::start_later(const Options& options) {
  delayed_ = true;
  housekeeper_.start([this, options](Housekeeper::Pause& pause) { start_after_delay(pause, options); });
  Answer answer;
  answer.note = "the recording starts in " + base::duration_text(options.delay_ns);
  return answer;
}

void Control::start_after_delay(Housekeeper::Pause& pause, const Options& options) {
  if (!pause.wait_for(options.delay_ns)) return;
  const AttachedThread attached(session_.java_vm);
  const std::lock_guard<std::timed_mutex> lock(mutex_);
  if (!delayed_ || attached.jni() == nullptr) return;
  delayed_ = false;
  const Answer answer = start_now(attached.jni(), options);
  if (!answer.ok()) say(LogLevel::kError, answer.error + ". The application runs unrecorded.");
}

Answer Control::stop(JNIEnv* jni, const Options& options) {
  if (delayed_) {
    delayed_ = false;
    housekeeper_.stop();
    Answer answer;
    answer.note = "the recording that was to start does not start";
    return answer;
  }
  const Result<ListedRecording*> meant = list_.meant(options);
  if (!meant) return refused(options.command, meant.error().what);
  const ListedRecording recording = **meant;
  const RecordingTarget target = target_in(options, recording);
  if (options.filename_given)
    if (const Status usable = recording_->may_go_to(recording.id, target, kLookLimitNs);
        !usable.ok() && usable.error().code != base::ErrorCode::kLimit)
      return refused(options.command, usable.error().what + kGoesOn);
  return stop_one(jni, recording, target);
}

Answer Control::stop_one(JNIEnv* jni, const ListedRecording& recording, const RecordingTarget& target) {
  if (!list_.several()) return stop_all(jni, target, kCommandLimitNs);
  EngineStatus ended;
  const Status done = recording_->end(recording.id, target, ended, kCommandLimitNs);
  Answer answer = status_of(recording);
  answer.recording = false;
  answer.filename = ended.recording.empty() ? target.filename : ended.recording;
  answer.samples = ended.samples, answer.lost = ended.lost;
  answer.chunks = ended.chunks, answer.bytes = ended.bytes;
  answer.note = recorded(answer);
  if (!done.ok()) answer.error = done.error().what;
  if (!done.ok() && recording_->goes_on(recording.id)) return answer.error += kGoesOn, answer;
  list_.remove(recording.id);
  recording_->set_end(list_.first_end_ticks());
  if (const Status fewer = record_finest(jni, list_.wishes()); !fewer) say(LogLevel::kWarn, fewer.error().what);
  return answer;
}

Answer Control::stop_all(JNIEnv* jni, const RecordingTarget& target, int64_t limit_ns) {
  interval_dumps_.stop();
  housekeeper_.stop();
  const Status stopped = recording_->stop(jni, limit_ns, target);
  Answer answer = status_of(list_.oldest());
  answer.filename = recording_->written_to(list_.oldest());
  answer.note = recorded(answer);
  if (!stopped.ok()) answer.error = stopped.error().what;
  list_.clear();
  if (jni != nullptr) retire(jni, std::move(recording_));  // else the VM is ending, and there is no need
  return answer;
}

// A callback that did not leave, or a recorder thread that waits for a disk, may still use it.
void Control::retire(JNIEnv* jni, std::unique_ptr<ActiveRecording> recording) {
  enable_events(false);
  if (!slot_.clear_and_wait()) return (void)recording.release();
  recording->unwatch_classes(jni);
  if (!recording->over()) retired_.push_back(std::move(recording));
}

// The command's own, or the recording's. A ring replaces what is in the ring; overwrite=true holds for every name.
RecordingTarget Control::target_in(const Options& options, const ListedRecording& recording) {
  RecordingTarget target = options.filename_given ? target_of(options) : recording.target;
  target.overwrite = target.overwrite || options.overwrite || recording.options.overwrite;
  return target;
}

Answer Control::dump(const Options& options) {
  const Result<ListedRecording*> meant = list_.meant(options);
  if (!meant) return refused(options.command, meant.error().what);
  const ListedRecording& recording = **meant;
  const Status dumped = recording_->dump(recording.id, target_in(options, recording), kCommandLimitNs);
  if (!dumped.ok()) return refused(options.command, dumped.error().what);
  Answer answer = status_of(recording);
  answer.filename = recording_->written_to(recording);
  answer.note = "wrote the recording so far to " + answer.filename;
  return answer;
}

Answer Control::set(JNIEnv* jni, const Options& options) {
  const Result<ListedRecording*> meant = list_.meant(options);
  if (!meant) return refused(options.command, meant.error().what);
  Options& own = (*meant)->options;
  const Options before = own;
  own = with_changes(own, options);
  if (const Status changed = record_finest(jni, list_.wishes()); !changed) {
    own = before;
    return refused(options.command, changed.error().what + "; nothing is changed");
  }
  Answer answer = status_of(**meant);
  answer.note = what_runs(answer.clocks, recording_->records());
  return answer;
}

Answer Control::status_of(const ListedRecording& recording) const {
  Answer answer;
  recording_->describe(recording, answer);
  answer.recordings = list_.size();
  return answer;
}

Answer Control::status(const Options& options) {
  Answer answer;
  if (delayed_) answer.note = "a recording is to start soon";
  if (list_.empty()) return answer;
  if (list_.several() && !options.name_given) {
    answer = status_of(list_.oldest());
    answer.note = std::to_string(list_.size()) + " recordings: " + list_.text() + "; clocks " + answer.clock;
    return answer;
  }
  const Result<ListedRecording*> meant = list_.meant(options);
  return meant ? status_of(**meant) : refused(options.command, meant.error().what);
}

Answer Control::dump_threads(JNIEnv* jni, const Options& options) {
  if (const std::string why = session_.open(jni); !why.empty()) return refused(options.command, "this VM " + why);
  return thread_dumps_.write(jni, options);
}

// Each kTendNs, and when the recording's duration is over. First of all what dead processes have left.
void Control::keep_house(Housekeeper::Pause& pause) {
  LeftoverPlaces places;
  {
    const RecordingInUse recording(slot_);
    if (!recording) return;
    places.repository = recording->repository();
    places.filename = recording->filename();
    places.may_be_ours = [pattern = recording->options().filename](const std::string& name) {
      return may_come_of(pattern, name, this_process());
    };
  }
  recover_leftovers(places, say_from_recorder);
  for (;;) {
    int64_t left = 0;
    {
      const RecordingInUse recording(slot_);
      if (!recording) return;
      recording->tend();
      left = recording->time_left();
    }
    if (left <= 0) stop_overdue();
    if (!pause.wait_for(left <= 0 ? ActiveRecording::kTendNs : std::min(left, ActiveRecording::kTendNs))) return;
  }
}

// The recorder has said what went wrong, if anything did.
void Control::stop_overdue() {
  const AttachedThread attached(session_.java_vm);
  std::unique_lock<std::timed_mutex> lock(mutex_, std::chrono::nanoseconds(kCommandLimitNs));
  if (attached.jni() == nullptr || !lock.owns_lock()) return;
  while (const ListedRecording* const overdue = list_.overdue(base::now_ticks())) {
    const ListedRecording recording = *overdue;
    if (!stop_one(attached.jni(), recording, recording.target).ok()) return;
  }
}

void Control::vm_death(JNIEnv* jni) {
  std::unique_lock<std::timed_mutex> lock(mutex_, std::chrono::nanoseconds(kExitLimitNs));
  if (!lock.owns_lock()) return say_that_disk_holds_us();
  if (!recording_) return;
  recording_->shutting_down(jni);
  (void)stop_all(nullptr, list_.oldest().target, kExitLimitNs);
  if (!recording_->over()) say_that_disk_holds_us();
}

void Control::enable(jvmtiEvent event, bool on) {
  session_.jvmti->SetEventNotificationMode(on ? JVMTI_ENABLE : JVMTI_DISABLE, event, nullptr);
}

void Control::enable_thread_starts(bool on) {
  for (const jvmtiEvent start : {JVMTI_EVENT_THREAD_START, kBoundThreadStart}) enable(start, on);
}

void Control::enable_events(bool on) {
  enable_thread_starts(on);
  enable(JVMTI_EVENT_GARBAGE_COLLECTION_START, on);
  enable(JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, on);
}

}  // namespace rec::agent
