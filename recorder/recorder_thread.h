// SPDX-License-Identifier: Apache-2.0
// RecorderThread is the one thread that writes: it flushes each interval or when woken, rotates, and serves the control
// calls.
//
//   sleep -> flush -> rotate if due -> serve a request -> sleep ...                                    until stop
//
// rotate(): flip the epoch, wait for the last pin, write the rest, close the chunk, open the next, drop the epoch.
// When the disk refuses, the closing epoch waits as it is and is tried again at each flush; until it is written nothing
// is flipped, and the current epoch fills up to its limits.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "recorder/chunk_writer.h"
#include "recorder/complaints.h"
#include "recorder/engine_config.h"
#include "recorder/epochs.h"
#include "recorder/repository.h"

namespace rec {

class RecorderThread {
 public:
  RecorderThread(EngineConfig config, ProcessFacts facts, EpochGate& gate, LossCounters& losses);
  ~RecorderThread();

  // Makes the first chunk and the spools, lets writers in, starts the thread.
  jfr::Status start();
  void wake() { waker_.wake(); }

  // From any ordinary thread; they wait until it is done. After kStop: kUsage.
  enum class What { kRotate, kDump, kStop };
  jfr::Status ask(What what, const std::string& filename);

 private:
  struct Request {
    What what;
    const std::string& filename;
    jfr::Status answer = jfr::Done{};
    bool done = false;
  };
  jfr::Status prepare();
  jfr::Status start_thread();
  void undo_start();
  static void* entry(void* self);
  void run();
  void serve();
  jfr::Status answer(const Request& request);

  jfr::Status flush();
  jfr::Status write_closing();
  bool rotation_due();
  jfr::Status rotate(bool final);
  jfr::Status dump(const std::string& filename);
  jfr::Status stop();
  jfr::Status write_all();
  jfr::Status finish_recording();
  void complain(const jfr::Status& status);

  EngineConfig config_;
  Waker waker_;
  Repository repository_;
  Epochs epochs_;
  ChunkWriter writer_;
  Complaints complaints_;
  pthread_t thread_{};
  bool running_ = false;  // the thread was started and not joined yet; of the thread that owns this object
  bool stopped_ = false;  // recorder thread

  std::mutex control_;  // held by the one control call that is under way
  std::mutex mutex_;    // guards request_ and over_
  std::condition_variable answered_;
  Request* request_ = nullptr;
  bool over_ = false;
};

}  // namespace rec
