// SPDX-License-Identifier: Apache-2.0
// Objects that are alive: carried from epoch to epoch, written when the recording ends, or by recovery when it did not.
#include <doctest/doctest.h>

#include "recorder/epoch/carrier.h"
#include "recorder/spool/live_object.h"
#include "recover/leftover_spools.h"
#include "tests/recorder/file_reader.h"
#include "tests/recorder/simulated_vm.h"
#include "tests/recover/dead_process.h"

namespace rec::test {
namespace {

// Has objects in places of the spool, as the agent's clock does.
class Objects final : public Heir {
 public:
  void add(SimulatedThread& thread, const SimulatedClass& klass, uint32_t collections, uint32_t doublings) {
    const EpochPin pin;
    Frame frame{tag_method(*pin, klass, 1), 0, FrameType::kJit, 0};
    Event event{.kind = EventKind::kLiveObject, .ticks = base::now_ticks(), .thread = thread.fact(*pin)};
    event.stack = pin->intern_stack({&frame, 1}, false);
    const LiveObject object{.allocated_ticks = 5, .size = 24, .heap_used = 7, .weight = 1000};
    event.other = pin->copy_detail(live_shape(object, tag_class(*pin, klass))).unit;
    event.value = live_value(collections, doublings, 0xabc);
    pin->put_live(static_cast<uint32_t>(events_.size()), event);
    events_.push_back(event);
  }
  void write() {
    const EpochPin pin;
    for (const Event& each : events_) pin->commit(each);
    for (uint32_t i = 0; i < events_.size(); ++i) pin->put_live(i, Event{});
  }
  void inherit(Carrier& carrier) override {
    for (uint32_t i = 0; i < events_.size(); ++i)
      if (carrier.carry(events_[i])) carrier.to().put_live(i, events_[i]);
  }

 private:
  std::vector<Event> events_;
};

// Rotations enough for both epochs to have been dropped, while classes go and their memory is used for others.
void record(Engine& engine, Objects& objects) {
  SimulatedThread thread(4);
  SimulatedClass klass;
  klass.load(500);
  objects.add(thread, klass, 2, 0);
  klass.load(501);
  objects.add(thread, klass, 3, 2);
  for (uint64_t i = 0; i < 3; ++i) {
    klass.load(600 + i);
    sample(thread, klass, 0);
    REQUIRE(engine.rotate().ok());
  }
}

EngineConfig config_for(const TemporaryDirectory& directory, Objects& objects) {
  EngineConfig config = test_config(directory);
  config.heir = &objects;
  config.live_slots = 8;
  return config;
}

std::vector<std::string> told(const ReadFile& file) {
  std::vector<std::string> all;
  for (const ReadEvent& event : file.events)
    if (event.type == static_cast<uint64_t>(jfr::TypeId::kOldObjectSample)) all.push_back(event.text);
  return all;
}

const std::vector<std::string> kBoth = {"sim/p3/C500 at 2748, 24 bytes by sim-4 in m500_1, survived 2, weight 1000",
                                        "sim/p4/C501 at 2748, 24 bytes by sim-4 in m501_1, survived 3, weight 4000"};

std::vector<std::string> recovered_from(const TemporaryDirectory& directory) {
  const auto recovered = recover_spools(spool_directory_in(directory), directory / "");
  REQUIRE(recovered.ok());
  std::vector<std::string> all;
  for (const std::string& chunk : recovered.value().chunks) {
    const ReadFile file = FileReader::read(chunk);
    CHECK(file.broken == "");
    for (std::string& each : told(file)) all.push_back(std::move(each));
  }
  return all;
}

TEST_CASE("live objects keep their names over rotations, and are in the recording once") {
  const TemporaryDirectory directory;
  Objects objects;
  const auto engine = start(config_for(directory, objects));
  record(*engine, objects);
  objects.write();
  REQUIRE(engine->stop().ok());
  const ReadFile file = FileReader::read(directory / "recording.jfr");
  CHECK(file.broken == "");
  CHECK(told(file) == kBoth);
}

TEST_CASE("damage: live objects of a killed process come back, once, with their names") {
  const TemporaryDirectory directory;
  dead_process([&] {
    Objects objects;
    const auto engine = start(config_for(directory, objects));
    record(*engine, objects);
    die();
  });
  CHECK(recovered_from(directory) == kBoth);
}

TEST_CASE("damage: a live object whose place was changed is counted, and the others come back") {
  const TemporaryDirectory directory;
  dead_process([&] {
    Objects objects;
    const auto engine = start(config_for(directory, objects));
    record(*engine, objects);
    const EpochPin pin;
    pin->spool().live_slots()[1].value ^= 1;
    die();
  });
  auto spools = LeftoverSpools::open(spool_directory_in(directory));
  REQUIRE(spools.ok());
  REQUIRE(spools->damage().size() == 1);
  CHECK(spools->damage()[0].error.what == "objects that are alive are damaged; 1 event is lost");
  const auto sealed = spools->seal(directory / "", directory / "repository");
  REQUIRE(sealed.ok());
  CHECK(sealed->lost == 1);
  std::vector<std::string> all;
  for (const std::string& chunk : sealed->chunks)
    for (std::string& each : told(FileReader::read(chunk))) all.push_back(std::move(each));
  CHECK(all == std::vector<std::string>{kBoth[0]});
}

}  // namespace
}  // namespace rec::test
