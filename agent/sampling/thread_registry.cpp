// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/thread_registry.h"

#include <algorithm>
#include <cassert>
#include <new>
#include <utility>

#include "agent/hotspot/processor/thread_local_place.h"
#include "agent/process/handler_local.h"
#include "agent/process/system_thread.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

// One pointer only: a library that is loaded late gets little static thread-local storage.
REC_HANDLER_LOCAL ThreadRecord* own_record = nullptr;

std::atomic<uint64_t> last_native_number{0};

void clear(ThreadRecord& record) {
  record.kind = ThreadKind::kJava;
  record.java_id = 0;
  record.java_thread = 0;
  record.name_size = record.group_size = 0;
  record.forget_tags();
  record.perf_fd.store(-1, std::memory_order_relaxed);
  record.clock_state.store(ClockState::kStopped, std::memory_order_relaxed);
  record.has_timer = record.clocked = record.unclocked = record.is_read = false;
  record.clock_signal = 0;
  record.allocation = {};
}

}  // namespace

uint64_t ThreadRegistry::next_number() { return last_native_number.fetch_add(1, std::memory_order_relaxed) + 1; }

ThreadRegistry::ThreadRegistry() : records_(new (std::nothrow) ThreadRecord*[kMaxThreads]) {}

ThreadRegistry::~ThreadRegistry() {
  for (uint32_t i = 0; i < used_.load(std::memory_order_relaxed); ++i) {
    if (own_record == records_[i]) own_record = nullptr;
    delete records_[i];
  }
}

ThreadRecord* ThreadRegistry::add(int32_t os_id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto known = by_os_id_.find(os_id); known != by_os_id_.end()) {
    ThreadRecord& record = *known->second;
    if (record.kind != ThreadKind::kJava) record.forget_tags();
    record.kind = ThreadKind::kJava;
    return &record;
  }
  ThreadRecord* record = take(os_id);
  if (record != nullptr) enter(*record, os_id);
  return record;
}

ThreadRecord* ThreadRegistry::add_native(int32_t os_id, ThreadKind kind, std::string_view name) {
  assert(kind != ThreadKind::kJava && "add() is for those");
  const std::lock_guard<std::mutex> lock(mutex_);
  if (by_os_id_.contains(os_id)) return nullptr;
  ThreadRecord* record = take(os_id);
  if (record == nullptr) return nullptr;
  record->kind = kind;
  record->native_number = next_number();
  record->name_size = static_cast<uint16_t>(std::min(name.size(), record->name.size()));
  std::copy_n(name.data(), record->name_size, record->name.data());
  enter(*record, os_id);
  return record;
}

ThreadRecord* ThreadRegistry::take(int32_t os_id) {
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
  return record;
}

void ThreadRegistry::enter(ThreadRecord& record, int32_t os_id) {
  const bool is_caller = os_id == own_thread_id();
  record.pointer.store(is_caller ? thread_pointer() : 0, std::memory_order_relaxed);
  // release: pairs with the acquires in current() and of those who watch a thread (late_threads.cpp): it is clear.
  record.os_id.store(os_id, std::memory_order_release);
  if (is_caller) own_record = &record;
}

bool ThreadRegistry::remove(ThreadRecord* record) {
  const std::lock_guard<std::mutex> lock(mutex_);
  bool is_new = true;
  if (asks_strangers_ && left_.size() < kMaxLeft)
    is_new = left_
                 .insert_or_assign(record->os_id.load(std::memory_order_relaxed),
                                   Left{base::read_clock_ns(CLOCK_THREAD_CPUTIME_ID), false})
                 .second;
  give_back(record);
  return !is_new;
}

void ThreadRegistry::give_back(ThreadRecord* record) {
  assert(record->os_id.load(std::memory_order_relaxed) != 0 && "a record is given back once");
  if (own_record == record) own_record = nullptr;
  by_os_id_.erase(record->os_id.load(std::memory_order_relaxed));
  // release: pairs with the acquires of those who watch a thread: what it was is over.
  record->os_id.store(0, std::memory_order_release);
  record->next_free = free_;
  free_ = record;
}

void ThreadRegistry::begin_strangers() {
  const std::lock_guard<std::mutex> lock(mutex_);
  asks_strangers_ = true;
}

void ThreadRegistry::end_strangers() {
  const std::lock_guard<std::mutex> lock(mutex_);
  asks_strangers_ = false;
  left_.clear();
}

std::vector<ThreadRegistry::Stranger> ThreadRegistry::strangers(const std::vector<int32_t>& all) {
  std::vector<Stranger> found;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (left_.size() == kMaxLeft) return left_.clear(), found;  // one does not know of all: the next time will do
  for (const int32_t os_id : all) {
    if (by_os_id_.contains(os_id)) continue;
    const auto left = left_.find(os_id);
    if (left == left_.end())
      found.push_back({os_id, 0});
    else if (std::exchange(left->second.met, true))
      found.push_back({os_id, left->second.cpu_ns});
  }
  std::erase_if(left_, [&](const auto& each) { return !std::binary_search(all.begin(), all.end(), each.first); });
  return found;
}

ThreadRecord* ThreadRegistry::current() {
  if (own_record != nullptr) return own_record;
  const int32_t id = own_thread_id();
  // acquire, both: pairs with the releases in add(). What the record is filled with then comes before the clock starts.
  const uint32_t used = used_.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < used; ++i)
    if (records_[i]->os_id.load(std::memory_order_acquire) == id) {
      records_[i]->pointer.store(thread_pointer(), std::memory_order_relaxed);
      return own_record = records_[i];
    }
  return nullptr;
}

}  // namespace rec::agent
