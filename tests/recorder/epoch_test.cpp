// SPDX-License-Identifier: Apache-2.0
#include "recorder/epoch/epoch.h"

#include <doctest/doctest.h>

#include "recorder/epoch/class_lease.h"
#include "recorder/epoch/lease.h"
#include "tests/recorder/file_reader.h"
#include "tests/recorder/simulated_vm.h"

namespace rec::test {
namespace {

constexpr MethodVersion version(uint64_t n) { return {.const_method = n, .code_size = 8}; }

TEST_CASE("versions of a redefined method share their id and keep their own lines") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  SimulatedThread thread(1);
  {
    const EpochPin pin;
    const auto holder = pin->tag_class({.id = ClassId{50}, .method_count = 2, .name = text("a/B")});
    bool again = false;  // the last round comes back to the first version
    for (const uint8_t line : {1, 2, 3, 1}) {
      const uint8_t lines[] = {line};
      const MethodShape shape{.holder = holder,
                              .idnum = 1,
                              .version = version(line),
                              .name = text("run"),
                              .descriptor = text("()V"),
                              .lines = lines,
                              .lines_size = 1};
      CHECK(bool(pin->find_method(holder, 1, version(line))) == again);
      again = line == 3;
      const Frame frame{pin->tag_method(shape), 0, FrameType::kJit, 0};
      CHECK(pin->commit(
          {.kind = EventKind::kSample, .thread = thread.fact(*pin), .stack = pin->intern_stack({&frame, 1}, false)}));
    }
  }
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  REQUIRE(file.samples.size() == 4);
  std::vector<int64_t> lines;
  for (const auto& one : file.samples) {
    CHECK(one.frames[0].klass == "a/B");
    CHECK(one.frames[0].method == "run");
    lines.push_back(one.frames[0].line);
  }
  CHECK(lines == std::vector<int64_t>{1, 2, 3, 1});
}

TEST_CASE("methods without a number keep names and ids of their own, in each chunk the same") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  SimulatedThread thread(1);
  const char* const descriptors[] = {"()V", "(I)V", "(J)V"};
  const auto sample_all = [&] {
    const EpochPin pin;
    const auto holder = pin->tag_class({.id = ClassId{50}, .method_count = 2, .name = text("a/Linkers")});
    uint64_t n = 0;
    for (const char* const descriptor : descriptors) {
      const MethodShape shape{.holder = holder,
                              .idnum = kNoIdnum,
                              .version = version(++n),
                              .name = text(descriptor),
                              .descriptor = text(descriptor)};
      const Frame frame{pin->tag_method(shape), 0, FrameType::kNative, 0};
      CHECK(pin->commit(
          {.kind = EventKind::kSample, .thread = thread.fact(*pin), .stack = pin->intern_stack({&frame, 1}, false)}));
    }
  };
  sample_all();
  REQUIRE(engine->rotate().ok());
  sample_all();
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  REQUIRE(file.samples.size() == 6);
  for (size_t i = 0; i < 6; ++i) CHECK(file.samples[i].frames[0].method == descriptors[i % 3]);
}

TEST_CASE("tagging twice gives the same fact, and the next epoch starts without any") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  SimulatedClass klass;
  klass.load(77);
  SimulatedThread thread(1);
  const auto tag_twice = [&] {
    const EpochPin pin;
    CHECK_FALSE(bool(pin->find_class(ClassId{77})));
    CHECK_FALSE(bool(pin->find_thread(thread.tag)));
    const auto once = tag_method(*pin, klass, 1);
    CHECK(bool(once));
    CHECK(tag_method(*pin, klass, 1) == once);
    CHECK(tag_class(*pin, klass) == pin->find_class(ClassId{77}));
    CHECK(thread.fact(*pin) == thread.fact(*pin));
  };
  for (int epoch = 0; epoch < 3; ++epoch) {
    tag_twice();
    REQUIRE(engine->rotate().ok());
  }
}

