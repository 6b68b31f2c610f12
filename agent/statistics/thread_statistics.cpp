// SPDX-License-Identifier: Apache-2.0
#include "agent/statistics/thread_statistics.h"

#include <unistd.h>

#include <algorithm>

#include "agent/sampling/thread_facts.h"
#include "base/clock.h"
#include "recorder/chunk/statistics_events.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constexpr int64_t kWorthAFileNs = 1'000'000;    // user and system time apart, which the kernel counts by the tick
constexpr uint64_t kNativeNumber = 1ull << 63;  // Java's ids are not as large

ThreadIdentity identity_of(const ThreadRecord& record) {
  const bool java = record.kind == ThreadKind::kJava;
  return {record.os_id.load(std::memory_order_relaxed),
          java ? static_cast<uint64_t>(record.java_id) : kNativeNumber | record.native_number};
}

bool is_same(const ThreadIdentity& one, const ThreadIdentity& other) {
  return one.os_id == other.os_id && one.number == other.number;
}

float part(int64_t of, int64_t all) {
  return all <= 0 ? 0.0f : std::min(1.0f, static_cast<float>(of) / static_cast<float>(all));
}

}  // namespace

void ThreadStatistics::open() {
  allocation_.open();
  processors_ = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
}

void ThreadStatistics::look(bool all) {
  take_threads();
  for (const Seen& seen : seen_) write(seen, all);
  loads_.end_look();
}

// What is read of the JVM's memory is read under the lock: no thread ends meanwhile.
void ThreadStatistics::take_threads() {
  seen_.clear();
  threads_.for_each_thread([&](ThreadRecord& record) {
    const bool java = record.java_thread != 0 && allocation_.known();
    seen_.push_back({&record, identity_of(record), java ? allocation_.bytes(record.java_thread) : -1});
  });
}

void ThreadStatistics::write(const Seen& seen, bool all) {
  const int64_t now = base::now_ticks();
  const ThreadUse use{now, task_cpu_ns(seen.identity.os_id), seen.allocated};
  const ThreadLoads::New news = loads_.next(seen.identity, use);
  if (seen.allocated >= 0 && (news.allocated || all))
    commit_of(seen, [&](Epoch& epoch, Ref<ThreadFact> thread) {
      return commit_figures(epoch, jfr::TypeId::kThreadAllocationStatistics, now, figures({seen.allocated}), thread);
    });
  if (news.cpu_ns > 0) write_load(seen, news, now);
}

void ThreadStatistics::write_load(const Seen& seen, const ThreadLoads::New& news, int64_t now) {
  OsState state;
  if (news.cpu_ns >= kWorthAFileNs && !read_stat(tasks_, seen.identity.os_id, state)) return;
  const int64_t user = loads_.user_since(seen.identity, state.user_ns, news.cpu_ns);
  const int64_t time = news.time_ns * processors_;
  commit_of(seen, [&](Epoch& epoch, Ref<ThreadFact> thread) {
    return commit_thread_load(epoch, now, thread, part(user, time), part(news.cpu_ns - user, time));
  });
}

// Its record may be another thread's by now.
template <typename Commit>
void ThreadStatistics::commit_of(const Seen& seen, Commit commit) {
  threads_.exclusively([&] {
    if (!is_same(identity_of(*seen.record), seen.identity)) return;
    const EpochPin pin;
    if (!pin) return Engine::losses().note(Note::kEventsRefused);
    if (!commit(*pin, own_fact(layout_, *pin, *seen.record))) Engine::losses().note(Note::kEventsRefused);
  });
}

}  // namespace rec::agent
