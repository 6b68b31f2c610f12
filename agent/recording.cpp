// SPDX-License-Identifier: Apache-2.0
#include "agent/recording.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "agent/hotspot/safe_load.h"
#include "agent/log.h"
#include "agent/options/filename.h"
#include "agent/process_facts.h"
#include "recorder/clock.h"

namespace rec::agent {
namespace {

constexpr int64_t kUnloadBurstNs = 100'000'000;

// The application's signals are for the application's threads.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

// Several JVMs may be given one repository: each has a directory of its own in it, named as JFR does.
std::string own_repository(const std::string& repository) {
  return expand_filename(repository + "/%t_%p", this_process());
}

Error refused(std::string what) { return Error{jfr::ErrorCode::kSystem, 0, std::move(what), 0}; }

}  // namespace

Status Recording::start(JNIEnv* jni) {
  if (!java_threads_.open(jvmti_, jni, vm_.layout)) return refused("java.lang.Thread has no fields eetop and tid");
  sampler_ = std::make_unique<Sampler>(vm_, threads_, options_.period_ns);
  if (!sampler_->create(options_.stack_depth))
    return refused("no signal is free for the clock, or there is no memory for the walks");
  clock_ = std::make_unique<CpuClock>(sampler_->signal(), options_.period_ns);
  if (Status started = start_engine(); !started.ok()) return started;
  running_.store(true, std::memory_order_release);
  add_present_threads(jni);
  say(LogLevel::kInfo, std::string("recording to ") + filename_ + ", clock: " + clock_->name());
  return jfr::Done{};
}

Status Recording::start_engine() {
  filename_ = expand_filename(options_.filename, this_process());
  EngineConfig config;
  config.filename = filename_;
  config.repository = options_.repository.empty() ? default_repository(filename_) : own_repository(options_.repository);
  config.name = options_.name;
  config.max_chunk_size = options_.max_chunk_size;
  config.max_chunk_age_ns = options_.max_chunk_age_ns;
  config.max_size = options_.max_size;
  config.max_age_ns = options_.max_age_ns;
  config.flush_interval_ns = options_.flush_interval_ns;
  config.sample_period_ns = options_.period_ns;
  config.sample_event = options_.sample_event;
  config.copy = safe_copy;
  config.unsigned5_excess = vm_.layout.unsigned5_excess;
  config.log = say_from_recorder;
  config.thread_started = block_signals;
  auto engine = Engine::start(std::move(config), read_process_facts(jvmti_, options_));
  if (!engine.ok()) return engine.error();
  engine_ = std::move(engine.value());
  return jfr::Done{};
}

void Recording::add_present_threads(JNIEnv* jni) {
  jint count = 0;
  jthread* present = nullptr;
  if (jvmti_->GetAllThreads(&count, &present) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; ++i) {
    if (ThreadRecord* record = java_threads_.add(jni, present[i], threads_)) clock_->start(*record);
    jni->DeleteLocalRef(present[i]);
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(present));
}

void Recording::stop() {
  if (!running_.exchange(false, std::memory_order_acq_rel)) return;
  threads_.for_each([this](ThreadRecord& record) { clock_->stop(record); });
  const Status stopped = engine_->stop();
  if (!stopped.ok()) say(LogLevel::kWarn, stopped.error().what);
  std::string ends;
  for (size_t i = 0; i < static_cast<size_t>(WalkEnd::kCount); ++i) {
    char text[64];
    std::snprintf(text, sizeof text, " %s=%llu", walk_end_name(static_cast<WalkEnd>(i)),
                  static_cast<unsigned long long>(sampler_->walks_ended(static_cast<WalkEnd>(i))));
    ends += text;
  }
  say(LogLevel::kInfo, "walks ended:" + ends);
}

void Recording::thread_started(JNIEnv* jni, jthread thread) {
  if (!running()) return;
  ThreadRecord* known = threads_.current();
  ThreadRecord* record = known != nullptr ? known : java_threads_.add(jni, thread, threads_);
  if (record == nullptr) return;
  commit_thread_event(EventKind::kThreadStart, *record);
  if (record != known) clock_->start(*record);
}

void Recording::thread_ended() {
  ThreadRecord* record = threads_.current();
  if (record == nullptr) return;
  clock_->stop(*record);
  if (running()) commit_thread_event(EventKind::kThreadEnd, *record);
  threads_.remove(record);
}

void Recording::commit_thread_event(EventKind kind, ThreadRecord& thread) {
  const EpochPin pin;
  if (!pin) return;
  Event event;
  event.kind = kind;
  event.ticks = now_ticks();
  event.thread = pin->find_thread(thread.tag);
  if (!event.thread) event.thread = pin->tag_thread(thread.tag, shape_of(thread, 0));
  pin->commit(event);
}

void Recording::collection_started() { collection_start_.store(now_ticks(), std::memory_order_relaxed); }

void Recording::collection_finished() {
  const int64_t start = collection_start_.load(std::memory_order_relaxed);
  const EpochPin pin;
  if (!pin || start == 0) return;
  Event event;
  event.kind = EventKind::kGc;
  event.ticks = start;
  event.value = static_cast<uint64_t>(now_ticks() - start);
  event.extra = collections_.fetch_add(1, std::memory_order_relaxed) + 1;
  pin->commit(event);
}

void Recording::class_prepared(jclass mirror) {
  if (running()) class_watch_.class_prepared(mirror);
}

// Classes go in bursts, at a collection: the first of them asks for a flush, the others are in it or in the next.
void Recording::mirror_freed(jlong tag) {
  if (!class_watch_.mirror_freed(tag) || !running()) return;
  int64_t last = unload_flush_.load(std::memory_order_relaxed);
  const int64_t now = now_ticks();
  if (now - last > kUnloadBurstNs && unload_flush_.compare_exchange_strong(last, now, std::memory_order_relaxed))
    engine_->flush();
}

// The thread that ends the VM may be one that never started as a Java thread ("DestroyJavaVM").
void Recording::shutting_down(JNIEnv* jni) {
  ThreadRecord* record = threads_.current();
  jthread thread = nullptr;
  if (record == nullptr && jvmti_->GetCurrentThread(&thread) == JVMTI_ERROR_NONE)
    record = java_threads_.add(jni, thread, threads_);
  if (record != nullptr && running()) commit_thread_event(EventKind::kShutdown, *record);
}

}  // namespace rec::agent