TEST_CASE("a thread that is renamed has another fact from then on, and the events before keep the one before") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  ThreadTag tag;
  {
    const EpochPin pin;
    ThreadShape shape{.id = ThreadId{7}, .java_thread_id = 7, .os_name = text("first"), .java_name = text("first")};
    const auto first = pin->tag_thread(tag, shape);
    CHECK(pin->is_named(first, text("first")));
    CHECK_FALSE(pin->is_named(first, text("other")));
    CHECK(pin->commit({.kind = EventKind::kThreadEnd, .thread = first}));
    shape.id = ThreadId{1000};
    shape.java_name = shape.os_name = text("second");
    const auto second = pin->tag_anew(tag, first, shape);
    CHECK(second != first);
    CHECK(pin->find_thread(tag) == second);
    CHECK(pin->tag_anew(tag, first, shape) == second);  // somebody was faster
    CHECK(pin->commit({.kind = EventKind::kThreadEnd, .thread = second}));
  }
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  std::vector<std::string> names;
  for (const ReadEvent& event : file.events)
    if (event.type == static_cast<uint64_t>(jfr::TypeId::kThreadEnd)) names.push_back(event.text);
  CHECK(names == std::vector<std::string>{"first", "second"});
}

TEST_CASE("stacks that differ in one bit of one frame are two stacks") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  const EpochPin pin;
  const Frame one[] = {{{}, 1, FrameType::kJit, 0}, {{}, 2, FrameType::kJit, 0}};
  const Frame other[] = {{{}, 1, FrameType::kJit, 0}, {{}, 2, FrameType::kInlined, 0}};
  const auto first = pin->intern_stack(one, false);
  CHECK(pin->intern_stack(one, false) == first);
  CHECK(pin->intern_stack(one, true) != first);
  CHECK(pin->intern_stack(other, false) != first);
  CHECK(pin->intern_stack({one, 1}, false) != first);
}

TEST_CASE("a stack deeper than the limit is cut and says so") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  {
    const EpochPin pin;
    const std::vector<Frame> frames(kMaxFrames + 5);
    CHECK(pin->commit({.kind = EventKind::kSample, .stack = pin->intern_stack(frames, false)}));
  }
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  REQUIRE(file.samples.size() == 1);
  CHECK(file.samples[0].frames.size() == kMaxFrames);
  CHECK(file.samples[0].truncated);
}

TEST_CASE("a class id beyond the tag table is refused and noted") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  const uint64_t refused = Engine::losses().total(Note::kNamesRefused);
  const EpochPin pin;
  CHECK_FALSE(bool(pin->tag_class({.id = ClassId{kMaxClassIds + kMaxLibraries}, .name = text("x")})));
  CHECK(Engine::losses().total(Note::kNamesRefused) == refused + 1);
}

TEST_CASE("an event whose facts were tagged two epochs ago is written with every name, by its lease") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  Lease lease;
  {
    SimulatedClass klass;
    klass.load(401);
    const EpochPin pin;
    const Frame frames[] = {{tag_method(*pin, klass, 1), 9, FrameType::kInlined, 0},
                            {tag_method(*pin, klass, 3), 0, FrameType::kJit, 0}};
    lease.take_stack(*pin, pin->intern_stack(frames, true));
    klass.unload();
  }
  REQUIRE(engine->rotate().ok());
  REQUIRE(engine->rotate().ok());
  {
    const EpochPin pin;
    CHECK_FALSE(bool(pin->find_class(ClassId{401})));
    const auto thread = SimulatedThread(9).fact(*pin);
    CHECK(pin->commit({.kind = EventKind::kSample, .thread = thread, .stack = lease.retag_stack(*pin)}));
    const auto klass = pin->find_class(ClassId{401});  // the stack's
    CHECK(pin->commit({.kind = EventKind::kClassUnload, .thread = thread, .other = klass.unit}));
  }
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  REQUIRE(file.samples.size() == 1);
  const ReadSample& read = file.samples[0];
  CHECK(read.thread == "sim-9");
  CHECK(read.truncated);
  REQUIRE(read.frames.size() == 2);
  CHECK(read.frames[0].klass == "sim/p2/C401");
  CHECK(read.frames[0].method == "m401_1");
  CHECK(read.frames[0].line == 5);
  CHECK(read.frames[0].loader == "Loader2 of sim/Loader2");
  CHECK(read.frames[0].module == "sim.module");
  CHECK(read.frames[1].method == "m401_3");
  CHECK(file.count(jfr::TypeId::kClassUnload) == 1);
  for (const auto& event : file.events)
    if (event.type == static_cast<uint64_t>(jfr::TypeId::kClassUnload))
      CHECK(event.text == "sim/p2/C401 from Loader2 of sim/Loader2 by sim-9");
}

