// SPDX-License-Identifier: Apache-2.0
#include "agent/main/active_recording.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/processor/safe_copy.h"
#include "agent/hotspot/vm/java_thread_list.h"
#include "agent/hotspot/vm/local_refs.h"
#include "agent/hotspot/vm/vm_flags.h"
#include "agent/main/event_settings.h"
#include "agent/main/process_facts.h"
#include "agent/options/changes.h"
#include "agent/options/filename.h"
#include "agent/options/log.h"
#include "agent/process/memory.h"
#include "agent/process/own_thread.h"
#include "agent/spans/java_spans.h"
#include "agent/spans/span_events.h"
#include "base/clock.h"
#include "base/units.h"

namespace rec::agent {
namespace {

constexpr uint32_t kTendsOfSecond = base::kSecond_ns / ActiveRecording::kTendNs;

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
  const NativeFrames native = options_.native_frames ? NativeFrames::kShown : NativeFrames::kHidden;
  if (!session_.sampler.configure(options_.stack_depth, {carrier, native}, options_.vm_above_events))
    return refused("there is no memory for the walks");
  if (Status started = start_clocks(jni); !started.ok()) return started;
  open_contexts();
  collection_words_.open();  // before the engine, whose pins are what a collection asks for first
  sources_.open();           // likewise: its first chunk says what they tell
  if (Status started = start_engine(); !started.ok()) return stop_clocks(jni), close_contexts(), started;
  statistics_.open(options_.statistics_ns);
  black_box_.open(options_.blackbox_ns);
  // release: pairs with the acquire in running(); engine and clock are there for callbacks.
  running_.store(true, std::memory_order_release);
  add_present_threads(jni);
  cpu_.all_java_present(false);
  // release: pairs with the acquires of those who ask: the threads are known.
  session_.takes_events.store(true, std::memory_order_release);
  watch_safepoints(jni);
  say(LogLevel::kInfo, "recording to " + target_.filename);
  return base::Done{};
}

// As long as samples may be written: before the engine, and until it has stopped.
void ActiveRecording::open_contexts() {
  if (options_.context == ContextKind::kOff) return;
  session_.sampler.contexts().open(options_.context == ContextKind::kOtel);
  span_events().open(session_, options_.spans_ns);
}

void ActiveRecording::close_contexts() {
  const std::lock_guard<std::mutex> lock(tending_);
  session_.sampler.contexts().close();
  span_events().close();
}

// The wall clock takes what a thread does while it runs from the clock of CPU time, by its own interval if it is alone.
std::array<ActiveRecording::Wish, ActiveRecording::kClocks> ActiveRecording::wishes(const Options& options) const {
  std::array<Wish, kClocks> all;
  for (size_t i = 0; i < kClocks; ++i) {
    const ClockWish wish = clock_wish(options, clocks_[i].setting);
    all[i] = {clocks_[i].setting, clocks_[i].clock, wish.named, wish.named, wish.interval};
  }
  if (Wish& cpu = all.front(); !cpu.asked) {
    cpu.wanted = options.samples_wall() && !cpu_refused_;
    cpu.interval = options.wall_ns;
  }
  return all;
}

SampledThreads ActiveRecording::sampled_threads(const Options& options) const {
  return options.samples_cpu() ? options_.sampled_threads : SampledThreads::kJava;
}

// A clock that cannot run leaves the others alone.
Status ActiveRecording::start_clocks(JNIEnv* jni) {
  std::string error;
  bool any_wanted = false, any_runs = false;
  cpu_.sample_threads(sampled_threads(now_));
  session_.sampler.set_output(now_.samples_cpu(), now_.samples_wall() ? now_.wall_ns : 0);
  for (const Wish& wish : wishes(now_)) {
    if (!wish.wanted) continue;
    any_wanted = true;
    const Status started = wish.clock->start(jni, wish.interval);
    any_runs = any_runs || started.ok();
    if (started.ok()) continue;
    error += (error.empty() ? "" : "; ") + std::string(wish.clock->name()) + " " + started.error().what;
    if (wish.setting == Setting::kCpu) cpu_refused_ = true;
    now_.set_named(wish.setting);
    set_clock_wish(now_, wish.setting, {});
  }
  if (any_wanted && !any_runs) return refused(std::move(error));
  if (!error.empty()) say(LogLevel::kWarn, error);
  say_without_effect();
  say(LogLevel::kInfo, "clocks: " + clocks_text(ClockText::kShort));
  return base::Done{};
}

// Options of the clock of CPU time, where another clock is named and that one is not.
void ActiveRecording::say_without_effect() const {
  if (now_.samples_cpu() || options_.names(Setting::kCpu)) return;
  const auto say_of = [](const char* key) {
    say(LogLevel::kWarn,
        std::string(key) + " has no effect: other clocks are named, and cpu is not, so CPU time is not sampled");
  };
  if (options_.cpu_clock != CpuClockKind::kAuto) say_of("cpu-clock");
  if (options_.gives_interval(Setting::kCpu)) say_of("interval");
}

std::string ActiveRecording::clocks_text(ClockText length) {
  std::string text;
  for (const Wish& wish : wishes(now_)) {
    const ClockStatus clock = wish.clock->status();
    if (!wish.asked || (!clock.running && clock.interval == 0)) continue;
    text += (text.empty() ? "" : ", ") + std::string(wish.clock->name()) + " " + clock.text;
    if (length == ClockText::kLong && !clock.kind.empty()) text += " (" + clock.kind + ")";
  }
  return text.empty() ? "none" : text;
}

void ActiveRecording::describe_to_engine(const Options& options, const RecordingTarget& target,
                                         RecordingConfig& config) {
  config.filename = target.filename;
  config.overwrite = target.overwrite;
  config.repository = options.repository.empty() ? default_repository(target.filename)
                                                 : absolute_path(own_repository(options.repository));
  config.name = options.name;
  config.max_size = options.max_size;
  config.max_age_ns = options.max_age_ns;
  config.on_chunk = options.on_chunk;
}

Status ActiveRecording::start_engine() {
  EngineConfig config;
  target_ = target_of(options_);
  describe_to_engine(options_, target_, config);
  repository_ = config.repository;
  config.max_chunk_size = options_.max_chunk_size;
  config.max_chunk_age_ns = options_.max_chunk_age_ns;
  config.flush_interval_ns = options_.flush_interval_ns;
  ChunkSettings settings = this->settings();
  config.sample_period_ns = settings.sample_period_ns;
  config.sample_event = options_.sample_event;
  config.heir = &heirs_;
  config.live_slots = settings.live_slots;
  config.copy = safe_copy;
  config.faulted_loads = faulted_loads;
  config.log = say_from_recorder;
  config.thread_started = begin_recorder_thread;
  auto engine = Engine::start(std::move(config), read_process_facts(session_.jvmti, std::move(settings.events)));
  if (!engine.ok()) return engine.error();
  engine_ = std::move(engine.value());
  return base::Done{};
}

void ActiveRecording::stop_clocks(JNIEnv* jni) {
  for (const Wish& wish : wishes(now_)) wish.clock->stop(jni);
}

ChunkSettings ActiveRecording::settings() {
  const int64_t cpu_ns = wishes(now_)[0].interval;
  ChunkSettings settings;
  settings.events = event_settings(now_, now_.samples_cpu() ? cpu_.choose(cpu_ns) : ClockChoice{}, statistics_.types());
  settings.sample_period_ns = now_.samples_cpu() ? cpu_.choose(cpu_ns).period_ns : cpu_ns;
  settings.live_slots = now_.samples_live() ? kLiveSlots : 0;
  return settings;
}

void ActiveRecording::watch_classes(JNIEnv* jni, OnClassPrepared on_prepared, OnMirrorFreed on_freed) {
  if (!class_watch_.open(session_.java_vm, on_prepared, on_freed)) return;
  class_watch_.tag_present(jni, [&](jclass mirror) { link_java_spans(jni, session_.vm.layout, mirror); });
}

// Threads that an earlier recording knew are known still; their tags are that one's.
void ActiveRecording::add_present_threads(JNIEnv* jni) {
  jint count = 0;
  jthread* present = nullptr;
  if (session_.jvmti->GetAllThreads(&count, &present) != JVMTI_ERROR_NONE) return;
  expect_local_refs(jni, count);
  for (jint i = 0; i < count; ++i) {
    thread_present(session_.java_threads.add(jni, present[i], session_.threads));
    jni->DeleteLocalRef(present[i]);
  }
  session_.jvmti->Deallocate(reinterpret_cast<unsigned char*>(present));
  add_bound_threads();
  session_.sampler.make_room(session_.threads.most());
}

// Virtual threads that are threads of the system themselves: JVMTI does not list them.
void ActiveRecording::add_bound_threads() {
  const Layout& layout = session_.vm.layout;
  if (!knows_java_thread_list(layout) || has_continuations()) return;
  read_settled_list(layout, [&] {
    visit_java_threads(layout, [&](uint64_t java_thread) {
      thread_present(session_.java_threads.add_bound(java_thread, session_.threads));
    });
  });
}

// nullptr: it has gone.
void ActiveRecording::thread_present(ThreadRecord* record) {
  if (record == nullptr) return;
  cpu_.thread_present(*record, CountFrom::kNow);
  wall_.thread_present(*record);
}

void ActiveRecording::watch_safepoints(JNIEnv* jni) {
  SafepointSettings settings;
  settings.threshold_ns = now_.safepoint_ns;
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
  session_.takes_events.store(false, std::memory_order_relaxed);
  safepoints_.stop();
  {
    const std::lock_guard<std::mutex> lock(tending_);
    statistics_.last_look();
    black_box_.last_look();
    stop_clocks(jni);
  }
  say_how_walks_ended();
  const Status stopped = engine_->stop(limit_ns, target);
  close_contexts();
  return stopped;
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

Status ActiveRecording::begin(const ListedRecording& recording, int64_t limit_ns) {
  RecordingConfig config;
  config.id = recording.id;
  tell_what_was();
  describe_to_engine(recording.options, recording.target, config);
  return engine_->begin(std::move(config), limit_ns);
}

// Before a chunk that one recording has and another one has not: its time is told in it.
void ActiveRecording::tell_what_was() {
  wall_.tell_standing();
  const std::lock_guard<std::mutex> lock(tending_);
  cpu_.tell();
}

// Before the last chunk of a recording, or of a dump.
void ActiveRecording::write_what_goes_on() {
  live_.write();
  tell_what_was();
}

Status ActiveRecording::end(uint64_t id, const RecordingTarget& target, EngineStatus& ended, int64_t limit_ns) {
  write_what_goes_on();
  return engine_->end(id, target, &ended, limit_ns);
}

Status ActiveRecording::may_go_to(uint64_t id, const RecordingTarget& target, int64_t limit_ns) {
  return engine_->may_go_to(target, limit_ns, id);
}

Status ActiveRecording::dump(uint64_t id, const RecordingTarget& target, int64_t limit_ns) {
  write_what_goes_on();
  return engine_->dump(target, limit_ns, id);
}

std::string ActiveRecording::written_to(const ListedRecording& recording) const {
  const std::string written = engine_->status(recording.id).recording;
  return written.empty() ? recording.target.filename : written;
}

void ActiveRecording::describe(const ListedRecording& recording, Answer& answer) {
  const EngineStatus status = engine_->status(recording.id);
  answer.recording = running();
  answer.name = recording.options.name;
  answer.filename = recording.target.filename;
  answer.repository = status.repository;
  answer.clock = clocks_text(ClockText::kLong);
  answer.clocks = clocks_text(ClockText::kShort);
  answer.trouble = cpu_.without_signal() ? "no signal is free for the clock" : status.trouble;
  if (answer.trouble.empty()) answer.trouble = lock_.trouble();
  answer.interval_ns = cpu_.status().interval;
  const ClockFigures figures = cpu_.figures();
  answer.ticks_a_second = static_cast<uint64_t>(figures.ticks_a_second() + 0.5);
  answer.handler_ns = figures.handler_ns();
  answer.duration_ns = base::now_ticks() - recording.start_ticks;
  answer.samples = status.samples;
  answer.lost = status.lost;
  answer.chunks = status.chunks;
  answer.bytes = status.bytes;
}

int64_t ActiveRecording::time_left() const {
  const int64_t end = end_ticks_.load(std::memory_order_relaxed);
  return end == INT64_MAX ? end : end - base::now_ticks();
}

void ActiveRecording::tend() {
  const std::lock_guard<std::mutex> lock(tending_);
  for (const KnownClock& each : clocks_) each.clock->tend();
  statistics_.tend();
  black_box_.tend();
  session_.vm.modules.refresh();
  session_.sampler.make_room(session_.threads.most());  // native ones have come, too
  if (tends_++ % kTendsOfSecond != 0) return;
  session_.sampler.contexts().tend();
  keep_fault_handler();
}

void ActiveRecording::keep_fault_handler() {
  if (!fault_handler_ready() && fault_handler_lost() && !std::exchange(said_lost_, true))
    say(LogLevel::kWarn, "somebody keeps taking SIGSEGV over: stacks are not walked any more");
  const uint32_t returns = fault_handler_returns();
  if (std::exchange(returns_, returns) != returns)
    say(LogLevel::kWarn, "somebody took over SIGSEGV; rec stands in front of him now, and passes on what is his");
}

}  // namespace rec::agent
