// SPDX-License-Identifier: Apache-2.0
// Many threads load, use and unload classes while the recorder flushes and rotates at any instant.
// REC_TEST_ROUNDS (default 4000): samples a thread. A million is a night's run.
#include <doctest/doctest.h>

#include <algorithm>
#include <thread>

#include "tests/recorder/file_reader.h"
#include "tests/recorder/simulated_vm.h"

namespace rec::test {
namespace {

uint64_t rounds() {
  const char* asked = std::getenv("REC_TEST_ROUNDS");
  return asked ? std::strtoull(asked, nullptr, 10) : 4000;
}

uint64_t all_losses() {
  uint64_t sum = 0;
  for (size_t i = 0; i < kLossCount; ++i) sum += Engine::losses().total(static_cast<Loss>(i));
  return sum;
}

// "sim/p3/C101" and "m101_2" belong together.
bool names_agree(const ReadFrame& frame) {
  const size_t c = frame.klass.rfind('C'), end = frame.method.find('_');
  return c != std::string::npos && end != std::string::npos &&
         frame.klass.substr(c + 1) == frame.method.substr(1, end - 1);
}

struct Outcome {
  uint64_t attempts = 0, written = 0, lost = 0;
  ReadFile file;
};

void await_change(const std::atomic<unsigned>& word) {
  for (const unsigned seen = word.load(); word.load() == seen;)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

// `threads` threads, each with classes of its own numbers; a class lives for five samples.
Outcome storm(EngineConfig config, unsigned threads, int64_t rotation_pause_us) {
  const uint64_t losses_before = all_losses(), samples_before = Engine::losses().total(Note::kSamples);
  const auto engine = start(config);
  std::atomic<unsigned> running{threads};
  std::atomic<unsigned> rotations{0};
  std::vector<std::thread> workers;
  for (unsigned t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      SimulatedThread self(100 + t);
      SimulatedClass klass;
      for (uint64_t i = 0; i < rounds(); ++i) {
        if (i % 5 == 0) klass.load(1000 + t * 10'000'000 % 60'000'000 + i / 5);
        sample(self, klass, i % kMethodsPerClass, 1 + i % 6, i % 16);
        if (i % 5 == 4) klass.unload();
        // Whatever the machine does, no epoch gets more than its first blocks hold: losses would be the recorder's
        // fault alone.
        if (i % 200 == 199) await_change(rotations);
      }
      running.fetch_sub(1);
    });
  }
  while (running.load() > 0) {
    CHECK(engine->rotate().ok());
    rotations.fetch_add(1);
    std::this_thread::sleep_for(std::chrono::microseconds(rotation_pause_us));
  }
  for (std::thread& worker : workers) worker.join();
  CHECK(engine->stop().ok());
  return {threads * rounds(), Engine::losses().total(Note::kSamples) - samples_before, all_losses() - losses_before,
          FileReader::read(config.filename)};
}

TEST_CASE("race: no sample and no name is lost while classes come and go and epochs flip") {
  const TemporaryDirectory directory;
  const Outcome outcome = storm(test_config(directory), 4, 500);
  CHECK(outcome.file.broken == "");
  CHECK(outcome.lost == 0);
  CHECK(outcome.written == outcome.attempts);
  CHECK(outcome.file.samples.size() == outcome.attempts);
  CHECK(outcome.file.counters.at("samples") == outcome.attempts);
  CHECK(outcome.file.chunks > 3);
  uint64_t wrong = 0;
  for (const ReadSample& one : outcome.file.samples)
    for (const ReadFrame& frame : one.frames) wrong += !names_agree(frame) || !frame.loader.starts_with("Loader");
  CHECK(wrong == 0);
}

TEST_CASE("race: samples written and losses add up to the attempts when the recorder cannot keep up") {
  const TemporaryDirectory directory;
  EngineConfig config = test_config(directory);
  config.flush_interval_ns = 5'000'000'000;
  // Copying fails now and then, as it does for memory that is unmapped under a walk.
  config.copy = [](void* to, const void* from, size_t size) {
    static std::atomic<unsigned> calls{0};
    if (calls.fetch_add(1, std::memory_order_relaxed) % 97 == 0) return false;
    std::memcpy(to, from, size);
    return true;
  };
  const Outcome outcome = storm(config, 3, 20'000);
  CHECK(outcome.file.broken == "");
  CHECK(outcome.written + outcome.lost == outcome.attempts);
  CHECK(outcome.file.samples.size() == outcome.written);
  uint64_t wrong = 0;
  for (const ReadSample& one : outcome.file.samples)
    for (const ReadFrame& frame : one.frames) wrong += !names_agree(frame) && frame.klass != "unknown";
  CHECK(wrong == 0);
}

TEST_CASE("race: threads that intern the same stacks get the same stacks") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  constexpr unsigned kStacks = 9000;  // more than the table's first generations hold
  const EpochPin pin;
  std::array<std::vector<uint32_t>, 3> seen;
  std::vector<std::thread> workers;
  for (auto& mine : seen) {
    workers.emplace_back([&] {
      for (unsigned i = 0; i < kStacks; ++i) {
        const Frame frame{{}, static_cast<uint16_t>(i), FrameType::kJit, static_cast<uint8_t>(i >> 16)};
        mine.push_back(pin->intern_stack({&frame, 1}, false).unit);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  std::vector<uint32_t> distinct;
  uint64_t different = 0;
  for (unsigned i = 0; i < kStacks; ++i) {
    CHECK(seen[0][i] != 0);
    different += seen[0][i] != seen[1][i] || seen[0][i] != seen[2][i];
    distinct.push_back(seen[0][i]);
  }
  // At the change of a generation one stack may be entered twice: harmless, and rare.
  CHECK(different < 10);
  std::sort(distinct.begin(), distinct.end());
  CHECK(std::unique(distinct.begin(), distinct.end()) == distinct.end());
}

}  // namespace
}  // namespace rec::test
