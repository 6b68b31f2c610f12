// SPDX-License-Identifier: Apache-2.0
// Late safepoints on their way through a recording: what is committed comes back, whatever the order and the chunk.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/clock.h"
#include "jrec/input/recording.h"
#include "jrec/print/print.h"
#include "jrec/safepoints/report.h"
#include "jrec/safepoints/stalls.h"
#include "jrec/safepoints/stops.h"
#include "recorder/chunk/safepoint_events.h"
#include "tests/jrec/commands.h"
#include "tests/recorder/file_reader.h"
#include "tests/recorder/simulated_vm.h"

namespace rec::test {
namespace {

constexpr int64_t kMs = 1'000'000;

TimeToSafepoint a_stall(int64_t id, int64_t length_ns) {
  TimeToSafepoint stall;
  stall.id = id;
  stall.start_ticks = base::now_ticks();
  stall.duration_ns = length_ns;
  stall.uptime_ns = 31'259 * kMs;
  stall.operation = "ThreadDump";
  stall.source = "counters";
  stall.late = stall.listed = stall.threads = 1;
  stall.handshake = id < 0;
  stall.vm_cpu_ns = 1 * kMs;
  stall.vm_run_delay_ns = 100 * kMs;
  stall.throttled_ns = 90 * kMs;
  stall.vm_state = "R";
  return stall;
}

SafepointStop a_stop() {
  SafepointStop stop;
  stop.id = 43;
  stop.start_ticks = base::now_ticks();
  stop.duration_ns = 60 * kMs;
  stop.reaching_ns = 2 * kMs;
  return stop;
}

void record_stop(const SafepointStop& stop, const TemporaryDirectory& directory) {
  const auto engine = start(test_config(directory));
  {
    const EpochPin pin;
    REQUIRE(pin);
    CHECK(commit(*pin, stop, {}));
  }
  REQUIRE(engine->stop().ok());
}

LateToSafepoint a_late(const TimeToSafepoint& stall, int64_t late_ns) {
  LateToSafepoint late;
  late.id = stall.id;
  late.start_ticks = stall.start_ticks;
  late.duration_ns = late_ns;
  late.java_thread = 0x7f00'0000'1000;
  late.java_priority = 5;
  late.last_cpu = 3;
  late.run_delay_ns = 7 * kMs;
  late.major_faults = 12;
  late.faulted_file = "/data/prices.bin";
  late.policy = "SCHED_OTHER";
  late.allowed_cpus = "ff,ffffffff";
  late.signals_sent = 1;
  return late;
}

LateStack a_question(const TimeToSafepoint& stall, int32_t number, bool answered) {
  LateStack stack;
  stack.id = stall.id;
  stack.os_thread_id = 70;
  stack.number = number;
  stack.answered = answered;
  stack.signal_sent_ticks = stall.start_ticks + 10 * kMs;
  stack.waited_ns = 10 * kMs;
  stack.os_state = "R";
  stack.wchan = "0";
  return stack;
}

Ref<ThreadFact> a_thread(Epoch& epoch, const std::string& name) {
  ThreadShape shape;
  shape.id = ThreadId{7};
  shape.os_thread_id = 70;
  shape.java_thread_id = 7;
  shape.java_name = shape.os_name = {name.data(), static_cast<uint16_t>(name.size())};
  return epoch.copy_thread(shape);
}

void commit_all(const TimeToSafepoint& stall) {
  const EpochPin pin;
  REQUIRE(pin);
  CHECK(commit(*pin, stall, {}));
}

void commit_thread(const TimeToSafepoint& stall, int64_t late_ns) {
  const EpochPin pin;
  REQUIRE(pin);
  CHECK(commit(*pin, a_late(stall, late_ns), a_thread(*pin, "culprit"), {}));
}

void commit_question(const TimeToSafepoint& stall, int32_t number, bool answered, int64_t at_ns) {
  const EpochPin pin;
  REQUIRE(pin);
  const std::vector<uint8_t> fields = encode_fields(a_question(stall, number, answered));
  CHECK(commit_late_stack(*pin, stall.start_ticks + at_ns, fields.data(), static_cast<uint32_t>(fields.size()),
                          a_thread(*pin, "culprit"), {}));
}

std::vector<jrec::Stall> stalls_in(const std::string& path) {
  jrec::Recording recording(path);
  REQUIRE(recording.open());
  jrec::Stalls stalls;
  recording.each_chunk([&](jfr::read::Chunk& chunk) {
    jrec::each_rec_event(chunk, [&](auto name, auto& fields) { stalls.take(name, fields); });
  });
  CHECK(recording.finish() == jrec::kDone);
  return stalls.worst_first();
}

TEST_CASE("the report says what the VM's own thread and a late one waited for, and how many were how late") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  const TimeToSafepoint stall = a_stall(41, 120 * kMs);
  commit_all(stall);
  commit_thread(stall, 119 * kMs);
  REQUIRE(engine->stop().ok());
  std::string text;
  jrec::report(stalls_in(directory / "recording.jfr"), "10 ms", 10, text);
  CHECK(
      text.find("the VM's own thread: state R, CPU used 1.000 ms, waited for a CPU 100.000 ms; the process had used up "
                "its quota of CPU for 90.000 ms\n") != std::string::npos);
  CHECK(text.find("waited for a CPU 7.000 ms, for 12 pages of /data/prices.bin\n") != std::string::npos);
  CHECK(text.find("         1    64 to 128 ms ####") != std::string::npos);
}

TEST_CASE("a late safepoint comes back with its thread and every field") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  const TimeToSafepoint stall = a_stall(41, 120 * kMs);
  commit_all(stall);
  commit_thread(stall, 119 * kMs);
  commit_question(stall, 1, true, 12 * kMs);
  REQUIRE(engine->stop().ok());
  const auto stalls = stalls_in(directory / "recording.jfr");
  REQUIRE(stalls.size() == 1);
  const jrec::Stall& back = stalls[0];
  CHECK(back.known);
  CHECK(back.id == 41);
  CHECK(back.length_ns == 120 * kMs);
  CHECK(back.uptime_ns == 31'259 * kMs);
  CHECK(back.operation == "ThreadDump");
  CHECK(back.cause == "");
  CHECK(back.stopped_ns == -1);
  CHECK(back.vm_cpu_ns == 1 * kMs);
  CHECK(back.vm_run_delay_ns == 100 * kMs);
  CHECK(back.throttled_ns == 90 * kMs);
  CHECK(back.vm_state == "R");
  REQUIRE(back.rows.size() == 1);
  const jrec::LateThreadRow& row = back.rows[0];
  CHECK(row.name == "culprit");
  CHECK(row.os_id == 70);
  CHECK(row.java_thread == 0x7f00'0000'1000);
  CHECK(row.late_ns == 119 * kMs);
  CHECK(row.last_cpu == 3);
  CHECK(row.run_delay_ns == 7 * kMs);
  CHECK(row.major_faults == 12);
  CHECK(row.faulted_file == "/data/prices.bin");
  CHECK(row.cpu_time_ns == -1);
  REQUIRE(row.stacks.size() == 1);
  CHECK(row.stacks[0].answered);
  CHECK(row.stacks[0].answered_ns - row.stacks[0].sent_ns == 2 * kMs);
}

TEST_CASE("a part of a stop that the JVM does not tell is null in JSON") {
  const TemporaryDirectory directory;
  record_stop(a_stop(), directory);
  jrec::PrintOptions options;
  options.files = {directory / "recording.jfr"};
  options.format = jrec::PrintFormat::kJsonLines;
  options.filter.events = "rec.SafepointStop";
  const ::test::Workplace place;
  int code = -1;
  const std::string text = place.output_of([&](jrec::Output& out) { return run_print(options, out); }, code);
  CHECK(code == jrec::kDone);
  CHECK(text.find("\"reaching\":\"PT0.002S\",\"cleanup\":null,\"atSafepoint\":null") != std::string::npos);
}

TEST_CASE(
    "a long stop comes back with its parts, what it was for and who asked; what the JVM does not tell is not shown") {
  const TemporaryDirectory directory;
  SafepointStop stop = a_stop();
  stop.at_ns = 57 * kMs;
  stop.leaving_ns = kMs;
  stop.operation = "HeapDumper";
  stop.caller = "Attach Listener";
  stop.threads = 30;
  stop.running = 4;
  record_stop(stop, directory);
  jrec::Recording recording(directory / "recording.jfr");
  REQUIRE(recording.open());
  jrec::Stops stops;
  recording.each_chunk([&](jfr::read::Chunk& chunk) {
    jrec::each_rec_event(chunk, [&](auto name, auto& fields) { stops.take(name, fields); });
  });
  CHECK(recording.finish() == jrec::kDone);
  const auto all = stops.longest_first();
  REQUIRE(all.size() == 1);
  CHECK(all[0].length_ns == 60 * kMs);
  CHECK(all[0].cleanup_ns == -1);
  CHECK(all[0].at_ns == 57 * kMs);
  std::string text;
  jrec::report_stops(all, 20, text);
  CHECK(text.find("reaching 2.000, at the safepoint 57.000, leaving 1.000") != std::string::npos);
  CHECK(text.find("cleanup") == std::string::npos);
  CHECK(text.find("operation HeapDumper, asked for by \"Attach Listener\", 4 of 30 threads ran") != std::string::npos);
  CHECK(FileReader::read(directory / "recording.jfr").count(jfr::TypeId::kExecuteVmOperation) == 1);
}

TEST_CASE("the worst comes first, and threads are found across chunks") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  const TimeToSafepoint small = a_stall(1, 11 * kMs), large = a_stall(2, 90 * kMs);
  commit_all(small);
  commit_all(large);
  REQUIRE(engine->rotate().ok());
  commit_thread(large, 90 * kMs);
  REQUIRE(engine->stop().ok());
  const auto stalls = stalls_in(directory / "recording.jfr");
  REQUIRE(stalls.size() == 2);
  CHECK(stalls[0].id == 2);
  REQUIRE(stalls[0].rows.size() == 1);
  CHECK(stalls[1].rows.empty());
}

