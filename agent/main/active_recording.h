// SPDX-License-Identifier: Apache-2.0
// An ActiveRecording is the agent at work: the engine running, each thread with its clock, for the recording that it was
// started with and those that begin beside it. One at a time.
//
//   start(): engine -> tags and threads -> clocks      stop(): clocks off -> engine stopped, the recording assembled
//
//   change(): another chunk with other settings for each step, so that what a chunk says is true for all of it
//
//     [chunk as before] -- clocks start, or have another interval --> [chunk] -- clocks stop --> [chunk as wanted]
//
// Callbacks of JVMTI come in on any thread, also while it starts or stops.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "agent/exceptions/exception_clock.h"
#include "agent/heap/alloc_clock.h"
#include "agent/heap/live_clock.h"
#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/state/collection_words.h"
#include "agent/locks/lock_clock.h"
#include "agent/main/heirs.h"
#include "agent/main/recording_list.h"
#include "agent/nativemem/nativemem_clock.h"
#include "agent/options/answer.h"
#include "agent/options/changes.h"
#include "agent/safepoint/safepoint_watch.h"
#include "agent/sampling/class_watch.h"
#include "agent/sampling/cpu_sampling.h"
#include "agent/sampling/vm_session.h"
#include "agent/statistics/black_box.h"
#include "agent/statistics/statistics.h"
#include "agent/wall/wall_clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {

// Where a command wishes the recording to go: `filename` and `overwrite`, patterns expanded.
RecordingTarget target_of(const Options& options);

// Of hooks that the recording's clocks install: they find the recording, and call what the comment says.
struct HookListeners {
  OnParked on_parked;  // LockClock::park_ended()
  OnSlept on_slept;    // LockClock::sleep_ended()
  OnThrown on_thrown;  // ExceptionClock::thrown()
};

class ActiveRecording {
 public:
  ActiveRecording(VmSession& session, SafepointWatch& safepoints, WallRequests& wall, const Options& options,
                  const HookListeners& listeners)
      : session_(session),
        safepoints_(safepoints),
        options_(options),
        class_watch_(session.vm.layout, session.class_tags),
        cpu_(session.sampler, session.threads, options),
        heap_(session),
        alloc_(session, heap_),
        live_(session, heap_),
        lock_(session, safepoints.requests(), options.stack_depth, listeners.on_parked, listeners.on_slept),
        nativemem_(session, options.follows_frees),
        exceptions_(session, listeners.on_thrown),
        wall_(session.vm, session.threads, session.thread_sets, wall, cpu_),
        returns_(fault_handler_returns()) {}

  // The error is a sentence for the user; nothing is left running then.
  Status start(JNIEnv* jni);
  void watch_classes(JNIEnv* jni, OnClassPrepared on_prepared, OnMirrorFreed on_freed);
  // target: instead of the one it was started with; empty: that one. kLimit after limit_ns: it is not over yet.
  Status stop(JNIEnv* jni, int64_t limit_ns, const RecordingTarget& target);
  void unwatch_classes(JNIEnv* jni) { class_watch_.close(jni); }
  bool over() const { return !engine_ || engine_->finished(); }  // it may be destroyed

  // While it runs: clocks, safepoints and statistics are to be as `wanted` says; its other options count for nothing.
  // All or none: when a clock cannot start, the error says why, and all is as before. kLimit: the disk does not answer.
  // Under Control's lock, as start(), stop() and describe().
  Status change(JNIEnv* jni, const Options& wanted, int64_t limit_ns);
  const Options& records() const { return now_; }  // what it records now: what could not start is not in it

  // Others beside the one that it was started with, and one of several that ends (Engine).
  Status begin(const ListedRecording& recording, int64_t limit_ns);
  Status end(uint64_t id, const RecordingTarget& target, EngineStatus& ended, int64_t limit_ns);
  bool goes_on(uint64_t id) const { return !engine_->status(id).repository.empty(); }
  Status may_go_to(uint64_t id, const RecordingTarget& target, int64_t limit_ns);
  Status dump(uint64_t id, const RecordingTarget& target, int64_t limit_ns);
  void describe(const ListedRecording& recording, Answer& answer);
  const std::string& filename() const { return target_.filename; }
  const RecordingTarget& target() const { return target_; }
  // The file of the last dump or of the stop; until then the one that is wished.
  std::string written_to(const ListedRecording& recording) const;
  const std::string& repository() const { return repository_; }
  const Options& options() const { return options_; }

