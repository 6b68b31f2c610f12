// SPDX-License-Identifier: Apache-2.0
// What the JVM tells while it records: threads, objects, collections, classes, its end.
#include "agent/main/active_recording.h"
#include "agent/sampling/thread_facts.h"
#include "agent/spans/java_spans.h"
#include "base/clock.h"
#include "format/writer/collection_constants.h"

namespace rec::agent {
namespace {

constexpr int64_t kUnloadBurstNs = 100'000'000;

}  // namespace

void ActiveRecording::thread_started(JNIEnv* jni, jthread thread) {
  if (!running()) return;
  ThreadRecord* record = session_.java_threads.add(jni, thread, session_.threads);
  if (record == nullptr) return;
  session_.sampler.make_room(session_.threads.most());
  HeapSampler::thread_started(*record);
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
  event.thread = own_fact(session_.vm.layout, *pin, thread);
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
  const LastCollection last = collection_words_.last();
  event.other = gc_kind(jfr::gc_name_key(last.collector), jfr::gc_cause_key(last.cause.data()));
  pin->commit(event);
}

void ActiveRecording::class_prepared(JNIEnv* jni, jclass mirror) {
  if (!running()) return;
  class_watch_.class_prepared(mirror);
  link_prepared_java_spans(jni, session_.vm.layout, mirror);
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
