// SPDX-License-Identifier: Apache-2.0
// ThreadWords reads, from outside, what a JavaThread says of itself: in which state it is, whether it is asked to stop
// (its poll word), and which handshakes it has not done.
//
//   tardy: a safepoint has to wait for it:  in Java, in the VM, between states
//   safe:  in native code, or blocked; it stops by itself when it wants to come back
//
// The poll word (SafepointMechanism::ThreadData::_polling_word, src/hotspot/share/runtime/safepointMechanism.hpp) is 1
// while the thread is asked to stop and ~1 otherwise. It is not exported: calibration takes the one word of a
// JavaThread that holds either and stands before the address of one of the two polling pages, in all threads alike
// (+832 on 17, +1104 on 21, +40 on 25). State numbers differ between versions: always those that the VM exports.
//
// The queue of handshakes (HandshakeState, src/hotspot/share/runtime/handshake.hpp) stands behind the one word of a
// JavaThread that is its own address, before a lock that is called "HandshakeState...". An operation stays there until
// it is done; the thread does it, or, while the thread is safe, who asked. The youngest stands in front. Some have nobody
// who waits for them (AsyncHandshakeOperation, its _requester is null): they may stay for as long as a thread sleeps.
// When one was asked for is a variable of who asked (start_time_ns of Handshake::execute), in the same frame as the
// operation; of one that all threads have to do it is the VM thread's. Where, is learned from the first few (StartWord).
// Everything is a safe load: a thread that has gone reads as safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "agent/hotspot/state/start_word.h"
#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

class ThreadWords {
 public:
  // threads: JavaThread* of some that are alive.
  void open(const Layout& layout, std::span<const uint64_t> threads);
  bool has_poll_word() const { return poll_ != kAbsent; }

  bool tardy(uint64_t java_thread) const { return is_tardy(state(java_thread)); }
  bool armed(uint64_t java_thread) const;  // has_poll_word(). Whether it should look, not that somebody waits
  bool asked(uint64_t java_thread) const;  // in Java and armed: somebody waits for it

  // One that a thread has to do. A HandshakeOperation lives on the stack of who asks, so that the next one often has its
  // address: when it was asked for tells them apart, and until that is known, what else is known of it.
  struct Handshake {
    uint64_t node = 0, operation = 0, name = 0;  // addresses: its place in the queue, itself, its name
    uint32_t pending = 0;                        // threads that have to do it still: never more than before
    bool of_all = false;                         // all threads have to do it
    int64_t start = 0;                           // when it was asked for, CLOCK_MONOTONIC; 0: not known
    bool both_start(const Handshake& other) const { return start != 0 && other.start != 0; }
    bool is_of_same(const Handshake& other) const {
      return operation == other.operation && name == other.name && (!both_start(other) || start == other.start);
    }
    bool is_same(const Handshake& later) const {
      return is_of_same(later) && (both_start(later) || (node == later.node && later.pending <= pending));
    }
  };
  static constexpr size_t kMaxQueued = 16;  // of one thread; older ones are not looked at until these are done

  bool has_queue() const { return queue_ != kAbsent; }
  // has_queue(). Those that somebody waits for, the youngest first, into `out`; returns how many.
  size_t handshakes(uint64_t java_thread, std::span<Handshake, kMaxQueued> out) const;
  bool is_full(uint64_t java_thread) const;  // there are more than kMaxQueued
  bool has_to_do(uint64_t java_thread, const Handshake& handshake) const;
  std::string handshake_name(uint64_t operation) const;  // in the VM's words; empty: it is not known, or over
  // What stands where the VM thread keeps since when all threads have one to do; 0: that is not known.
  int64_t start_of_all() const { return start_of_all_.known() ? start_of_all_.read(vm_stack_) : 0; }

  // To be told of each that is found, and now and then, until their starts are known. It was not there at absent_ticks.
  void learn(uint64_t java_thread, const Handshake& handshake, int64_t absent_ticks, int64_t present_ticks);
  void learn_more();

  uint32_t state(uint64_t java_thread) const;
  bool is_tardy(uint32_t state) const;
  const char* state_name(uint32_t state) const;  // "in Java", "in VM", ...

 private:
  static constexpr uint32_t kNoState = ~0u;
  void find_poll_word(std::span<const uint64_t> threads);
  void find_queue(std::span<const uint64_t> threads);
  int64_t start_of(const Handshake& handshake) const;
  uint64_t place_of(const Handshake& handshake) const;
  void note_stack_of_vm_thread();

  const Layout* layout_ = nullptr;
  bool knows_rest_ = false;  // the VM tells how it numbers the states in which a thread is safe
  uint32_t poll_ = kAbsent, queue_ = kAbsent;

  // Bytes that are searched: of the frame, on both sides of the operation; and of the VM thread's stack, from where it was
  // when it was looked at first.
  static constexpr int32_t kFrame = 512, kVmStack = 4096;
  StartWord start_{-kFrame, kFrame}, start_of_all_{0, kVmStack};
  uint64_t vm_stack_ = 0;  // 0: not known yet
  int32_t vm_thread_ = -1;
  struct Trial {
    uint64_t java_thread = 0;  // 0: there is none
    Handshake handshake;
    StartWord* word = nullptr;
    int looks = 0;
  } trial_;
};

}  // namespace rec::agent
