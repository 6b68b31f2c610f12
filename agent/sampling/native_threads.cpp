// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/native_threads.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "agent/process/os_state.h"
#include "agent/process/system_thread.h"
#include "base/clock.h"

namespace rec::agent {
namespace {

constexpr int64_t kShareOfLooks = 500;  // looks take one part in so many of a processor
constexpr int64_t kIdleNs = 1'000'000;  // of CPU since the last look: there is nothing to be found

int64_t own_cpu_ns() { return base::read_clock_ns(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace

void NativeThreads::open() {
  const std::lock_guard<std::mutex> lock(mutex_);
  threads_.begin_strangers();
  open_ = true;
  std::vector<ThreadRecord*> known;  // of a recording before
  threads_.for_each_thread([&](ThreadRecord& record) {
    if (record.kind != ThreadKind::kJava) known.push_back(&record);
  });
  look_now(CountFrom::kNow);
  for (ThreadRecord* record : known)
    if (record->os_id.load(std::memory_order_relaxed) != 0) clocks_.start_native(*record);
}

void NativeThreads::look() {
  const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || !open_ || base::now_ticks() < next_look_ticks_) return;
  const int64_t cpu_ns = base::read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  if (cpu_ns - process_cpu_ns_ < kIdleNs) return;
  process_cpu_ns_ = cpu_ns;
  clocks_.read_all();
  look_now(CountFrom::kBirth);
}

void NativeThreads::close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!open_) return;
  for (int looks = 0; looks < 2 && (looks == 0 || !unnamed_.empty()); ++looks) look_now(CountFrom::kBirth);
  threads_.end_strangers();
  unnamed_.clear();
  open_ = false;
}

// A thread that is over before its name is read has none, and no clock.
void NativeThreads::look_now(CountFrom from) {
  const int64_t begin_ns = own_cpu_ns();
  TaskDirectory tasks;
  std::vector<int32_t> all = tasks.all();
  std::sort(all.begin(), all.end());
  drop_gone(all);
  const std::string process(tasks.read(getpid(), "comm"));
  std::vector<Stranger> unnamed;
  for (Stranger stranger : threads_.strangers(all)) {
    const std::string name(tasks.read(stranger.os_id, "comm"));
    if (from == CountFrom::kNow) stranger.known_ns = std::max<int64_t>(task_cpu_ns(stranger.os_id), 0);
    if (name == process && !waited(stranger)) {
      unnamed.push_back(stranger);
    } else if (!name.empty()) {
      add(stranger, name);
    }
  }
  unnamed_ = std::move(unnamed);
  next_look_ticks_ = base::now_ticks() + (own_cpu_ns() - begin_ns) * kShareOfLooks;
}

// A new thread that has the name of its process may not have taken its own yet. It has its clock from the next look on,
// and loses nothing by that.
bool NativeThreads::waited(Stranger& stranger) const {
  for (const Stranger& each : unnamed_)
    if (each.os_id == stranger.os_id) return stranger.known_ns = std::max(stranger.known_ns, each.known_ns), true;
  return false;
}

void NativeThreads::add(const Stranger& stranger, const std::string& name) {
  if (ThreadRecord* record = enter(stranger.os_id, name)) clocks_.start_native(*record, stranger.known_ns);
}

ThreadRecord* NativeThreads::enter(int32_t os_id, const std::string& name) {
  return threads_.add_native(os_id, kind_named(name.c_str()), name);
}

// It waits for nobody: who looks just now will find it, or the next one.
void NativeThreads::has_left_again() {
  const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || !open_) return;
  if (ThreadRecord* record = enter(own_thread_id(), SystemName::own().c_str())) clocks_.start_native(*record);
}

// An empty list: /proc could not be read.
void NativeThreads::drop_gone(const std::vector<int32_t>& all) {
  if (all.empty()) return;
  threads_.drop_natives([&](ThreadRecord& record) {
    if (std::binary_search(all.begin(), all.end(), record.os_id.load(std::memory_order_relaxed))) return false;
    clocks_.native_gone(record);
    return true;
  });
}

}  // namespace rec::agent
