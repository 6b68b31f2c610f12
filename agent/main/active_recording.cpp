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
constexpr uint32_t kTendsASecond = base::kSecond_ns / ActiveRecording::kTendNs;

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
  const CarrierFrames carrier = options_.carrier_frames ? CarrierFrames::kShown : CarrierFrames::kHidden;
  if (!session_.sampler.configure(options_.stack_depth, carrier)) return refused("there is no memory for the walks");
  if (Status started = start_clocks(jni); !started.ok()) return started;
  if (Status started = start_engine(); !started.ok()) return stop_clocks(jni), started;
  started_ticks_ = base::now_ticks();
  if (options_.statistics_ns != 0 || options_.blackbox_ns != 0) sources_.open();
  statistics_.open(options_.statistics_ns);
  black_box_.open(options_.blackbox_ns);
  // release: pairs with the acquire in running(); engine and clock are there for callbacks.
  running_.store(true, std::memory_order_release);
  add_present_threads(jni);
  cpu_.all_java_present();
  watch_safepoints(jni);
  say(LogLevel::kInfo, "recording to " + target_.filename);
  return base::Done{};
}

// The wall clock takes what a thread does while it runs from the clock of CPU time, by its own interval if it is alone.
Options ActiveRecording::clock_options(Options options) {
  if (options.samples_cpu() || !options.samples_wall()) return options;
  options.period_ns = options.wall_ns;
  options.sampled_threads = SampledThreads::kJava;
  return options;
}

// A clock that cannot run leaves the others alone.
Status ActiveRecording::start_clocks(JNIEnv* jni) {
  std::string running, error;
  session_.sampler.set_output(options_.samples_cpu(), options_.samples_wall() ? options_.wall_ns : 0);
  for (const Wish& wish : clocks_) {
    if (!wish.wanted) continue;
    const Status started = wish.clock->start(jni, wish.interval);
    if (started.ok())
      running += (running.empty() ? "" : ", ") + wish.clock->status().what;
    else
      error += (error.empty() ? "" : "; ") + std::string(wish.clock->name()) + " " + started.error().what;
  }
  if (running.empty()) return refused(std::move(error));
  if (!error.empty()) say(LogLevel::kWarn, error);
  say(LogLevel::kInfo, "clock: " + running);
  return base::Done{};
}

Status ActiveRecording::start_engine() {
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
  config.sample_period_ns = options_.samples_cpu() ? cpu_.choose().period_ns : options_.period_ns;
  config.sample_event = options_.sample_event;
  if (options_.samples_live()) config.heir = &live_, config.live_slots = kLiveSlots;
  config.copy = safe_copy;
  config.on_chunk = options_.on_chunk;
  config.faulted_loads = faulted_loads;
  config.log = say_from_recorder;
  config.thread_started = begin_recorder_thread;
  auto engine = Engine::start(std::move(config), read_process_facts(session_.jvmti, settings()));
  if (!engine.ok()) return engine.error();
  engine_ = std::move(engine.value());
  return base::Done{};
}

void ActiveRecording::stop_clocks(JNIEnv* jni) {
  for (const Wish& wish : clocks_) wish.clock->stop(jni);
}

std::vector<EventSetting> ActiveRecording::settings() {
  using jfr::TypeId;
  std::vector<EventSetting> all;
  const bool cpu_time = options_.sample_event == SampleEvent::kCpuTimeSample;
  const TypeId sample = cpu_time ? TypeId::kCpuTimeSample : TypeId::kExecutionSample;
  if (options_.samples_cpu()) {
    all.push_back({sample, "enabled", "true"});
    all.push_back({sample, "period", period_text(cpu_.choose().period_ns)});
    all.push_back({sample, "clock", cpu_.choose().name()});
  }
  if (options_.samples_alloc()) {
    all.push_back({TypeId::kObjectAllocationSample, "enabled", "true"});
    all.push_back({TypeId::kObjectAllocationSample, "interval", std::to_string(options_.alloc_bytes)});
  }
  if (options_.samples_wall()) {
    all.push_back({TypeId::kWallClockSample, "enabled", "true"});
    all.push_back({TypeId::kWallClockSample, "period", period_text(options_.wall_ns)});
  }
  if (options_.samples_live()) {
    all.push_back({TypeId::kOldObjectSample, "enabled", "true"});
    all.push_back({TypeId::kOldObjectSample, "interval", std::to_string(options_.live_bytes)});
  }
  if (options_.records_locks())
    for (const TypeId type : {TypeId::kJavaMonitorEnter, TypeId::kJavaMonitorWait, TypeId::kThreadPark}) {
      all.push_back({type, "enabled", "true"});
      all.push_back({type, "threshold", std::to_string(options_.lock_ns) + " ns"});
    }
  if (options_.safepoint_ns != 0) add_safepoint_settings(all);
  return all;
}

