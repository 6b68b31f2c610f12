// SPDX-License-Identifier: Apache-2.0
// A recording without a JVM, for the loops that make its n-th system call fail (tests/jvm/nth_fault.sh): threads commit
// events in four phases, a rotation after each, a dump in the middle and a stop at the end. What it asks of the system
// is the same in each run, as far as threads allow.
//
//   fault_driver DIRECTORY   (absolute: spools name it) records to DIRECTORY/recording.jfr and DIRECTORY/dump.jfr
//
// Prints one line, "start=ok rotations=4 dump=ok stop=ok emitted=N committed=N lost=N", and what the recorder said on
// stderr. The status is 0 whatever the disk did, since an application survives that; anything else is a mistake of
// ours.
#include <cinttypes>
#include <thread>

#include "tests/recorder/simulated_vm.h"

namespace rec::test {
namespace {

constexpr unsigned kThreads = 3;
constexpr unsigned kPhases = 4;
constexpr unsigned kEventsPerPhase = 4000;  // of a thread: together the log must grow beyond its first blocks
constexpr unsigned kClasses = 50;
constexpr int64_t kStopLimitNs = 5'000'000'000;

// One classloader's worth of classes, the same for all threads.
struct Classes {
  std::array<SimulatedClass, kClasses> all;
  Classes() {
    for (unsigned i = 0; i < kClasses; ++i) all[i].load(100 + i);
  }
};

// `emitted` counts every try: each must be committed or counted as lost.
void commit_events(SimulatedThread& thread, const Classes& classes, unsigned phase, std::atomic<uint64_t>& emitted) {
  for (unsigned i = 0; i < kEventsPerPhase; ++i) {
    const unsigned class_index = (i * 7 + phase) % kClasses;
    emitted.fetch_add(1, std::memory_order_relaxed);
    sample(thread, classes.all[class_index], i % kMethodsPerClass, 1 + i % 8, static_cast<uint16_t>(i % 16));
  }
}

void run_phase(std::vector<std::unique_ptr<SimulatedThread>>& threads, const Classes& classes, unsigned phase,
               std::atomic<uint64_t>& emitted) {
  std::vector<std::thread> running;
  for (auto& thread : threads) running.emplace_back([&, phase] { commit_events(*thread, classes, phase, emitted); });
  for (auto& thread : running) thread.join();
}

uint64_t total_lost() {
  uint64_t lost = 0;
  for (size_t i = 0; i < kLossCount; ++i) lost += Engine::losses().total(static_cast<Loss>(i));
  return lost;
}

const char* outcome(const Status& status) { return status ? "ok" : "failed"; }

void explain(const char* what, const Status& status) {
  if (!status) std::fprintf(stderr, "%s: %s\n", what, status.error().what.c_str());
}

EngineConfig driver_config(const std::string& directory) {
  EngineConfig config;
  config.filename = directory + "/recording.jfr";
  config.repository = config.filename + ".chunks";
  config.spool_directory = directory;
  config.max_chunk_size = kMinChunkSize;
  config.flush_interval_ns = 20'000'000;
  config.log = [](const char* line) { std::fprintf(stderr, "rec: %s\n", line); };
  return config;
}

int record(const std::string& directory) {
  auto started = Engine::start(driver_config(directory), {});
  if (!started) {
    std::fprintf(stderr, "start: %s\n", started.error().what.c_str());
    std::printf("start=failed rotations=0 dump=none stop=none emitted=0 committed=0 lost=0\n");
    return 0;
  }
  const auto classes = std::make_unique<Classes>();
  std::vector<std::unique_ptr<SimulatedThread>> threads;
  for (unsigned i = 0; i < kThreads; ++i) threads.push_back(std::make_unique<SimulatedThread>(1 + i));
  std::atomic<uint64_t> emitted{0};
  unsigned rotations = 0;
  Status dumped = base::Done{};
  for (unsigned phase = 0; phase < kPhases; ++phase) {
    run_phase(threads, *classes, phase, emitted);
    const Status rotated = (*started)->rotate();
    explain("rotate", rotated);
    rotations += rotated ? 1 : 0;
    if (phase == 1) dumped = (*started)->dump(directory + "/dump.jfr");
  }
  explain("dump", dumped);
  const Status stopped = (*started)->stop(kStopLimitNs);
  explain("stop", stopped);
  std::printf("start=ok rotations=%u dump=%s stop=%s emitted=%" PRIu64 " committed=%" PRIu64 " lost=%" PRIu64 "\n",
              rotations, outcome(dumped), outcome(stopped), emitted.load(), Engine::losses().total(Note::kSamples),
              total_lost());
  return 0;
}

}  // namespace
}  // namespace rec::test

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: fault_driver DIRECTORY\n"), 64;
  return rec::test::record(argv[1]);
}
