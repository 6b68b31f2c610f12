// SPDX-License-Identifier: Apache-2.0
// Options are what the user asked of the agent: the text after the `=` of -agentpath:librec.so=..., parsed and checked.
//
//   -agentpath:/opt/rec/librec.so=filename=app-%p.jfr,interval=1ms,maxchunksize=1m
//
// One table (option_table.h) drives the parsing, `help` and docs/options.md. A key given twice: the last one counts; events add up.
// Called while the agent loads, and for each command that a running JVM is given; allocates.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "recorder/spool/limits.h"
#include "recorder/spool/sample_event.h"

namespace rec::agent {

using base::Error;
using base::Result;

enum class AgentCommand : uint8_t { kStart, kStop, kDump, kStatus, kSet, kThreads, kApi, kHelp, kVersion };
inline constexpr std::array kCommandWords = {"start",   "stop", "dump", "status", "set",
                                             "threads", "api",  "help", "version"};
enum class LogLevel : uint8_t { kError, kWarn, kInfo, kDebug };
enum class SampledEvent : uint8_t { kCpu, kCtimer, kItimer, kAlloc, kWall, kLive, kLock, kNativemem, kExceptions };
enum class CpuClockKind : uint8_t { kAuto, kPerf, kTimer };
// What a running recording can be told by `set`; kOfCommand: that may stand beside it; kFixed: not while it runs.
enum class Setting : uint8_t {
  kCpu,
  kAlloc,
  kWall,
  kLive,
  kLock,
  kNativemem,
  kExceptions,
  kSafepoint,
  kStatistics,
  kBlackbox,
  kThreadDump,
  kOfCommand,
  kFixed,
};
// Whose requests samples are given: auto looks for whatever is known, and is silent when there is nothing.
enum class ContextKind : uint8_t { kAuto, kOtel, kOff };
enum class OnError : uint8_t { kContinue, kExit };
enum class SampledThreads : uint8_t { kAll, kJava };
// What a thread dump tells: Java's stacks and states; also the system call that a thread is in, and its native frames;
// also how the system sees it: its run state, the kernel function, the last processor. A file of /proc and thread for
// the second, two more for the third.
enum class ThreadDetail : uint8_t { kJava, kNative, kSystem };

inline constexpr uint32_t kDefaultStackDepth = 256;
inline constexpr int64_t kDefaultAllocBytes = 512 << 10;  // JVMTI's own, and other profilers'
inline constexpr int64_t kDefaultWallNs = 50'000'000;     // as async-profiler's
inline constexpr int64_t kDefaultLockNs = 10'000'000;
inline constexpr int64_t kDefaultSpansNs = 1'000'000;
inline constexpr int64_t kDefaultExceptions = 100;  // a second, as JFR has it since JDK 25
inline constexpr int64_t kDefaultBlackboxNs = 1'000'000'000;
inline constexpr int64_t kDefaultStatisticsNs = 10'000'000'000;  // docs/statistics.md has what a look costs
inline constexpr int64_t kDefaultQuestionsNs = 10'000'000;       // between two questions to a thread that is late

struct Options {
  // help and version print to stdout and record nothing; start is what happens anyway. stop, dump and status are for a
  // running JVM, by its attach mechanism.
  AgentCommand command = AgentCommand::kStart;

  // A file that exists, is empty and belongs to this process' user: where the answer to the command goes (answer.h).
  // Empty: to stderr.
  std::string answer;

  // Where the finished recording goes; patterns as in filename.h, not expanded yet.
  std::string filename = "rec-%p-%t.jfr";
  bool filename_given = false;

  // The finished recording replaces whatever stands at its name; without it, it goes beside another one (NAME-2.jfr).
  bool overwrite = false;

  // Directory of the open recording's chunks. Empty: `<filename>.chunks`, beside the recording, so that the last step
  // is a rename within one file system.
  std::string repository;

  // Of the recording, as readers show it.
  std::string name = "rec";
  bool name_given = false;

  // Bytes at which a chunk is finished and the next one begins. Smaller ones let go of old data in smaller steps; each
  // chunk repeats the names that it uses.
  uint64_t max_chunk_size = kDefaultChunkSize;

  // Age at which a chunk is finished, whatever its size; 0: none.
  int64_t max_chunk_age_ns = 0;

  // Bytes of finished chunks that are kept; the oldest go first. 0: all.
  uint64_t max_size = 0;

  // Age beyond which finished chunks go; 0: none do.
  int64_t max_age_ns = 0;

  // Shell command that is run for each finished chunk, with the chunk's path as its last argument; empty: none.
  std::string on_chunk;

  // CPU time between two samples of a thread. Shorter shows more and costs more; below 50 us the signals themselves are
  // what one would see.
  int64_t period_ns = kDefaultPeriodNs;

  // Bits of the Settings that were named.
  uint32_t named = 0;
  bool names(Setting setting) const { return (named >> static_cast<unsigned>(setting) & 1) != 0; }
  void set_named(Setting setting) { named |= 1u << static_cast<unsigned>(setting); }

  // Bits of the clocks whose interval was given; the others have the one that there was.
  uint32_t intervals = 0;
  bool gives_interval(Setting clock) const { return (intervals >> static_cast<unsigned>(clock) & 1) != 0; }
  void set_interval_given(Setting clock) { intervals |= 1u << static_cast<unsigned>(clock); }

