// SPDX-License-Identifier: Apache-2.0
// Facts is what one pass over a recording gathers for the rules, by subject. Lengths are ns, sizes bytes, shares of one,
// times ns since 1970. -1: not known. A fact that no event tells keeps its first value.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "jrec/findings/frame_shares.h"
#include "jrec/findings/monitor_owners.h"
#include "jrec/findings/paired_collections.h"
#include "jrec/findings/ranking.h"
#include "jrec/findings/sampled_facts.h"
#include "jrec/findings/shared_waits.h"
#include "jrec/findings/thread_kinds.h"
#include "jrec/safepoints/stalls.h"
#include "jrec/values/jvm_numbers.h"
#include "jrec/view/empty_loads.h"
#include "jrec/view/growth_by_jvm.h"

namespace jrec {

struct HeapFacts {
  Course whole;      // when collections of the whole heap began; their values do not count
  Course after;      // bytes in use after a collection
  double most = -1;  // bytes that the heap may have
};
inline constexpr size_t kMostHeaps = 256;

inline constexpr std::string_view kSemaphore = "Semaphore";

inline constexpr std::string_view kSystemGc = "System.gc()", kStallCause = "Allocation Stall";  // of collections

// Of one JVM. Which of two types of events tells a thing is chosen for each: a recording may be put together of several, each
// by another recorder.
struct JvmCollections {
  Lengths phases;             // jdk.GCPhasePause
  Lengths collections;        // by the sum of their pauses
  Lengths asked_for;          // of these, by System.gc(),
  Lengths of_stalls;          // and since ZGC had no memory for a thread
  PairedCollections pairs;    // of those that were asked for, two of one call each
  uint64_t calls = 0;         // jdk.SystemGC
  uint64_t stalls = 0;        // jdk.ZAllocationStall
  bool tells_pauses = false;  // as below

