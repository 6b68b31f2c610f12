// SPDX-License-Identifier: Apache-2.0
// kill -9 at random instants. The victim numbers the samples of each of its threads and notes in a shared file how many
// were committed, after commit() said so. All of these must be in the recovered recording, once; of each thread one
// more may be there, which was committed just before its note.   REC_RUNS: kills per load, 4 if not set.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <random>
#include <thread>

#include "recover/dead_repository.h"
#include "recover/leftover_spools.h"
#include "tests/recorder/file_reader.h"
#include "tests/recorder/simulated_vm.h"

namespace rec::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::microseconds;

constexpr unsigned kMostThreads = 4;
constexpr unsigned kNumberBits = 24;  // of a sample within its thread; its weight carries both

// Lies in memory that the killed process shares with us.
struct Ledger {
  std::atomic<uint32_t> ready;
  std::array<std::atomic<uint32_t>, kMostThreads> committed;
};

struct Load {
  const char* name;
  unsigned threads;
  unsigned pause_us;        // after each sample; 0: none
  bool new_classes;         // each sample is of a class nobody has seen
  uint64_t max_chunk_size;  // small: rotation is hit
};
constexpr Load kLoads[] = {
    {"idle", 1, 5000, false, 12u << 20},
    {"two threads that burn", 2, 5, false, 12u << 20},
    {"class storm", 3, 20, true, 1u << 20},
    {"10,000 events a second", 1, 100, false, 12u << 20},
};

bool commit_numbered(SimulatedThread& thread, const SimulatedClass& klass, unsigned index, uint32_t number) {
  const EpochPin pin;
  if (!pin) return false;
  const std::array<Frame, 1> frames = {
      Frame{tag_method(*pin, klass, number % kMethodsPerClass), 0, FrameType::kJit, 0}};
  const auto stack = pin->intern_stack(frames, false);
  return stack && pin->commit({.kind = EventKind::kSample,
                               .ticks = base::now_ticks(),
                               .thread = thread.fact(*pin),
                               .stack = stack,
                               .value = sample_value(kStateRunnable, index << kNumberBits | number)});
}

[[noreturn]] void write_until_killed(const Load& load, unsigned index, Ledger& ledger) {
  SimulatedThread thread(index + 1);
  SimulatedClass klass;
  klass.load(1000 + index);
  for (uint32_t number = 1;; ++number) {
    if (load.new_classes) klass.load(1000 + number * kMostThreads + index);
    while (!commit_numbered(thread, klass, index, number)) std::this_thread::yield();
    ledger.committed[index].store(number, std::memory_order_release);
    if (load.pause_us) std::this_thread::sleep_for(microseconds(load.pause_us));
  }
}

[[noreturn]] void be_the_victim(const Load& load, const TemporaryDirectory& directory, Ledger& ledger) {
  EngineConfig config = test_config(directory);
  config.sample_event = SampleEvent::kCpuTimeSample;  // its period carries the number
  config.sample_period_ns = 1;
  config.flush_interval_ns = 3'000'000;
  config.max_chunk_size = load.max_chunk_size;
  const auto engine = start(config);
  ledger.ready = 1;
  for (unsigned i = 1; i < load.threads; ++i) std::thread([&, i] { write_until_killed(load, i, ledger); }).detach();
  write_until_killed(load, 0, ledger);
}

void kill_after(const Load& load, microseconds after, const TemporaryDirectory& directory, Ledger& ledger) {
  const pid_t victim = fork();
  if (victim == 0) be_the_victim(load, directory, ledger);
  int status = 0;
  while (!ledger.ready) {
    REQUIRE(waitpid(victim, &status, WNOHANG) == 0);  // it died by itself
    std::this_thread::sleep_for(microseconds(100));
  }
  std::this_thread::sleep_for(after);
  kill(victim, SIGKILL);
  REQUIRE(waitpid(victim, &status, 0) == victim);
  REQUIRE((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
}

void recover_all(const TemporaryDirectory& directory) {
  const std::string repository = directory / "repository";
  for (const auto& entry : fs::directory_iterator(directory / "")) {
    if (!entry.path().filename().string().starts_with("rec-")) continue;
    auto spools = LeftoverSpools::open(entry.path().string());
    REQUIRE(spools.ok());
    CHECK(spools->damage().empty());
    REQUIRE(spools->seal(repository, repository).ok());
  }
  auto dead = DeadRepository::open(repository);
  REQUIRE(dead.ok());
  const auto processes = dead->processes();
  REQUIRE(processes.size() == 1);
  REQUIRE(make_recording(processes[0].chunks, directory / "recovered.jfr").ok());
}

void check_each_once(const ReadFile& file, const Ledger& ledger) {
  std::array<std::vector<uint32_t>, kMostThreads> times;  // each number was seen
  for (const ReadSample& sample : file.samples) {
    const auto index = static_cast<unsigned>(sample.weight >> kNumberBits);
    const auto number = static_cast<uint32_t>(sample.weight & ((1u << kNumberBits) - 1));
    REQUIRE(index < kMostThreads);
    if (times[index].size() <= number) times[index].resize(number + 1);
    ++times[index][number];
  }
  for (unsigned index = 0; index < kMostThreads; ++index) {
    const uint32_t committed = ledger.committed[index];
    auto& seen = times[index];
    uint32_t missing = 0, twice = 0;
    CHECK(seen.size() <= committed + 2);  // numbers from 1 on, and the one that was not noted
    seen.resize(committed + 2);
    for (uint32_t number = 1; number <= committed + 1; ++number) {
      missing += seen[number] == 0 && number <= committed;
      twice += seen[number] > 1;
    }
    CHECK(missing == 0);
    CHECK(twice == 0);
  }
}

TEST_CASE("damage: after kill -9 every committed sample is recovered, and none is there twice" *
          doctest::test_suite("slow")) {
  const char* wished = std::getenv("REC_RUNS");
  const int runs = wished ? std::atoi(wished) : 4;
  void* shared = mmap(nullptr, sizeof(Ledger), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(shared != MAP_FAILED);
  std::mt19937 random(std::random_device{}());
  for (const Load& load : kLoads)
    for (int run = 0; run < runs; ++run) {
      auto& ledger = *new (shared) Ledger{};
      const TemporaryDirectory directory;
      const microseconds after(random() % 150'000);
      CAPTURE(load.name);
      CAPTURE(after.count());
      kill_after(load, after, directory, ledger);
      recover_all(directory);
      const ReadFile file = FileReader::read(directory / "recovered.jfr");
      CHECK(file.broken == "");
      check_each_once(file, ledger);
    }
  munmap(shared, sizeof(Ledger));
}

}  // namespace
}  // namespace rec::test
