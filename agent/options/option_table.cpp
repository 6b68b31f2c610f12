// SPDX-License-Identifier: Apache-2.0
#include "agent/options/option_table.h"

#include "agent/options/clock_rows.h"
#include "agent/options/statistics_rows.h"
#include "base/units.h"
#include "recorder/spool/limits.h"

namespace rec::agent {
namespace {

// Among the choices of cstack: those before show no native frames; vmx; the last one.
constexpr int64_t kNativeChoice = 2, kMixedChoice = 4, kKernelChoice = 7;

constexpr int64_t kMicrosecond = 1'000;
constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kDay = 86'400 * kSecond;
constexpr int64_t kMiB = 1 << 20;

constexpr OptionRow kTable[] = {
    {.key = "filename",
     .synonym = "file",
     .kind = OptionKind::kText,
     .default_text = "rec-%p-%t.jfr",
     .what =
         "The finished recording. %p is the process id, %t the time as yyyy_MM_dd_HH_mm_ss, %{NAME} a variable of the "
         "environment, %n{MAX} a number that goes round from 1 to MAX: the one after that of the newest file there is. "
         "A directory gets a file of the default name.",
     .set = [](Options& o, const OptionValue& v) { o.filename = v.text, o.filename_given = true; }},
    {.key = "overwrite",
     .synonym = "",
     .kind = OptionKind::kChoice,
     .default_text = "false",
     .what =
         "Whether the finished recording, or a dump, replaces another one of its name. Without it the later one gets "
         "a number, app-2.jfr, and a line says so. A ring (%n{MAX}) replaces its oldest in any case.",
     .choices = "false|true",
     .set = [](Options& o, const OptionValue& v) { o.overwrite = v.number != 0; }},
    kIntervalRow,
    {.key = "event",
     .synonym = "",
     .kind = OptionKind::kChoice,
     .default_text = "cpu",
     .what = "What is recorded: the CPU time of threads, all of their time, allocations, what of them lives, waits for "
             "locks, native memory, or exceptions. Several: event=cpu,alloc,wall. The names of other profilers for a "
             "timer stand "
             "for cpu-clock=timer: "
             "ctimer, and itimer, which there is one for all threads.",
     .choices = "cpu|ctimer|itimer|alloc|wall|live|lock|nativemem|exceptions",
     .several = true,
     .set =
         [](Options& o, const OptionValue& v) {
           const auto name = [&o](bool& clock, Setting setting) { clock = true, o.set_named(setting); };
           const auto event = static_cast<SampledEvent>(v.number);
           if (event == SampledEvent::kAlloc) return name(o.names_alloc, Setting::kAlloc);
           if (event == SampledEvent::kWall) return name(o.names_wall, Setting::kWall);
           if (event == SampledEvent::kLive) return name(o.names_live, Setting::kLive);
           if (event == SampledEvent::kLock) return name(o.names_lock, Setting::kLock);
           if (event == SampledEvent::kNativemem) return name(o.names_nativemem, Setting::kNativemem);
           if (event == SampledEvent::kExceptions) return name(o.names_exceptions, Setting::kExceptions);
           name(o.names_cpu, Setting::kCpu);
           o.event = event;
         }},
    kCpuRow,
    kAllocRow,
    kWallRow,
    kLiveRow,
    kLockRow,
    kNativememRow,
    kNofreeRow,
    kExceptionsRow,
    {.key = "cpu-clock",
     .synonym = "cpuclock",
     .kind = OptionKind::kChoice,
     .default_text = "auto",
     .what = "What counts a thread's CPU time. timer: a POSIX timer, which costs next to nothing and ticks with the "
             "kernel, mostly each 4ms; a finer interval becomes that. perf: its task-clock, which keeps any interval, "
             "but is dear in virtual machines and for threads that switch often, and by which blocking system calls "
             "may come back short or with EINTR. auto: timers where the interval allows, else perf, if it may see the "
             "kernel and takes less than half of the interval.",
     .choices = "auto|perf|timer",
     .set = [](Options& o, const OptionValue& v) { o.cpu_clock = static_cast<CpuClockKind>(v.number); }},
    {.key = "sampledthreads",
     .synonym = "",
     .kind = OptionKind::kChoice,
     .default_text = "all",
     .what = "Whose CPU time is sampled. all: each thread of the process; those that Java does not know (collectors, "
             "compilers, the VM's, threads of libraries) show what they are for instead of a stack, and the profile's "
             "total is the CPU time of the process. java: threads of Java only.",
     .choices = "all|java",
     .set = [](Options& o, const OptionValue& v) { o.sampled_threads = static_cast<SampledThreads>(v.number); }},
    {.key = "sampleevent",
     .synonym = "",
     .kind = OptionKind::kChoice,
     .default_text = "execution",
     .what = "The event that carries a sample: jdk.ExecutionSample, which every tool knows, or jdk.CPUTimeSample of "
             "JDK 25.",
     .choices = "execution|cputime",
     .set =
         [](Options& o, const OptionValue& v) {
           o.sample_event = v.number == 0 ? SampleEvent::kExecutionSample : SampleEvent::kCpuTimeSample;
         }},
    {.key = "stackdepth",
     .synonym = "jstackdepth",
     .kind = OptionKind::kCount,
     .default_number = kDefaultStackDepth,
     .what = "Frames of a stack that are kept, innermost first. A stack that was cut is marked.",
     .smallest = 1,
     .largest = kMaxFrames,
     .set = [](Options& o, const OptionValue& v) { o.stack_depth = static_cast<uint32_t>(v.number); }},
    {.key = "carrierframes",
     .synonym = "",
     .kind = OptionKind::kChoice,
     .default_text = "false",
     .what =
         "Whether the stack of a virtual thread goes on with the frames of the thread that carries it. Without them "
         "it ends where the virtual thread was entered, as with JFR.",
     .choices = "false|true",
     .set = [](Options& o, const OptionValue& v) { o.carrier_frames = v.number != 0; }},
    {.key = "cstack",
     .synonym = "",
     .kind = OptionKind::kChoice,
     .default_text = "native",
     .what =
         "Whether stacks show native frames: of the VM and of libraries, above Java's, between them and below them, "
         "and of threads without any. none: Java's only. vmx: above Java's in allocations and waits for monitors, too. "
         "kernel: those of the kernel, too, by perf's clock (see cpu-clock), where the system allows that. The other "
         "names, which other profilers have for their ways to find them, mean native here.",
     .choices = "none|no|native|vm|vmx|dwarf|fp|kernel",
     .set =
         [](Options& o, const OptionValue& v) {
           o.native_frames = v.number >= kNativeChoice;
           o.kernel_frames = v.number == kKernelChoice;
           o.vm_above_events = v.number == kMixedChoice;
         }},
    {.key = "context",
     .synonym = "",
     .kind = OptionKind::kChoice,
     .default_text = "auto",
     .what =
         "Whether samples are written with the trace and span of the request that they were taken in "
         "(rec.SampleContext), as a loaded library tells by OpenTelemetry's thread context, the thread-local variable "
         "otel_thread_ctx_v1, or the application by rec_context.h or rec.Context. auto: where somebody tells. otel: "
         "likewise, and a line says when no library does. off: spans are not written, either.",
     .choices = "auto|otel|off",
     .set = [](Options& o, const OptionValue& v) { o.context = static_cast<ContextKind>(v.number); }},
    kSpansRow,
    {.key = "safepoint",
     .synonym = "",
     .kind = OptionKind::kDuration,
     .what = "Write each safepoint that took longer to be reached, and the threads that it waited for: where they were "
             "and where they gave way. 0 watches none.",
     .smallest = kMillisecond,
     .largest = 3600 * kSecond,
     .zero_is_off = true,
     .setting = Setting::kSafepoint,
     .set = [](Options& o, const OptionValue& v) { o.safepoint_ns = v.number; }},
    {.key = "safepointpoll",
     .synonym = "",
     .kind = OptionKind::kDuration,
     .what = "Time between two looks whether a safepoint is under way. 0: half of the threshold, from 1ms to 10ms.",
     .smallest = 100 * kMicrosecond,
     .largest = 10 * kSecond,
     .zero_is_off = true,
     .set = [](Options& o, const OptionValue& v) { o.safepoint_poll_ns = v.number; }},
    {.key = "safepointbacktraces",
     .synonym = "",
     .kind = OptionKind::kTimes,
     .default_text = "",
     .what =
         "When a late thread is asked where it is, from the request of the safepoint on: up to five rising times with "
         "colons between, as in 10ms:20ms:50ms:100ms:1s. Without it: at the threshold.",
     .smallest = kMillisecond,
     .largest = 3600 * kSecond,
     .set = [](Options& o, const OptionValue& v) { o.safepoint_waits_ns = v.numbers; }},
    {.key = "safepointinterval",
     .synonym = "",
     .kind = OptionKind::kDuration,
     .default_number = kDefaultQuestionsNs,
     .what = "Time between further such questions.",
     .smallest = kMillisecond,
     .largest = 3600 * kSecond,
     .set = [](Options& o, const OptionValue& v) { o.safepoint_interval_ns = v.number; }},
    {.key = "safepointlog",
     .synonym = "",
     .kind = OptionKind::kText,
     .default_text = "",
     .what = "File to which the same is written for people, in the layout of Azul's Safepoint Profiler; stderr is one. "
             "Patterns as in filename.",
     .set = [](Options& o, const OptionValue& v) { o.safepoint_log = v.text; }},
    {.key = "duration",
     .synonym = "timeout",
     .kind = OptionKind::kDuration,
     .what = "How long to record; 0 until the JVM ends. A number without a unit counts seconds.",
     .largest = 36500 * kDay,
     .bare_unit_ns = kSecond,
     .set = [](Options& o, const OptionValue& v) { o.duration_ns = v.number; }},
    {.key = "delay",
     .synonym = "",
     .kind = OptionKind::kDuration,
     .what = "How long to wait before the recording starts.",
     .largest = 36500 * kDay,
     .set = [](Options& o, const OptionValue& v) { o.delay_ns = v.number; }},
    {.key = "maxchunksize",
     .synonym = "chunksize",
     .kind = OptionKind::kSize,
     .default_number = kDefaultChunkSize,
     .what = "Size at which a chunk of the recording is finished and the next one begins, names counted.",
     .smallest = kMinChunkSize,
     .largest = kMaxChunkSize,
     .set = [](Options& o, const OptionValue& v) { o.max_chunk_size = static_cast<uint64_t>(v.number); }},
    {.key = "maxchunkage",
     .synonym = "chunktime",
     .kind = OptionKind::kDuration,
     .what = "Age at which a chunk is finished, whatever its size; 0 never. A number without a unit counts seconds.",
     .smallest = kSecond,
     .largest = 36500 * kDay,
     .zero_is_off = true,
     .bare_unit_ns = kSecond,
     .set = [](Options& o, const OptionValue& v) { o.max_chunk_age_ns = v.number; }},
    {.key = "maxsize",
     .synonym = "",
     .kind = OptionKind::kSize,
     .what = "Size of the finished chunks that are kept; the oldest go first. 0 keeps all.",
     .smallest = kMiB,
     .zero_is_off = true,
     .set = [](Options& o, const OptionValue& v) { o.max_size = static_cast<uint64_t>(v.number); }},
    {.key = "maxage",
     .synonym = "",
     .kind = OptionKind::kDuration,
     .what = "Age beyond which finished chunks go. 0 keeps all.",
     .smallest = kSecond,
     .largest = 36500 * kDay,
     .zero_is_off = true,
     .set = [](Options& o, const OptionValue& v) { o.max_age_ns = v.number; }},
    {.key = "onchunk",
     .synonym = "",
     .kind = OptionKind::kText,
     .default_text = "",
     .what =
         "Shell command that is run for each finished chunk, with the chunk's path as its last argument: to upload "
         "it, say. It may fail or hang; the recording goes on. The application gets SIGCHLD when it ends, and takes "
         "its exit status if it waits for any child.",
     .set = [](Options& o, const OptionValue& v) { o.on_chunk = v.text; }},
    {.key = "flush-interval",
     .synonym = "",
     .kind = OptionKind::kDuration,
     .default_number = kDefaultFlushNs,
     .what = "Time after which what was recorded is in the file at the latest.",
     .smallest = 10 * kMillisecond,
     .largest = 3600 * kSecond,
     .set = [](Options& o, const OptionValue& v) { o.flush_interval_ns = v.number; }},
    kStatisticsRow,
    kBlackboxRow,
    kThreadDumpRow,
    {.key = "repository",
     .synonym = "",
     .kind = OptionKind::kText,
     .default_text = "",
     .what =
         "Directory of the chunks while the recording is open. Without it: beside the recording, as FILENAME.chunks.",
     .set = [](Options& o, const OptionValue& v) { o.repository = v.text; }},
    {.key = "name",
     .synonym = "",
     .kind = OptionKind::kText,
     .default_text = "rec",
     .what = "The recording's name, as readers show it. A recording that starts beside another one needs a name of its "
             "own; stop, dump, status and set say by it which one is meant.",
     .setting = Setting::kOfCommand,
     .set = [](Options& o, const OptionValue& v) { o.name = v.text, o.name_given = true; }},
    {.key = "loglevel",
     .synonym = "",
     .kind = OptionKind::kChoice,
     .default_text = "warn",
     .what = "How much the agent says on stderr. At warn it is silent when all is well.",
     .choices = "error|warn|info|debug",
     .setting = Setting::kOfCommand,
     .set = [](Options& o, const OptionValue& v) { o.log_level = static_cast<LogLevel>(v.number); }},
    {.key = "onerror",
     .synonym = "",
     .kind = OptionKind::kChoice,
     .default_text = "continue",
     .what = "When the recording cannot start: the application runs unrecorded, or the JVM ends.",
     .choices = "continue|exit",
     .set = [](Options& o, const OptionValue& v) { o.on_error = static_cast<OnError>(v.number); }},
    {.key = "start",
     .synonym = "",
     .kind = OptionKind::kWord,
     .default_text = "",
     .what = "Record; this is what happens without it, too.",
     .set = [](Options& o, const OptionValue&) { o.command = AgentCommand::kStart; }},
    {.key = "stop",
     .synonym = "",
     .kind = OptionKind::kWord,
     .default_text = "",
     .what = "In a running JVM: end the recording, under filename if one is given here. Everything is released.",
     .set = [](Options& o, const OptionValue&) { o.command = AgentCommand::kStop; }},
    {.key = "dump",
     .synonym = "",
     .kind = OptionKind::kWord,
     .default_text = "",
     .what = "In a running JVM: write the recording so far, to filename if one is given here; it goes on.",
     .set = [](Options& o, const OptionValue&) { o.command = AgentCommand::kDump; }},
    {.key = "status",
     .synonym = "",
     .kind = OptionKind::kWord,
     .default_text = "",
     .what = "In a running JVM: say what is being recorded.",
     .set = [](Options& o, const OptionValue&) { o.command = AgentCommand::kStatus; }},
    {.key = "set",
     .synonym = "",
     .kind = OptionKind::kWord,
     .default_text = "",
     .what = "In a running JVM: what the recording records from now on, set,wall=50ms,alloc=off. A clock that is named "
             "starts, has another interval, or stops; others go on. For cpu, alloc, wall, live, lock, nativemem, "
             "exceptions, safepoint, statistics, blackbox and threaddump.",
     .setting = Setting::kOfCommand,
     .set = [](Options& o, const OptionValue&) { o.command = AgentCommand::kSet; }},
    {.key = "threads",
     .synonym = "",
     .kind = OptionKind::kWord,
     .default_text = "",
     .what = "In a running JVM: write what every thread does to the new file filename, without a safepoint. Records "
             "nothing.",
     .set = [](Options& o, const OptionValue&) { o.command = AgentCommand::kThreads; }},
    {.key = "threadsformat",
     .synonym = "",
     .kind = OptionKind::kChoice,
     .default_text = "text",
     .what = "Of threads: text in the layout of the JVM's own thread dumps, or JSON.",
     .choices = "text|json",
     .set = [](Options& o, const OptionValue& v) { o.threads_as_json = v.number == 1; }},
    {.key = "threadsdetail",
     .synonym = "",
     .kind = OptionKind::kChoice,
     .default_text = "native",
     .what = "Of threads, beside Java's stacks and states: nothing; the system call that each is in and its native "
             "frames; or also its run state, kernel function and last processor.",
     .choices = "java|native|system",
     .set = [](Options& o, const OptionValue& v) { o.thread_detail = static_cast<ThreadDetail>(v.number); }},
    {.key = "answer",
     .synonym = "",
     .kind = OptionKind::kText,
     .default_text = "",
     .what = "For front ends: an empty file of this user's, to which the answer to a command is written, a line for "
             "people and one of JSON. Without it answers go to stderr.",
     .setting = Setting::kOfCommand,
     .set = [](Options& o, const OptionValue& v) { o.answer = v.text; }},
    {.key = "api",
     .synonym = "",
     .kind = OptionKind::kWord,
     .default_text = "",
     .what = "Record nothing; the library is there for other profilers, which call it by asgst.h.",
     .set = [](Options& o, const OptionValue&) { o.command = AgentCommand::kApi; }},
    {.key = "help",
     .synonym = "",
     .kind = OptionKind::kWord,
     .default_text = "",
     .what = "Print this and record nothing.",
     .set = [](Options& o, const OptionValue&) { o.command = AgentCommand::kHelp; }},
    {.key = "version",
     .synonym = "",
     .kind = OptionKind::kWord,
     .default_text = "",
     .what = "Print the version and record nothing.",
     .set = [](Options& o, const OptionValue&) { o.command = AgentCommand::kVersion; }},
};

}  // namespace

std::span<const OptionRow> option_table() { return kTable; }

const OptionRow* find_option(std::string_view key) {
  for (const OptionRow& row : kTable) {
    if (key == row.key || (!row.synonym.empty() && key == row.synonym)) return &row;
  }
  return nullptr;
}

std::string number_text(const OptionRow& row, int64_t number) {
  if (row.kind == OptionKind::kDuration) return base::duration_text(number);
  if (row.kind == OptionKind::kSize) return base::size_text(number);
  return std::to_string(number);
}

std::string default_of(const OptionRow& row) {
  const bool is_number =
      row.kind == OptionKind::kSize || row.kind == OptionKind::kDuration || row.kind == OptionKind::kCount;
  return is_number ? number_text(row, row.default_number) : std::string(row.default_text);
}

}  // namespace rec::agent