  const Lengths& pauses() const { return phases.count != 0 ? phases : collections; }
};

struct CollectionFacts {
  std::map<uint32_t, JvmCollections> by_jvm;
  Lengths collections;        // by the sum of their pauses
  bool tells_pauses = false;  // an event is a pause, and several are one collection: rec's of concurrent collectors
  Ranking by_cause;           // name, cause
  std::map<uint32_t, HeapFacts> heaps;  // by JVM; of kMostHeaps at most
  Ranking explicit_calls;               // jdk.SystemGC: where from
  Ranking stalls;                       // jdk.ZAllocationStall: thread
  Ranking failures;                     // collections that found no room, by type and name
  Ranking live_objects;                 // sampled objects that live: class
  double cpu_ns = 0;                    // jdk.GCCPUTime, in the time that jdk.CPULoad tells of
  bool has_cpu = false;
};

struct WaitingFacts {
  Ranking monitors;        // jdk.JavaMonitorEnter: class, site of who waits
  MonitorOwners owners;    // likewise
  Ranking park_locks;      // jdk.ThreadPark for a lock of java.util.concurrent: its kind, site of who waits
  SharedWaits semaphores;  // jdk.ThreadPark for one
  Ranking pinned;          // jdk.VirtualThreadPinned: site
  Ranking files;           // jdk.FileRead, FileWrite, FileForce: path, site
  Ranking sockets;         // jdk.SocketRead, SocketWrite of connections that the program began: host and port, site
};

struct MachineFacts {
  Lengths loads;                                       // jdk.CPULoad events
  double jvm = 0, machine = 0;                         // sums of the shares of the machine that they tell
  EmptyLoads empty_loads;                              // which are not in these
  int64_t told_ns = 0;                                 // time of each JVM that they tell of
  GrowthByJvm slices, throttled_slices, throttled_ns;  // container, CPU quota
  Lengths of_throttling;
  int64_t hardware_threads = -1, container_cpus = -1;
  double memory = -1, container_memory = -1;
  bool tells_processes = false;  // jdk.SystemProcess
};

// OutOfMemoryError and StackOverflowError: class, site, thread. JFR writes an error as both, a recorder may write it as one.
struct FatalErrors {
  Ranking errors;      // jdk.JavaErrorThrow
  Ranking exceptions;  // jdk.JavaExceptionThrow
};

struct VmFacts {
  Ranking operations;        // jdk.ExecuteVMOperation at a safepoint, no collections: operation, caller
  Lengths reached;           // safepoints, until the last thread has stopped: jdk.SafepointBegin of JFR
  Ranking deoptimized;       // method, reason
  Ranking biased;            // revocations of biased locks, by type and class
  Ranking compile_failures;  // message
  Lengths code_cache_full;
  std::string code_cache;                 // which part was full
  std::map<uint32_t, Course> classes;     // loaded and not unloaded, by JVM; of kMostHeaps at most
  Lengths metaspace_full;                 // failures to allocate
  GrowthByJvm throwables;                 // jdk.ExceptionStatistics
  bool has_first_throwables = false;      // likewise, from the beginning of a JVM on
  Ranking thrown;                         // class, site
  double made_for_stacks = 0;             // of these, by weight: to look at the stack, and not to be thrown
  std::map<uint32_t, FatalErrors> fatal;  // by JVM; of kMostHeaps at most
  uint64_t dumps = 0;                     // thread dumps
  Lengths deadlocks;
  std::string deadlock;  // the words of the first
};

// Platform threads.
struct ThreadFacts {
  ThreadKinds kinds;
  Ranking starters;                  // jdk.ThreadStart: kind, method that starts it, kind of the thread that does
  std::map<uint32_t, Course> alive;  // jdk.JavaThreadStatistics, by JVM; of kMostHeaps at most
};

struct SettingFacts {
  bool has_jvm = false, has_heap = false, has_collector = false;
  std::string jvm, arguments, flags, java_arguments;
  double heap_max = -1;
  bool compressed_oops = true;
  std::string young, old;  // collectors
};

struct RecordingFacts {
  double lost_bytes = 0;
  Lengths losses;                            // jdk.DataLoss
  std::map<std::string, uint64_t> counters;  // rec.Counters: all of a cause; 256 at most
  uint64_t cpu_samples_taken = 0;            // jdk.CPUTimeSample, also where another clock's are shown
  uint64_t cpu_samples_lost = 0;             // jdk.CPUTimeSamplesLost
};

struct Facts {
  Facts() = default;
  Facts(const Facts&) = delete;  // work is of its tree
  Facts& operator=(const Facts&) = delete;

  std::set<std::string, std::less<>> seen;  // types that gather.h asks for, and that have events
  // Likewise, or samples of CPU time, and jdk.ActiveSetting says that they are enabled.
  std::set<std::string, std::less<>> recorded;
  int64_t start_ns = 0;     // of what is looked at
  int64_t duration_ns = 0;  // of what of that is recorded: times between recordings are none
  int64_t jvms_ns = 0;      // likewise, of each JVM: two at a time count twice
  JvmNumbers jvms;
  uint32_t jvm = 0;        // of the chunk that is looked at
  bool is_of_rec = false;  // likewise
  SampledFacts cpu, allocation;
  std::optional<FrameShares> work;  // of the CPU samples, once all are read
  CollectionFacts gc;
  WaitingFacts waits;
  MachineFacts machine;
  VmFacts vm;
  ThreadFacts threads;
  SettingFacts settings;
  RecordingFacts recording;
  Stalls stalls;  // late safepoints, of rec's recordings
  std::string safepoint_threshold;

  bool records(std::string_view type) const { return seen.contains(type) || recorded.contains(type); }
  double seconds() const { return static_cast<double>(duration_ns) / 1e9; }
  double jvm_seconds() const { return static_cast<double>(jvms_ns) / 1e9; }
};

}  // namespace jrec
