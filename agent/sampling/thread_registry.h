// SPDX-License-Identifier: Apache-2.0
// ThreadRegistry holds the records of all live Java threads, and of the other threads that a recording has found. A
// handler finds its own by thread-local storage, or, on threads that were there before the agent, once by its id.
//
//   Java threads     add() -> remove() by the thread itself, when it leaves Java
//   native threads   add_native() -> drop_natives() when they are gone; or add(), when they come to know Java
//
// The record of a native thread stays as long as the thread lives, for its handler may know it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agent/sampling/thread_record.h"

namespace rec::agent {

class ThreadRegistry {
 public:
  // At a time; threads beyond it are not sampled, and counted as "noThread".
  static constexpr uint32_t kMaxThreads = 1 << 16;

  ThreadRegistry();
  // When no thread is sampled any more. The one of a process lives as long as that: a handler may come at any time.
  ~ThreadRegistry();

  // Ordinary threads. The thread's record, as that of a Java thread: the one it has, or a new one that is empty but for
  // its id; record.java_thread is 0 as long as nobody has filled it in. Nothing when the registry is full.
  ThreadRecord* add(int32_t os_id);
  // True: it had left Java before, while one asked for strangers, and has come back since.
  bool remove(ThreadRecord* record);

  // Ordinary threads. The record of a thread that Java does not know. Nothing: it has one, or the registry is full.
  ThreadRecord* add_native(int32_t os_id, ThreadKind kind, std::string_view name);
  // Removes the native threads that gone(record) says so of, under the registry's lock.
  template <typename Gone>
  void drop_natives(Gone gone) {
    const std::lock_guard<std::mutex> lock(mutex_);
    visit_all([&](ThreadRecord& record) {
      if (record.kind != ThreadKind::kJava && gone(record)) give_back(&record);
    });
  }
  // Those of `all`, which is in order, that have no record. Threads that have left Java are about to end, as a rule: they
  // are strangers when they are met for the second time. begin_strangers(): from here on one asks.
  struct Stranger {
    int32_t os_id = 0;
    int64_t known_ns = 0;  // CPU time that it used while it was known
  };
  void begin_strangers();
  std::vector<Stranger> strangers(const std::vector<int32_t>& all);
  void end_strangers();

  // Calls visit(record) for each Java thread, under the registry's lock: no thread starts or ends meanwhile.
  template <typename Visit>
  void for_each(Visit visit) {
    for_each_thread([&](ThreadRecord& record) {
      if (record.kind == ThreadKind::kJava) visit(record);
    });
  }
  // Native threads, too.
  template <typename Visit>
  void for_each_thread(Visit visit) {
    const std::lock_guard<std::mutex> lock(mutex_);
    visit_all(visit);
  }

  // The same for at most `count` records from the from-th on; returns where to go on, 0 after the last. Nothing is
  // visited when the lock is taken: who looks often waits for nobody.
  template <typename Visit>
  uint32_t try_some(uint32_t from, uint32_t count, Visit visit) {
    return try_some_threads(from, count, [&](ThreadRecord& record) {
      if (record.kind == ThreadKind::kJava) visit(record);
    });
  }
  template <typename Visit>
  uint32_t try_some_threads(uint32_t from, uint32_t count, Visit visit) {
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return from;
    const uint32_t used = used_.load(std::memory_order_relaxed);
    for (; count > 0 && from < used; --count, ++from)
      if (records_[from]->os_id.load(std::memory_order_relaxed) != 0) visit(*records_[from]);
    return from < used ? from : 0;
  }

  // Calls act() under the same lock. What for_each() must see whole or not at all goes here.
  template <typename Act>
  void exclusively(Act act) {
    const std::lock_guard<std::mutex> lock(mutex_);
    act();
  }

  // The most there were at a time, at least.
  size_t most() const { return used_.load(std::memory_order_relaxed); }

  // Signal-safe. A number that none of this process' native threads has, nor anybody who asks.
  static uint64_t next_number();

  // Signal-safe: the calling thread's record, or nullptr.
  ThreadRecord* current();

 private:
  static constexpr size_t kMaxLeft = 1 << 12;

  template <typename Visit>
  void visit_all(Visit visit) {
    for (uint32_t i = 0; i < used_.load(std::memory_order_relaxed); ++i)
      if (records_[i]->os_id.load(std::memory_order_relaxed) != 0) visit(*records_[i]);
  }
  // Under mutex_.
  ThreadRecord* take(int32_t os_id);
  void enter(ThreadRecord& record, int32_t os_id);
  void give_back(ThreadRecord* record);

  std::mutex mutex_;
  std::unordered_map<int32_t, ThreadRecord*> by_os_id_;  // under mutex_
  bool asks_strangers_ = false;                          // under mutex_
  struct Left {
    int64_t cpu_ns = 0;
    bool met = false;  // afterwards
  };
  std::unordered_map<int32_t, Left> left_;    // under mutex_: threads that have left Java
  ThreadRecord* free_ = nullptr;              // under mutex_
  std::unique_ptr<ThreadRecord*[]> records_;  // [0, used_) are set and stay
  std::atomic<uint32_t> used_{0};             // only grows
};

}  // namespace rec::agent
