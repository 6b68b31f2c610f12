// SPDX-License-Identifier: Apache-2.0
// AllHandshake follows the handshake of all threads that the VM thread is about, from when it was asked for until the VM
// thread goes on. The queues of threads do not tell all of that: the VM thread may wait for a CPU when the last thread
// has done it long ago; and who has not may be a thread that the registry does not know, as a compiler's.
//
// Those that follow each other often have the same address: when they were asked for tells them apart. Pure; times are
// CLOCK_MONOTONIC. The watching thread's alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rec::agent {

class AllHandshake {
 public:
  struct One {
    uint64_t operation = 0;   // address; 0: none
    int64_t start = 0;        // 0: not known
    int64_t from_ticks = 0;   // it was not there yet
    int64_t there_ticks = 0;  // it was seen last
    bool told = false;        // an event of it is written
    std::string name;
  };

  // operation: 0 if there is none. start: what stands where it is kept; it may be anything. What was there before, and is
  // over.
  std::optional<One> look(uint64_t operation, int64_t start, int64_t now) {
    std::optional<One> over;
    const bool another = operation != now_.operation || (start > now_.there_ticks && start <= now);
    if (another && now_.operation != 0) over = now_;
    if (another) now_ = {.operation = operation, .from_ticks = looked_ticks_};
    if (now_.start == 0 && start > now_.from_ticks && start <= now) now_.start = start;
    now_.there_ticks = looked_ticks_ = now;
    return over;
  }

  One* current() { return now_.operation == 0 ? nullptr : &now_; }
  void note_told(uint64_t operation) { now_.told = now_.told || operation == now_.operation; }

 private:
  One now_;
  int64_t looked_ticks_ = 0;
};

}  // namespace rec::agent
