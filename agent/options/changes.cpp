// SPDX-License-Identifier: Apache-2.0
#include "agent/options/changes.h"

#include <cassert>

namespace rec::agent {
namespace {

constexpr Setting kClocks[] = {Setting::kCpu,  Setting::kAlloc,     Setting::kWall,      Setting::kLive,
                               Setting::kLock, Setting::kNativemem, Setting::kExceptions};

struct Members {
  bool Options::*named;
  int64_t Options::*interval;
};

Members members_of(Setting setting) {
  switch (setting) {
    case Setting::kCpu: return {&Options::names_cpu, &Options::period_ns};
    case Setting::kAlloc: return {&Options::names_alloc, &Options::alloc_bytes};
    case Setting::kWall: return {&Options::names_wall, &Options::wall_ns};
    case Setting::kLive: return {&Options::names_live, &Options::live_bytes};
    case Setting::kLock: return {&Options::names_lock, &Options::lock_ns};
    case Setting::kNativemem: return {&Options::names_nativemem, &Options::nativemem_bytes};
    case Setting::kExceptions: return {&Options::names_exceptions, &Options::exceptions_per_second};
    default: break;
  }
  assert(!"a setting of a clock");
  return {&Options::names_cpu, &Options::period_ns};
}

// Intervals are finer when they are shorter. That of exceptions is how many a second: finer when it is more, and 0 is all.
bool is_finer(Setting setting, int64_t interval, int64_t than) {
  if (setting != Setting::kExceptions) return interval < than;
  return than != 0 && (interval == 0 || interval > than);
}

}  // namespace

Options with_clocks_named(Options options) {
  options.names_cpu = options.samples_cpu();
  options.set_named(Setting::kCpu);
  return options;
}

ClockWish clock_wish(const Options& options, Setting setting) {
  const Members members = members_of(setting);
  const bool named = setting == Setting::kCpu ? options.samples_cpu() : options.*members.named;
  return {named, options.*members.interval};
}

void set_clock_wish(Options& options, Setting setting, const ClockWish& wish) {
  const Members members = members_of(setting);
  options.*members.named = wish.named;
  if (wish.named) options.*members.interval = wish.interval;
}

Options with_changes(const Options& running, const Options& changes) {
  Options out = with_clocks_named(running);
  for (const Setting clock : kClocks) {
    if (!changes.names(clock)) continue;
    ClockWish wish = clock_wish(changes, clock);
    if (!changes.gives_interval(clock)) wish.interval = clock_wish(running, clock).interval;
    set_clock_wish(out, clock, wish);
  }
  if (changes.names(Setting::kSafepoint)) out.safepoint_ns = changes.safepoint_ns;
  if (changes.names(Setting::kStatistics)) out.statistics_ns = changes.statistics_ns;
  if (changes.names(Setting::kBlackbox)) out.blackbox_ns = changes.blackbox_ns;
  if (changes.names(Setting::kThreadDump)) out.thread_dump_ns = changes.thread_dump_ns;
  return out;
}

Options without_stops(const Options& running, const Options& wanted) {
  Options out = with_clocks_named(wanted);
  for (const Setting clock : kClocks) {
    const ClockWish before = clock_wish(running, clock);
    if (before.named && !clock_wish(wanted, clock).named) set_clock_wish(out, clock, before);
  }
  return out;
}

Options with_finest(const Options& base, const std::vector<Options>& asked) {
  Options out = with_clocks_named(base);
  for (const Setting clock : kClocks) {
    ClockWish finest;
    for (const Options& each : asked) {
      const ClockWish wish = clock_wish(each, clock);
      if (wish.named && (!finest.named || is_finer(clock, wish.interval, finest.interval))) finest = wish;
    }
    set_clock_wish(out, clock, finest);
  }
  for (int64_t Options::*interval :
       {&Options::safepoint_ns, &Options::statistics_ns, &Options::blackbox_ns, &Options::thread_dump_ns}) {
    out.*interval = 0;
    for (const Options& each : asked)
      if (each.*interval != 0 && (out.*interval == 0 || each.*interval < out.*interval)) out.*interval = each.*interval;
  }
  return out;
}

}  // namespace rec::agent
