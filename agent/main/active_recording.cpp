// SPDX-License-Identifier: Apache-2.0
#include "agent/main/active_recording.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "agent/hotspot/vm/local_refs.h"
#include "agent/hotspot/x86_64/fault_handler.h"
#include "agent/hotspot/x86_64/safe_copy.h"
#include "agent/main/process_facts.h"
#include "agent/options/filename.h"
#include "agent/options/log.h"
#include "agent/process/memory.h"
#include "agent/process/own_thread.h"
#include "base/clock.h"
#include "base/units.h"

namespace rec::agent {
namespace {

constexpr int64_t kUnloadBurstNs = 100'000'000;

void begin_recorder_thread() {
  block_all_but_faults();
  wait_for_memory();
}

// Several JVMs may be given one repository: each has a directory of its own in it, named as JFR does.
std::string own_repository(const std::string& repository) {
  return expand_filename(repository + "/%t_%p", this_process());
}

Error refused(std::string what) { return Error{base::ErrorCode::kSystem, 0, std::move(what), 0}; }

}  // namespace

RecordingTarget target_of(const Options& options) {
  return {absolute_path(expand_filename(options.filename, this_process())),
          options.overwrite || has_ring(options.filename)};
}

Status ActiveRecording::start(JNIEnv* jni) {
  const ClockChoice choice = choose_clock(options_);
  const CarrierFrames carrier = options_.carrier_frames ? CarrierFrames::kShown : CarrierFrames::kHidden;
  if (!session_.sampler.configure(options_.stack_depth, choice, carrier))
    return refused("there is no memory for the walks");
  if (!session_.sampler.signal().take()) return refused("no signal is free for the clock");
  if (Status started = start_engine(choice); !started.ok()) return started;
  clocks_.open(choice);
  started_ticks_ = base::now_ticks();
  // release: pairs with the acquire in running(); engine and clock are there for callbacks.
  running_.store(true, std::memory_order_release);
  add_present_threads(jni);
  watch_safepoints();
  say_which_clock(choice);
  return base::Done{};
}

void ActiveRecording::say_which_clock(const ClockChoice& choice) const {
  say(LogLevel::kInfo, "recording to " + target_.filename + ", clock: " + choice.name());
  const std::string period = base::duration_text(choice.period_ns);
  if (!choice.why.empty()) say(LogLevel::kWarn, "samples are " + period + " of CPU time apart: " + choice.why);
  if (options_.event == SampledEvent::kItimer && !choice.uses_perf)
    say(LogLevel::kWarn, "event=itimer: each thread has a timer of its own, not one of the process");
}

Status ActiveRecording::start_engine(const ClockChoice& choice) {
  target_ = target_of(options_);
  repository_ = options_.repository.empty() ? default_repository(target_.filename)
                                            : absolute_path(own_repository(options_.repository));
  EngineConfig config;
  config.filename = target_.filename;
  config.overwrite = target_.overwrite;
  config.repository = repository_;
  config.name = options_.name;
  config.max_chunk_size = options_.max_chunk_size;
  config.max_chunk_age_ns = options_.max_chunk_age_ns;
  config.max_size = options_.max_size;
  config.max_age_ns = options_.max_age_ns;
  config.flush_interval_ns = options_.flush_interval_ns;
  config.sample_period_ns = choice.period_ns;
  config.sample_event = options_.sample_event;
  config.copy = safe_copy;
  config.on_chunk = options_.on_chunk;
  config.faulted_loads = faulted_loads;
  config.log = say_from_recorder;
  config.thread_started = begin_recorder_thread;
  auto engine = Engine::start(std::move(config), read_process_facts(session_.jvmti, choice));
  if (!engine.ok()) return engine.error();
  engine_ = std::move(engine.value());
  return base::Done{};
}

void ActiveRecording::watch_classes(JNIEnv* jni, OnClassPrepared on_prepared, OnMirrorFreed on_freed) {
  if (class_watch_.open(session_.java_vm, on_prepared, on_freed)) class_watch_.tag_present(jni);
}

// Threads that an earlier recording knew are known still; their tags are that one's.
void ActiveRecording::add_present_threads(JNIEnv* jni) {
  jint count = 0;
  jthread* present = nullptr;
  if (session_.jvmti->GetAllThreads(&count, &present) != JVMTI_ERROR_NONE) return;
  expect_local_refs(jni, count);
  for (jint i = 0; i < count; ++i) {
    if (ThreadRecord* record = session_.java_threads.add(jni, present[i], session_.threads))
      clocks_.start(*record, CountFrom::kNow);
    jni->DeleteLocalRef(present[i]);
  }
  session_.jvmti->Deallocate(reinterpret_cast<unsigned char*>(present));
}

void ActiveRecording::watch_safepoints() {
  SafepointSettings settings;
  settings.threshold_ns = options_.safepoint_ns;
  settings.poll_ns = options_.safepoint_poll_ns;
  settings.waits_ns = options_.safepoint_waits_ns;
  settings.interval_ns = options_.safepoint_interval_ns;
  if (!options_.safepoint_log.empty())
    settings.log = options_.safepoint_log == "stderr"
                       ? options_.safepoint_log
                       : absolute_path(expand_filename(options_.safepoint_log, this_process()));
  settings.stack_depth = options_.stack_depth;
  safepoints_.start(settings);
}

Status ActiveRecording::stop(int64_t limit_ns, const RecordingTarget& target) {
  // acq_rel: pairs with the acquire in running(), and with the release in start(): one stop does the work.
  if (!running_.exchange(false, std::memory_order_acq_rel)) return base::Done{};
  safepoints_.stop();
  clocks_.stop();
  say_how_walks_ended();
  return engine_->stop(limit_ns, target);
}

void ActiveRecording::say_how_walks_ended() const {
  std::string ends;
  for (size_t i = 0; i < static_cast<size_t>(WalkEnd::kCount); ++i) {
    char text[64];
    std::snprintf(text, sizeof text, " %s=%llu", walk_end_name(static_cast<WalkEnd>(i)),
                  static_cast<unsigned long long>(session_.sampler.walks_ended(static_cast<WalkEnd>(i))));
    ends += text;
  }
  say(LogLevel::kInfo, "walks ended:" + ends);
}

Status ActiveRecording::dump(const RecordingTarget& target, int64_t limit_ns) {
  return engine_->dump(target, limit_ns);
}

std::string ActiveRecording::written_to() const {
  const std::string written = engine_->status().recording;
  return written.empty() ? target_.filename : written;
}

void ActiveRecording::describe(Answer& answer) {
  const EngineStatus status = engine_->status();
  answer.recording = running();
  answer.filename = target_.filename;
  answer.repository = status.repository;
  answer.clock = clocks_.choice().name();
  answer.trouble = clocks_.without_signal() ? "no signal is free for the clock" : status.trouble;
  answer.interval_ns = clocks_.choice().period_ns;
  const ClockFigures figures = clocks_.figures();
  answer.ticks_a_second = static_cast<uint64_t>(figures.ticks_a_second() + 0.5);
  answer.handler_ns = figures.handler_ns();
  answer.duration_ns = base::now_ticks() - started_ticks_;
  answer.samples = status.samples;
  answer.lost = status.lost;
  answer.chunks = status.chunks;
  answer.bytes = status.bytes;
}

int64_t ActiveRecording::time_left() const {
  return options_.duration_ns == 0 ? INT64_MAX : started_ticks_ + options_.duration_ns - base::now_ticks();
}

void ActiveRecording::tend() {
  session_.vm.modules.refresh();
  clocks_.tend();
  keep_fault_handler();
}

void ActiveRecording::keep_fault_handler() {
  if (!fault_handler_ready() && fault_handler_lost() && !std::exchange(said_lost_, true))
    say(LogLevel::kWarn, "somebody keeps taking SIGSEGV over: stacks are not walked any more");
  const uint32_t returns = fault_handler_returns();
  if (std::exchange(returns_, returns) != returns)
    say(LogLevel::kWarn, "somebody took over SIGSEGV; rec stands in front of him now, and passes on what is his");
}

void ActiveRecording::thread_started(JNIEnv* jni, jthread thread) {
  if (!running()) return;
  ThreadRecord* record = session_.java_threads.add(jni, thread, session_.threads);
  if (record == nullptr) return;
  commit_thread_event(EventKind::kThreadStart, *record);
  clocks_.start(*record, CountFrom::kBirth);
}

void ActiveRecording::thread_ended(ThreadRecord& record) {
  clocks_.thread_ended(record);
  if (running()) commit_thread_event(EventKind::kThreadEnd, record);
}

void ActiveRecording::commit_thread_event(EventKind kind, ThreadRecord& thread) {
  const EpochPin pin;
  if (!pin) return;
  Event event;
  event.kind = kind;
  event.ticks = base::now_ticks();
  event.thread = pin->find_thread(thread.tag);
  if (!event.thread) event.thread = pin->tag_thread(thread.tag, shape_of(thread, 0));
  pin->commit(event);
}

void ActiveRecording::collection_started() { collection_start_.store(base::now_ticks(), std::memory_order_relaxed); }

void ActiveRecording::collection_finished() {
  const int64_t start = collection_start_.load(std::memory_order_relaxed);
  const EpochPin pin;
  if (!pin || start == 0) return;
  Event event;
  event.kind = EventKind::kGc;
  event.ticks = start;
  event.value = static_cast<uint64_t>(base::now_ticks() - start);
  event.extra = collections_.fetch_add(1, std::memory_order_relaxed) + 1;
  pin->commit(event);
}

void ActiveRecording::class_prepared(jclass mirror) {
  if (running()) class_watch_.class_prepared(mirror);
}

// Classes go in bursts, at a collection: the first of them asks for a flush, the others are in it or in the next.
void ActiveRecording::mirror_freed(jlong tag) {
  if (!class_watch_.mirror_freed(tag) || !running()) return;
  int64_t last = unload_flush_.load(std::memory_order_relaxed);
  const int64_t now = base::now_ticks();
  if (now - last > kUnloadBurstNs && unload_flush_.compare_exchange_strong(last, now, std::memory_order_relaxed))
    engine_->flush();
}

// The thread that ends the VM may be one that never started as a Java thread ("DestroyJavaVM").
void ActiveRecording::shutting_down(JNIEnv* jni) {
  jthread thread = nullptr;
  if (!running() || session_.jvmti->GetCurrentThread(&thread) != JVMTI_ERROR_NONE) return;
  ThreadRecord* record = session_.java_threads.add(jni, thread, session_.threads);
  if (record != nullptr) commit_thread_event(EventKind::kShutdown, *record);
}

}  // namespace rec::agent
