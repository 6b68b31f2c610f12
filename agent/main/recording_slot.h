// SPDX-License-Identifier: Apache-2.0
// RecordingSlot holds the recording that JVMTI's callbacks work for. Callbacks come in on any thread at any time, the
// VM's own at a safepoint among them, and must never wait; so they count themselves in and out, and who takes the
// recording out waits until the last one that saw it has left.
//
//   callback:  if (const RecordingInUse use{slot}) use->thread_started(...);
//   control:   slot.set(recording);  ...  if (slot.clear_and_wait()) the recording may go
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>

namespace rec::agent {

class ActiveRecording;

class RecordingSlot {
 public:
  // seq_cst: pairs with the load in RecordingInUse, which then finds a recording that has been started.
  void set(ActiveRecording* recording) { recording_.store(recording, std::memory_order_seq_cst); }
  // Nobody finds the recording any more. False: somebody who had found it did not leave (he may be stopped by a
  // debugger); the recording must live on then. Waits for at most two seconds.
  bool clear_and_wait();

 private:
  friend class RecordingInUse;
  std::atomic<ActiveRecording*> recording_{nullptr};
  std::atomic<uint32_t> users_{0};
};

class RecordingInUse {
 public:
  // seq_cst, both: pairs with clear_and_wait(): either it sees the count, or we see that the slot is empty.
  explicit RecordingInUse(RecordingSlot& slot) : slot_(slot) {
    slot_.users_.fetch_add(1, std::memory_order_seq_cst);
    recording_ = slot_.recording_.load(std::memory_order_seq_cst);
  }
  // seq_cst: pairs with the load in clear_and_wait(); who finds 0 there may take the recording apart.
  ~RecordingInUse() { slot_.users_.fetch_sub(1, std::memory_order_seq_cst); }
  RecordingInUse(const RecordingInUse&) = delete;
  RecordingInUse& operator=(const RecordingInUse&) = delete;
  explicit operator bool() const { return recording_ != nullptr; }
  ActiveRecording* operator->() const {
    assert(recording_ != nullptr && "ask first: callbacks come without a recording, too");
    return recording_;
  }

 private:
  RecordingSlot& slot_;
  ActiveRecording* recording_;
};

}  // namespace rec::agent