  // The clocks that run: those that are named, by `event` or by a key of their own; CPU time if none is, and if it is
  // not said to be off.
  bool names_cpu = false, names_alloc = false, names_wall = false, names_live = false, names_lock = false,
       names_nativemem = false, names_exceptions = false;
  bool samples_cpu() const {
    return names_cpu || !(names_alloc || names_wall || names_live || names_lock || names_nativemem ||
                          names_exceptions || names(Setting::kCpu));
  }
  bool samples_alloc() const { return names_alloc; }
  bool samples_wall() const { return names_wall; }
  bool samples_live() const { return names_live; }
  bool records_locks() const { return names_lock; }
  bool samples_nativemem() const { return names_nativemem; }
  bool records_exceptions() const { return names_exceptions; }

  // How CPU time is sampled: the other names wish for timers as other profilers have them.
  SampledEvent event = SampledEvent::kCpu;

  // Bytes that a thread allocates between two samples, on the average.
  int64_t alloc_bytes = kDefaultAllocBytes;
  // Likewise, between two whose life is followed.
  int64_t live_bytes = kDefaultAllocBytes;

  // Bytes that a thread allocates by malloc between two samples, on the average; 0: each allocation is one. And whether
  // the ends of these are written, too.
  int64_t nativemem_bytes = kDefaultAllocBytes;
  bool follows_frees = true;

  // How long a wait for a lock is at least to be written; shorter ones are counted.
  int64_t lock_ns = kDefaultLockNs;

  // Exceptions that are written in a second, about; others are told of by the weights of these. 0: each.
  int64_t exceptions_per_second = kDefaultExceptions;

  // Time between two visits to a thread, on the average.
  int64_t wall_ns = kDefaultWallNs;

  // What counts a thread's CPU time (agent/sampling/clock_choice.h).
  CpuClockKind cpu_clock = CpuClockKind::kAuto;

  // Of the whole process, or only those that Java knows: without collectors, compilers, and threads of libraries.
  SampledThreads sampled_threads = SampledThreads::kAll;

  // The event that carries a sample: JFR's jdk.ExecutionSample, which every tool knows, or JDK 25's jdk.CPUTimeSample.
  SampleEvent sample_event = SampleEvent::kExecutionSample;

  // Frames of a stack that are kept, innermost first; what is cut is marked as cut.
  uint32_t stack_depth = kDefaultStackDepth;
  bool carrier_frames = false;

  // Frames of native code in samples. Those of the kernel are wished for, but cannot be had yet.
  bool native_frames = true, kernel_frames = false, vm_above_events = false;

  // Time to safepoint from which on a safepoint is written, with the threads that it waited for; 0: not watched.
  int64_t safepoint_ns = 0;

  // Between two looks at the JVM's counters of safepoints; 0: half of the threshold, from 1 to 10 ms. Shorter
  // finds the threads sooner and costs more: each look takes some microseconds.
  int64_t safepoint_poll_ns = 0;

  // From the request of a safepoint to the first, second, ... question to a late thread where it is; none: the
  // threshold, and then each safepoint_interval_ns.
  std::vector<int64_t> safepoint_waits_ns;

  // Between further such questions.
  int64_t safepoint_interval_ns = kDefaultQuestionsNs;

  // File to which what is found is also written for people, in the layout of Azul's log; "stderr"; empty: none.
  std::string safepoint_log;

  // Whether samples are written with trace and span (agent/sampling/sample_contexts.h).
  ContextKind context = ContextKind::kAuto;
  // How long a span of the application is at least to be written (agent/spans/span_events.h); shorter ones are counted.
  int64_t spans_ns = kDefaultSpansNs;

  // Time from the start to the end of the recording; 0: until the JVM ends.
  int64_t duration_ns = 0;

  // Time from the start of the JVM to the start of the recording.
  int64_t delay_ns = 0;

  // Time after which a sample is in the file at the latest: what a crash of the machine may cost.
  int64_t flush_interval_ns = kDefaultFlushNs;

  // Time between two looks at what threads and memory use (agent/statistics); 0: none.
  int64_t statistics_ns = kDefaultStatisticsNs;

  // Time between two notes of memory, for a process that may be killed for it (agent/statistics/black_box.h); 0: none.
  int64_t blackbox_ns = kDefaultBlackboxNs;

  // Time between two thread dumps in the recording (jdk.ThreadDump); 0: none. They need no safepoint.
  int64_t thread_dump_ns = 0;

  // The command `threads` writes JSON and not text; and what it tells beside Java's own.
  bool threads_as_json = false;
  ThreadDetail thread_detail = ThreadDetail::kNative;

  // What the agent says on stderr. Silent when all is well, because the application owns stderr.
  LogLevel log_level = LogLevel::kWarn;

  // When the recording cannot start: let the application run without it, or end the JVM.
  OnError on_error = OnError::kContinue;

  friend bool operator==(const Options&, const Options&) = default;
};

// Reads the option string. The error (kUsage; offset: of the bad option in the text) is the first one met, a sentence
// that names the nearest key or what would have been taken. *exit_on_error tells whether `onerror=exit` stands anywhere
// in the text, also when another option is bad, and so does *answer.
Result<Options> parse_options(std::string_view text, bool* exit_on_error, std::string* answer = nullptr);

// The one line, without its end, that the agent prints when a recording cannot start, for this or any other reason:
// "rec: unknown option 'filenmae'; did you mean 'filename'? The application runs unrecorded. Try 'help'."
std::string refusal_line(const Error& error, bool exit_on_error);

}  // namespace rec::agent
