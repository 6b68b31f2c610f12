// SPDX-License-Identifier: Apache-2.0
// The Engine is the recorder: two epochs, the recorder thread that flushes and rotates, and the repository of chunks.
// It knows no JVM.
//
//   start() -> handlers pin, tag and commit                                                       -> stop()
//              the recorder thread flushes each second and rotates at max_chunk_size
//
// One engine records at a time in a process: writers find the current epoch through a gate in static storage, so that a
// handler may ask before start, during stop and long after it, without knowing whether an Engine is alive.
//
//   const EpochPin pin;
//   if (!pin) return Engine::losses().count(pin.why());
//   ... pin->find_class(...), pin->tag_class(...), pin->intern_stack(...), pin->commit(...)
#pragma once

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <string>

#include "base/result.h"
#include "recorder/engine/engine_config.h"
#include "recorder/engine/engine_status.h"
#include "recorder/epoch/epoch.h"
#include "recorder/epoch/epoch_gate.h"
#include "recorder/repository/finished_files.h"

namespace rec {

using base::Error;
using base::Result;
using base::Status;

class RecorderThread;

inline constexpr int64_t kNoLimitNs = INT64_MAX;

class Engine {
 public:
  // kUsage if another engine records; else what the disk or the system refused. Nothing is left behind then.
  static Result<std::unique_ptr<Engine>> start(EngineConfig config, ProcessFacts facts);
  ~Engine();  // stops if stop() was not called

  // Signal-safe, valid at any time.
  static EpochGate& gate();
  static LossCounters& losses();  // of the process; each recording reports its own share
  // In a forked child, first of all (pthread_atfork): nobody gets in, descriptors and locks of the parent's recording
  // are given up. An Engine that the child has from its parent does nothing any more and touches no file.
  static void after_fork_in_child();

  // From ordinary threads. flush() only wakes the recorder thread; the others return when it is done, or with kLimit
  // when a disk that does not answer has held it for limit_ns; they give kUsage after stop().
  void flush();
  Status write_out(int64_t limit_ns = kNoLimitNs);  // what is committed is in the open chunk then
  Status rotate();
  // rotate(), and from the new chunk on events are recorded so. The caller sees to it that they are: what is committed
  // while this runs may be in either chunk. An error: the settings are as before.
  Status change(ChunkSettings settings, int64_t limit_ns = kNoLimitNs);
  // Another recording beside those that there are, with an id that none of them has: all that is recorded from now on.
  Status begin(RecordingConfig recording, int64_t limit_ns = kNoLimitNs);
  // Whether the recording could be put there now. Nothing is changed.
  Status may_go_to(const RecordingTarget& target, int64_t limit_ns = kNoLimitNs, uint64_t recording = kFirstRecording);
  // The recording so far; recording goes on. Where it went: status().recording (finished_files.h).
  Status dump(const RecordingTarget& target, int64_t limit_ns = kNoLimitNs, uint64_t recording = kFirstRecording);
  // One of several ends as with stop(), and the others go on: also the first one, with which the engine was started. ended:
  // how it stood, and where it went. An error of the disk: it goes on, or its chunks are left, which is said.
  Status end(uint64_t recording, const RecordingTarget& target, EngineStatus* ended, int64_t limit_ns = kNoLimitNs);
  // All end. Last chunk closed, recording assembled at config.filename (or at `target`, if it names a file), repository and
  // spools gone. After kLimit the recorder thread goes on by itself, and what it has not written stays in the spools
  // for recovery; another stop() waits for the same end. An Engine that is destroyed before finished() leaves the
  // recorder to itself, and start() gives kUsage until that is done.
  Status stop(int64_t limit_ns = kNoLimitNs, const RecordingTarget& target = {});
  bool finished() const;                                            // nothing of it runs any more
  EngineStatus status(uint64_t recording = kFirstRecording) const;  // never waits for a disk

 private:
  Engine();
  bool ours() const;  // we are not in a forked child

  const pid_t pid_;
  std::atomic<bool> abandoned_{false};  // a stop was not waited for
  std::unique_ptr<RecorderThread> recorder_;
};

// Pins the current epoch for a scope, which is to be short: a rotation waits for it. Signal-safe.
class EpochPin {
 public:
  EpochPin() : pin_(Engine::gate().try_pin()) {}
  explicit EpochPin(const Engine&) : EpochPin() {}
  ~EpochPin() {
    if (pin_.epoch) EpochGate::unpin(pin_);
  }
  EpochPin(const EpochPin&) = delete;
  EpochPin& operator=(const EpochPin&) = delete;
  explicit operator bool() const { return pin_.epoch != nullptr; }
  Loss why() const { return pin_.why; }  // of an empty pin: kNotRecording or kEpochMoving
  Epoch* operator->() const { return pin_.epoch; }
  Epoch& operator*() const { return *pin_.epoch; }

 private:
  const Pin pin_;
};

}  // namespace rec