TEST_CASE("a class that was never sampled is named by the lease made when it was prepared") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  auto loader = std::make_shared<Lease>();
  {
    const EpochPin pin;
    loader->take_loader(*pin, tag_loader(*pin, 3));
  }
  std::string name = "gone/With$Wind";
  const ClassLease prepared({.id = ClassId{900}, .modifiers = 1, .name = text(name.c_str())}, loader);
  name.assign(name.size(), '#');
  REQUIRE(engine->rotate().ok());
  {
    const EpochPin pin;
    CHECK(pin->commit({.kind = EventKind::kClassUnload, .other = prepared.retag(*pin).unit}));
  }
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  std::string told;
  for (const auto& event : file.events)
    if (event.type == static_cast<uint64_t>(jfr::TypeId::kClassUnload)) told = event.text;
  CHECK(told == "gone/With$Wind from Loader3 of sim/Loader3 by ");
}

}  // namespace

TEST_CASE("places of native code are tagged once, and written as functions of a class that is named like the library") {
  const TemporaryDirectory directory;
  const auto engine = start(test_config(directory));
  {
    const EpochPin pin;
    const auto library = pin->tag_library({.number = 7,
                                           .name = text("libgone.so"),
                                           .build_id = text("12ab"),
                                           .path = text("/no/libgone.so"),
                                           .place = {0x7000, 0x9000, 0x1000, 0x6000}});
    const auto other = pin->tag_library({.number = 8, .name = text("libother.so"), .path = text("/no/libother.so")});
    REQUIRE(bool(library));
    CHECK_FALSE(bool(pin->find_native(library, 0x1a40)));
    const auto place = pin->tag_native(library, 0x1a40);
    REQUIRE(bool(place));
    CHECK(pin->tag_native(library, 0x1a40) == place);
    CHECK(pin->find_native(library, 0x1a40) == place);
    CHECK_FALSE(pin->tag_native(other, 0x1a40) == place);
    // Where the kernel's functions lie is not told: it would say where the kernel was put.
    const auto kernel = pin->tag_library({.number = 9, .name = text("kernel"), .path = text("[kernel]")});
    // A stub of the VM has no file, and brings its name along.
    const auto stubs = pin->tag_library({.number = 2, .name = text("stubs")});
    const auto stub = pin->tag_native(stubs, 0x7f0012345678, text("call_stub"));
    CHECK(pin->find_native(stubs, 0x7f0012345678) == stub);
    const Frame frames[] = {{pin->tag_native(kernel, 0x5000), 0, FrameType::kKernel, Frame::kNoBci},
                            {place, 0, FrameType::kCpp, Frame::kNoBci},
                            {stub, 0, FrameType::kCpp, Frame::kNoBci}};
    Event event;
    event.kind = EventKind::kSample;
    event.ticks = base::now_ticks();
    event.stack = pin->intern_stack(frames, false);
    event.value = 1;
    CHECK(pin->commit(event));
  }
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  REQUIRE(file.samples.size() == 1);
  REQUIRE(file.samples[0].frames.size() == 3);
  CHECK(file.samples[0].frames[0].klass == "kernel");
  CHECK(file.samples[0].frames[1].klass == "libgone.so");
  CHECK(file.samples[0].frames[1].method == "+0x1a40");
  CHECK(file.samples[0].frames[2].klass == "stubs");
  CHECK(file.samples[0].frames[2].method == "call_stub");
  std::vector<std::string> told;
  for (const ReadEvent& event : file.events)
    if (event.type >= static_cast<uint64_t>(jfr::TypeId::kRecNativeModule)) told.push_back(event.text);
  CHECK(told ==
        std::vector<std::string>{"libgone.so is /no/libgone.so of 12ab at 28672 to 36864, offset 4096, bias 24576",
                                 "libgone.so +0x1a40 at 6720"});
}

}  // namespace rec::test
