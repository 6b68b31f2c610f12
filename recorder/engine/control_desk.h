// SPDX-License-Identifier: Apache-2.0
// ControlDesk carries the control calls of ordinary threads to the recorder thread, and the answers back.
//
//   caller:           ask() ---> wait, at most limit_ns ---> the answer, or kLimit
//                       |                  ^
//   recorder thread:  take() --> do it --> answer()
//
// A disk that does not answer may hold the recorder thread for as long as it likes; the caller then gets kLimit and
// goes. Its request stays valid, because both sides own it: a stop is carried out when the disk comes back, everything
// else is withdrawn if nobody has begun with it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"
#include "base/waker.h"
#include "recorder/chunk/chunk_config.h"
#include "recorder/engine/engine_status.h"
#include "recorder/repository/recording.h"

namespace rec {

class ControlDesk {
 public:
  enum class What { kFlush, kRotate, kChange, kBegin, kTry, kDump, kEnd, kStop };
  struct Order {
    What what;
    uint64_t recording = kFirstRecording;  // of kTry, kDump, kEnd
    RecordingTarget target;                // likewise, and of kStop; no filename: the recording's own
    ChunkSettings settings;                // of kChange
    RecordingConfig begins;                // of kBegin
  };
  struct Request : Order {
    EngineStatus ended;  // of kEnd: how the recording stood at its end
    bool begun = false;
    bool done = false;
    base::Status answer = base::Done{};
  };

  // From any ordinary thread. kUsage once a stop was asked for; another stop() waits for the same end as the first.
  base::Status ask(Order order, int64_t limit_ns, base::Waker& waker, EngineStatus* ended = nullptr);

  // Recorder thread. Nothing asked: null.
  std::shared_ptr<Request> take();
  void answer(Request& request, base::Status status);
  void shut();  // nobody will take anything any more: kUsage for all

 private:
  std::shared_ptr<Request> enter(Order order);
  void withdraw(const std::shared_ptr<Request>& request);
  template <typename Lock>
  bool wait(Lock& lock, const Request& request, int64_t limit_ns);

  std::mutex mutex_;  // guards everything here, and what is in a request; never held across a system call
  std::condition_variable answered_;
  std::deque<std::shared_ptr<Request>> requests_;
  std::shared_ptr<Request> stop_;  // once it was asked for
  bool shut_ = false;
};

}  // namespace rec
