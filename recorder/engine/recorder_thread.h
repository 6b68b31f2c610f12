// SPDX-License-Identifier: Apache-2.0
// RecorderThread is the one thread that writes: it flushes each interval or when woken, rotates, and serves the control
// calls.
//
//   sleep -> flush -> rotate if due -> poll the hook -> serve requests -> sleep ...      until one of them is a stop
//
// While the disk refuses, it tries again at least once in kRetryNs, so that it writes soon after that is over.
#pragma once

#include <pthread.h>

#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include "base/waker.h"
#include "recorder/engine/control_desk.h"
#include "recorder/engine/engine_config.h"
#include "recorder/engine/engine_status.h"
#include "recorder/engine/first_user.h"
#include "recorder/engine/rotation.h"
#include "recorder/engine/trouble.h"
#include "recorder/repository/recordings.h"
#include "recorder/repository/spare_descriptors.h"

namespace rec {

inline constexpr int64_t kRetryNs = 1'000'000'000;
inline constexpr int64_t kHeldNs = 2'000'000'000;  // a call that takes longer is told by status()

class RecorderThread {
 public:
  // busy: is set while something of this object runs; cleared as the last thing.
  RecorderThread(EngineConfig config, ProcessFacts facts, EpochGate& gate, LossCounters& losses,
                 std::atomic<bool>& busy);
  ~RecorderThread();  // stops, however long the disk takes

  // Makes the first chunk and the spools, lets writers in, starts the thread.
  base::Status start();
  void wake() { waker_.wake(); }

  // From any ordinary thread; kLimit if it is not done within limit_ns.
  using What = ControlDesk::What;
  base::Status ask(ControlDesk::Order order, int64_t limit_ns, EngineStatus* ended = nullptr);
  // The owner goes before the thread has finished, which then deletes this object itself. False: it has finished.
  bool leave();
  // acquire: pairs with the release in end(); all that the thread has done is seen.
  bool finished() const { return finished_.load(std::memory_order_acquire); }
  // Never waits for a system call. Nothing known: there is no such recording.
  EngineStatus status(uint64_t recording) const;

 private:
  base::Status prepare();
  base::Status start_thread();
  static void* entry(void* self);
  void run();
  void join();
  bool end();
  void look(base::Status& status);
  void publish();
  void serve();
  base::Status answer(ControlDesk::Request& request);
  base::Status looked_at(base::Status rotated);
  base::Status begin(const RecordingConfig& config);
  base::Status may_go_to(uint64_t id, const RecordingTarget& target);
  base::Status dump(uint64_t id, const RecordingTarget& target);
  base::Status end(ControlDesk::Request& request);
  base::Status stop(const RecordingTarget& target);
  base::Status make_recording(Recording& recording, const RecordingTarget& wished, bool complete);
  base::Status written(Recording& recording, const RecordingTarget& target, base::Result<std::string> path);
  void limit_chunks();
  EngineStatus standing(Recording& recording) const;
  void say(const std::string& line) const {
    if (config_.log) config_.log(line.c_str());
  }

  EngineConfig config_;
  const uint64_t chunk_size_;  // as it was asked for,
  const int64_t chunk_age_ns_;
  std::atomic<bool>& busy_;
  base::Waker waker_;
  Recordings recordings_;
  SpareDescriptors spares_;
  Rotation rotation_;
  Trouble trouble_;
  const FirstUser user_;
  ControlDesk desk_;
  bool stopped_ = false;   // recorder thread
  bool complete_ = false;  // all is in chunks

  pthread_t thread_{};
  std::mutex join_;       // guards running_; held while somebody joins
  bool running_ = false;  // the thread was started and not joined yet
  std::mutex owner_;      // guards left_ and the step to finished_; taken after join_
  bool left_ = false;     // nobody owns this object but the thread
  std::atomic<bool> finished_{false};

  std::atomic<int64_t> awake_since_{0};  // ticks; 0: it sleeps
  mutable std::mutex status_mutex_;      // guards statuses_; never held across a system call
  struct Standing {
    EngineStatus status;
    uint64_t samples_before = 0, lost_before = 0;
  };
  std::map<uint64_t, Standing> statuses_;  // by recording
};

}  // namespace rec
