// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/thread_registry.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cassert>
#include <new>

namespace rec::agent {
namespace {

// One pointer only: a library that is loaded late gets little static thread-local storage.
thread_local ThreadRecord* own_record __attribute__((tls_model("initial-exec"))) = nullptr;

int32_t thread_id() { return static_cast<int32_t>(syscall(SYS_gettid)); }

void clear(ThreadRecord& record) {
  record.java_id = 0;
  record.java_thread = 0;
  record.name_size = record.group_size = 0;
  record.forget_tags();
  record.perf_fd.store(-1, std::memory_order_relaxed);
  record.clock_state.store(ClockState::kStopped, std::memory_order_relaxed);
  record.has_timer = record.clocked = record.unclocked = false;
  record.clock_signal = 0;
}

}  // namespace

ThreadRegistry::ThreadRegistry() : records_(new (std::nothrow) ThreadRecord*[kMaxThreads]) {}

ThreadRecord* ThreadRegistry::add(int32_t os_id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto known = by_os_id_.find(os_id); known != by_os_id_.end()) return known->second;
  ThreadRecord* record = free_;
  if (record != nullptr) {
    free_ = record->next_free;
  } else {
    const uint32_t index = used_.load(std::memory_order_relaxed);
    if (!records_ || index == kMaxThreads) return nullptr;
    record = new (std::nothrow) ThreadRecord;
    if (record == nullptr) return nullptr;
    records_[index] = record;
    // release: pairs with the acquire in current(); the pointer stands.
    used_.store(index + 1, std::memory_order_release);
  }
  clear(*record);
  by_os_id_[os_id] = record;
  // release: pairs with the acquires in current() and of those who watch a thread (late_threads.cpp): it is clear.
  record->os_id.store(os_id, std::memory_order_release);
  if (os_id == thread_id()) own_record = record;
  return record;
}

void ThreadRegistry::remove(ThreadRecord* record) {
  const std::lock_guard<std::mutex> lock(mutex_);
  assert(record->os_id.load(std::memory_order_relaxed) != 0 && "a record is given back once");
  if (own_record == record) own_record = nullptr;
  by_os_id_.erase(record->os_id.load(std::memory_order_relaxed));
  // release: pairs with the acquires of those who watch a thread: what it was is over.
  record->os_id.store(0, std::memory_order_release);
  record->next_free = free_;
  free_ = record;
}

ThreadRecord* ThreadRegistry::current() {
  if (own_record != nullptr) return own_record;
  const int32_t id = thread_id();
  // acquire, both: pairs with the releases in add(). What the record is filled with then comes before the clock starts.
  const uint32_t used = used_.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < used; ++i)
    if (records_[i]->os_id.load(std::memory_order_acquire) == id) return own_record = records_[i];
  return nullptr;
}

}  // namespace rec::agent