// Of rec's own events; a late thread's are those of its safepoint.
void ActiveRecording::add_safepoint_settings(std::vector<EventSetting>& all) const {
  using jfr::TypeId;
  for (const TypeId type : {TypeId::kRecTimeToSafepoint, TypeId::kRecSafepointStop, TypeId::kRecGcLockerStall}) {
    all.push_back({type, "enabled", "true"});
    all.push_back({type, "threshold", period_text(options_.safepoint_ns)});
  }
  SafepointSettings settings;
  settings.threshold_ns = options_.safepoint_ns;
  settings.poll_ns = options_.safepoint_poll_ns;
  settings.waits_ns = options_.safepoint_waits_ns;
  settings = settings.with_defaults();
  std::string waits;
  for (const int64_t wait : settings.waits_ns) waits += (waits.empty() ? "" : ", ") + period_text(wait);
  all.push_back({TypeId::kRecTimeToSafepoint, "period", period_text(settings.poll_ns)});
  all.push_back({TypeId::kRecLateStack, "enabled", "true"});
  all.push_back({TypeId::kRecLateStack, "waits", waits});
  all.push_back({TypeId::kRecLateStack, "period", period_text(options_.safepoint_interval_ns)});
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
    if (ThreadRecord* record = session_.java_threads.add(jni, present[i], session_.threads)) {
      cpu_.thread_present(*record, CountFrom::kNow);
      wall_.thread_present(*record);
    }
    jni->DeleteLocalRef(present[i]);
  }
  session_.jvmti->Deallocate(reinterpret_cast<unsigned char*>(present));
}

void ActiveRecording::watch_safepoints(JNIEnv* jni) {
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
  jthread thread = nullptr;
  if (settings.threshold_ns == 0 || session_.jvmti->GetCurrentThread(&thread) != JVMTI_ERROR_NONE) return;
  safepoints_.start(settings, jni, session_.java_threads.java_thread(jni, thread));
  jni->DeleteLocalRef(thread);
}

Status ActiveRecording::stop(JNIEnv* jni, int64_t limit_ns, const RecordingTarget& target) {
  // acq_rel: pairs with the acquire in running(), and with the release in start(): one stop does the work.
  if (!running_.exchange(false, std::memory_order_acq_rel)) return base::Done{};
  safepoints_.stop();
  statistics_.last_look();
  black_box_.last_look();
  stop_clocks(jni);
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
  live_.write();
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
  for (const Wish& wish : clocks_) {
    const ClockStatus clock = wish.clock->status();
    const bool has_run = clock.running || clock.interval != 0;  // one that was refused has not
    if (wish.wanted && has_run) answer.clock += (answer.clock.empty() ? "" : ", ") + clock.what;
  }
  answer.trouble = cpu_.without_signal() ? "no signal is free for the clock" : status.trouble;
  answer.interval_ns = cpu_.status().interval;
  const ClockFigures figures = cpu_.figures();
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
  for (const Wish& wish : clocks_) wish.clock->tend();
  statistics_.tend();
  black_box_.tend();
  if (tends_++ % kTendsASecond != 0) return;
  session_.vm.modules.refresh();
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
  cpu_.thread_present(*record, CountFrom::kBirth);
  wall_.thread_present(*record);
}

void ActiveRecording::thread_ended(ThreadRecord& record) {
  wall_.thread_ended(record);
  cpu_.thread_ended(record);
  if (running()) commit_thread_event(EventKind::kThreadEnd, record);
}

void ActiveRecording::commit_thread_event(EventKind kind, ThreadRecord& thread) {
  const EpochPin pin;
  if (!pin) return;
  Event event;
  event.kind = kind;
  event.ticks = base::now_ticks();
  event.thread = own_fact(*pin, thread);
  pin->commit(event);
}

void ActiveRecording::object_sampled(JNIEnv* jni, jobject object, jclass mirror, jlong size) {
  if (!running()) return;
  alloc_.sampled(mirror, size);
  live_.sampled(jni, object, mirror, size);
}

void ActiveRecording::collection_started() {
  collection_start_.store(base::now_ticks(), std::memory_order_relaxed);
  statistics_.collection(collections_.load(std::memory_order_relaxed) + 1, HeapLook::kBeforeCollection);
}

void ActiveRecording::collection_finished() {
  live_.collection_finished();
  const int64_t start = collection_start_.load(std::memory_order_relaxed);
  if (start == 0) return;
  const uint32_t number = collections_.fetch_add(1, std::memory_order_relaxed) + 1;
  statistics_.collection(number, HeapLook::kAfterCollection);
  const EpochPin pin;
  if (!pin) return;
  Event event;
  event.kind = EventKind::kGc;
  event.ticks = start;
  event.value = static_cast<uint64_t>(base::now_ticks() - start);
  event.extra = number;
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