TEST_CASE("an answer that came late takes the place of the word that there was none") {
  for (const bool answer_first : {false, true}) {
    const TemporaryDirectory directory;
    const auto engine = start(test_config(directory));
    const TimeToSafepoint stall = a_stall(5, 20 * kMs);
    commit_all(stall);
    commit_question(stall, 1, answer_first, 10 * kMs);
    commit_question(stall, 1, !answer_first, 30 * kMs);
    REQUIRE(engine->stop().ok());
    const auto stalls = stalls_in(directory / "recording.jfr");
    REQUIRE(stalls.size() == 1);
    REQUIRE(stalls[0].rows.size() == 1);
    REQUIRE(stalls[0].rows[0].stacks.size() == 1);
    CHECK(stalls[0].rows[0].stacks[0].answered);
  }
}

TEST_CASE("a thread whose safepoint is not in the recording is said to be a part") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  commit_thread(a_stall(8, 0), 33 * kMs);
  REQUIRE(engine->stop().ok());
  const auto stalls = stalls_in(directory / "recording.jfr");
  REQUIRE(stalls.size() == 1);
  CHECK_FALSE(stalls[0].known);
  CHECK(stalls[0].length_ns == 33 * kMs);
  std::string text;
  jrec::report(stalls, "", 20, text);
  CHECK(text.find("only parts of it are in the recording") != std::string::npos);
}