  // Of the housekeeper, each kTendNs: threads and libraries that came are found, and once a second signals that somebody
  // took.
  static constexpr int64_t kTendNs = NativeThreads::kLookNs;
  void tend();
  // ns until the duration of a recording is over; INT64_MAX: none has one.
  int64_t time_left() const;
  void set_end(int64_t ticks) { end_ticks_.store(ticks, std::memory_order_relaxed); }

  void thread_started(JNIEnv* jni, jthread thread);
  void thread_ended(ThreadRecord& record);
  void thread_has_left_again() { cpu_.thread_has_left_again(); }
  void object_sampled(JNIEnv* jni, jobject object, jclass mirror, jlong size);
  LockClock& locks() { return lock_; }
  ExceptionClock& exceptions() { return exceptions_; }
  void collection_started();
  void collection_finished();
  void class_prepared(JNIEnv* jni, jclass mirror);
  void mirror_freed(jlong tag);
  void shutting_down(JNIEnv* jni);  // writes jdk.Shutdown

 private:
  // acquire: pairs with the release in start(), and with the exchange in stop().
  bool running() const { return running_.load(std::memory_order_acquire); }
  static constexpr size_t kClocks = 7;
  struct KnownClock {
    Setting setting;
    Clock* clock;
  };
  // A clock, and what is wished of it.
  struct Wish {
    Setting setting;
    Clock* clock;
    bool wanted;  // cpu: also for what threads run in the clock `wall`
    bool asked;   // by the user
    int64_t interval;
  };
  std::array<Wish, kClocks> wishes(const Options& options) const;
  SampledThreads sampled_threads(const Options& options) const;
  enum class ClockText { kShort, kLong };  // "cpu 10ms, wall 50ms"; "cpu 10ms (posix cpu timer), wall 50ms"
  std::string clocks_text(ClockText length);
  void say_without_effect() const;
  static void describe_to_engine(const Options& options, const RecordingTarget& target, RecordingConfig& config);
  void open_contexts();
  void close_contexts();
  Status start_engine();
  Status start_clocks(JNIEnv* jni);
  void stop_clocks(JNIEnv* jni);
  ChunkSettings settings();
  Status move_to(JNIEnv* jni, const Options& wanted, int64_t limit_ns);
  bool changes_cpu(const Options& before) const;  // ... to what is wanted now
  void stop_unwanted(JNIEnv* jni, const Options& before);
  Status start_wanted(JNIEnv* jni, const Options& before);
  void watch_otherwise(JNIEnv* jni, const Options& before);
  void tell_what_was();
  void write_what_goes_on();
  void add_present_threads(JNIEnv* jni);
  void add_bound_threads();
  void thread_present(ThreadRecord* record);
  void watch_safepoints(JNIEnv* jni);
  void keep_fault_handler();
  void commit_thread_event(EventKind kind, ThreadRecord& thread);
  void say_how_walks_ended() const;

  VmSession& session_;
  SafepointWatch& safepoints_;
  const Options options_;
  RecordingTarget target_;
  std::string repository_;
  ClassWatch class_watch_;
  std::atomic<int64_t> unload_flush_{0};  // ticks of the last flush that an unload asked for
  CpuSampling cpu_;
  HeapSampler heap_;
  AllocClock alloc_;
  LiveClock live_;
  LockClock lock_;
  NativememClock nativemem_;
  ExceptionClock exceptions_;
  WallClock wall_;
  Heirs heirs_{live_, wall_, lock_};
  StatisticsSources sources_;
  Statistics statistics_{session_.vm.layout, session_.threads, sources_};
  BlackBox black_box_{sources_};
  // That of CPU time first; `wall` last: it asks whether that one runs.
  const std::array<KnownClock, kClocks> clocks_{{{Setting::kCpu, &cpu_},
                                                 {Setting::kAlloc, &alloc_},
                                                 {Setting::kLive, &live_},
                                                 {Setting::kLock, &lock_},
                                                 {Setting::kNativemem, &nativemem_},
                                                 {Setting::kExceptions, &exceptions_},
                                                 {Setting::kWall, &wall_}}};
  std::mutex tending_;                         // clocks and statistics are tended to, or changed
  Options now_ = with_clocks_named(options_);  // what is recorded
  bool cpu_refused_ = false;                   // the system has no signal for it: the clock `wall` does without
  std::unique_ptr<Engine> engine_;
  std::atomic<bool> running_{false};
  uint32_t returns_;        // of the fault handler, when the housekeeper last looked
  bool said_lost_ = false;  // the housekeeper's, too
  uint32_t tends_ = 0;      // likewise
  std::atomic<int64_t> end_ticks_{INT64_MAX};
  CollectionWords collection_words_;
  std::atomic<int64_t> collection_start_{0};
  std::atomic<uint32_t> collections_{0};
};

}  // namespace rec::agent
