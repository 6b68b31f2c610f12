// SPDX-License-Identifier: Apache-2.0
#include "agent/nativemem/nativemem_clock.h"

#include <string>
#include <utility>

#include "agent/nativemem/allocator_hooks.h"
#include "agent/options/log.h"
#include "agent/process/loaded_libraries.h"
#include "base/units.h"

namespace rec::agent {
namespace {

std::string entries_text(uint32_t count) { return std::to_string(count) + (count == 1 ? " entry" : " entries"); }

}  // namespace

// The hooks come last: from there on all that they need is used.
base::Status NativememClock::start(JNIEnv*, int64_t interval_bytes) {
  const std::lock_guard lock(mutex_);
  malloc_sampling().start(session_, interval_bytes, follows_);
  changes_ = library_changes();
  look_again_ = true;
  const ImportCount count = AllocatorHooks::install(follows_);
  if (!AllocatorHooks::has_vm()) {
    remove_hooks();
    return clock_refused(count.refused != 0 ? "is not to be had: the system keeps import tables read-only"
                                            : "is not to be had: another library has the VM's malloc in its hands");
  }
  running_ = true;
  interval_ = interval_bytes;
  say_refused(count);
  if (count.elsewhere != 0)
    say(LogLevel::kInfo,
        entries_text(count.elsewhere) + " of import tables lead to an allocator that is not looked at");
  return base::Done{};
}

base::Status NativememClock::change(int64_t interval_bytes) {
  malloc_sampling().change(interval_bytes);
  interval_ = interval_bytes;
  return base::Done{};
}

void NativememClock::stop(JNIEnv*) {
  const std::lock_guard lock(mutex_);
  if (running_.exchange(false)) remove_hooks();
}

void NativememClock::remove_hooks() {
  malloc_sampling().stop();
  const ImportCount count = AllocatorHooks::remove();
  if (count.elsewhere != 0)
    say(LogLevel::kInfo, entries_text(count.elsewhere) + " of import tables are somebody else's and stay as they are");
  say_refused(count);
}

// A library that is just being loaded is in the list before it is bound: so once more, a little later.
void NativememClock::tend() {
  const std::lock_guard lock(mutex_);
  if (!running_) return;
  const uint64_t changes = library_changes();
  const bool changed = std::exchange(changes_, changes) != changes;
  if (!changed && !look_again_) return;
  look_again_ = changed;
  say_refused(AllocatorHooks::install(follows_));
}

ClockStatus NativememClock::status() {
  const int64_t interval = interval_;
  return {running_, interval, interval == 0 ? "all" : base::size_text(interval), ""};
}

void NativememClock::say_refused(const ImportCount& count) {
  if (count.refused == 0 || std::exchange(said_refused_, true)) return;
  say(LogLevel::kWarn, entries_text(count.refused) +
                           " of import tables cannot be changed: the system refuses. Memory that "
                           "is allocated or freed by them is not seen");
}

}  // namespace rec::agent