TEST_CASE("a handshake writes no event of a safepoint") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  commit_all(a_stall(-3, 40 * kMs));
  REQUIRE(engine->stop().ok());
  const auto stalls = stalls_in(directory / "recording.jfr");
  REQUIRE(stalls.size() == 1);
  CHECK(stalls[0].handshake);
  jrec::Recording recording(directory / "recording.jfr");
  REQUIRE(recording.open());
  recording.each_chunk([](jfr::read::Chunk& chunk) {
    auto events = chunk.events();
    for (jfr::read::Event event; events.next(event);)
      if (const auto* type = chunk.type_of(event)) CHECK(type->name != "jdk.SafepointBegin");
  });
}

jrec::Stall told(int64_t ns, std::vector<std::vector<std::string>> threads) {
  jrec::Stall stall;
  stall.known = true;
  stall.length_ns = ns;
  for (auto& frames : threads) {
    jrec::LateThreadRow& row = stall.rows.emplace_back();
    row.late_ns = ns;
    row.stacks.emplace_back().frames = std::move(frames);
  }
  return stall;
}

TEST_CASE("a method delays a safepoint once, however many threads were in it") {
  const auto methods = jrec::by_method({told(10 * kMs, {{"A.copy:1", "B.go:2"}, {"A.copy:9", "B.go:2"}}),
                                        told(30 * kMs, {{"A.copy:1", "B.go:2"}}), told(15 * kMs, {{"C.loop:3"}})});
  REQUIRE(methods.size() == 2);
  CHECK(methods[0].method == "A.copy");
  CHECK(methods[0].caller == "B.go");
  CHECK(methods[0].safepoints == 2);
  CHECK(methods[0].total_ns == 40 * kMs);
  CHECK(methods[0].longest_ns == 30 * kMs);
  CHECK(methods[1].caller == "");
}

TEST_CASE("golden: a late safepoint in the layout of Azul's log") {
  jrec::Stall stall;
  stall.known = true;
  stall.start_ns = 1'000'000'000'000;
  stall.uptime_ns = 31'259 * kMs;
  stall.length_ns = 17'526'000;
  jrec::LateThreadRow& row = stall.rows.emplace_back();
  row.name = "Thread-1\x1b";
  row.os_id = 30703;
  row.java_thread = 0x0000440005e00000;
  row.java_priority = 5;
  row.policy = "SCHED_OTHER";
  row.allowed_cpus = "ff,ffffffff";
  row.start_ns = stall.start_ns;
  row.late_ns = 17 * kMs;
  row.gave_way = row.known = true;
  row.last_cpu = 20;
  row.cpu_time_ns = 17'563 * kMs;
  row.where = {"App.run:7"};
  jrec::LateStackRow& stack = row.stacks.emplace_back();
  stack.sent_ns = stall.start_ns + 12 * kMs;
  stack.os_state = "R";
  stack.wchan = "0";
  std::string text;
  jrec::zing_report({stall}, text);
  CHECK(text ==
        "Detected TTSP issue: start: 31.259 wait: 17.526\n"
        "Dumping stack for thread 0x0000440005e00000\n"
        "\"Thread-1\\x1b\" id: 30703 prio: 5 os_prio: 0 sched: SCHED_OTHER allowed_cpus: ffffffffff\n"
        "lock_release: 31.276\n"
        "last_cpu: 20 cpu_time: 17563\n"
        "0 - App.run:7\n"
        "signal_sent: 31.271 signal_responded: not yet\n"
        "state: R wchan: 0\n"
        "last_cpu: -1 cpu_time: -1\n"
        "\n");
}

}  // namespace
}  // namespace rec::test
