// SPDX-License-Identifier: Apache-2.0
// Where a VM keeps the ids of its classes, found by votes of classes and loaders that we made.
#include "agent/hotspot/vm/calibration.h"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <cstring>
#include <memory>

#include "agent/hotspot/processor/fault_handler.h"

using namespace rec::agent;

namespace {

constexpr size_t kClasses = 400, kLoaders = 100;
constexpr uint32_t kName = 0, kNextLink = 8, kIds = 168;                // of a class
constexpr uint32_t kNextLoader = 0, kFirstClass = 8, kLoaderIds = 104;  // of a loader

struct Block {  // of memory of the VM: all that a calibration looks at
  std::array<uint64_t, 64> words{};
  uint64_t& at(uint32_t offset) { return words[offset / 8]; }
  uint64_t address() const { return reinterpret_cast<uint64_t>(words.data()); }
};

// The test framework takes the signals at the begin of each case. A chain has room for eight that took it over, so the
// handler joins it once, and is put back as it was from then on.
void let_loads_fail() {
  struct Actions {
    Actions() {
      REQUIRE(install_fault_handler());
      sigaction(SIGSEGV, nullptr, &segv);
      sigaction(SIGBUS, nullptr, &bus);
    }
    struct sigaction segv, bus;
  };
  static const Actions ours;
  sigaction(SIGSEGV, &ours.segv, nullptr);
  sigaction(SIGBUS, &ours.bus, nullptr);
}

// The newest loader comes first, and has all classes; ids have flags in their low 16 bits.
struct SimulatedWorld {
  SimulatedWorld() {
    let_loads_fail();
    for (size_t i = 0; i < kClasses; ++i) {
      classes[i].at(kName) = names[i].address();
      classes[i].at(kNextLink) = i + 1 < kClasses ? classes[i + 1].address() : 0;
      set_id(i, kClasses - i);
    }
    for (size_t i = 0; i < kLoaders; ++i) {
      loaders[i].at(kNextLoader) = i + 1 < kLoaders ? loaders[i + 1].address() : 0;
      loaders[i].at(kLoaderIds) = (kLoaders - i) << 16;
    }
    loaders[0].at(kFirstClass) = classes[0].address();
    head = loaders[0].address();
    layout.loader_data.graph_head = reinterpret_cast<uint64_t>(&head);
    layout.loader_data.next = kNextLoader;
    layout.loader_data.klasses = kFirstClass;
    layout.klass.name = kName;
    layout.klass.next_link = kNextLink;
    layout.symbol.length = 0;
    layout.symbol.body = 2;
  }

  void set_id(size_t of, uint64_t id, uint32_t slot = kIds) { classes[of].at(slot) = id << 16 | (id == 0 ? 0 : 3); }
  uint32_t class_ids() { return calibrate(layout), layout.klass.trace_id; }
  uint32_t loader_ids() { return calibrate(layout), layout.loader_data.trace_id; }

  std::array<Block, kClasses> classes, names;
  std::array<Block, kLoaders> loaders;
  uint64_t head = 0;
  Layout layout;
};

std::unique_ptr<SimulatedWorld> world() { return std::make_unique<SimulatedWorld>(); }

}  // namespace

TEST_CASE("ids of classes and of loaders are found where nearly all have one of their own") {
  auto all = world();
  CHECK(all->class_ids() == kIds);
  CHECK(all->loader_ids() == kLoaderIds);
}

TEST_CASE("damage: a class without an id, or with another's, is no veto") {
  auto one = world();
  one->set_id(0, 0);
  one->set_id(kClasses / 2, 0);
  one->set_id(3, 77);
  CHECK(one->class_ids() == kIds);
  auto many = world();  // events that JFR has replaced
  for (size_t i = 0; i < kClasses / 5; ++i) many->set_id(i, 0);
  CHECK(many->class_ids() == kIds);
}

TEST_CASE("damage: two loaders that were made at the same time are no veto") {
  auto all = world();
  std::swap(all->loaders[40].at(kLoaderIds), all->loaders[41].at(kLoaderIds));
  CHECK(all->loader_ids() == kLoaderIds);
}

TEST_CASE("damage: numbers that most classes lack, or share, are no ids; nor is one of two that might be") {
  auto lacking = world();
  for (size_t i = 0; i < kClasses / 3; ++i) lacking->set_id(i, 0);
  CHECK(lacking->class_ids() == kAbsent);
  auto shared = world();
  for (size_t i = 0; i < kClasses; ++i) shared->set_id(i, 1 + i / 8);
  CHECK(shared->class_ids() == kAbsent);
  auto two = world();
  for (size_t i = 0; i < kClasses; ++i) two->set_id(i, i + 1, kIds + 16);
  CHECK(two->class_ids() == kAbsent);
}

TEST_CASE("what could not be found is looked for again, and what was found stays") {
  auto later = world();
  for (size_t i = 0; i < kClasses; ++i) later->set_id(i, 0);
  CHECK(later->class_ids() == kAbsent);
  CHECK(later->loader_ids() == kLoaderIds);
  for (size_t i = 0; i < kClasses; ++i) later->set_id(i, i + 1);
  for (Block& loader : later->loaders) loader.at(kLoaderIds) = 0;
  CHECK(later->class_ids() == kIds);
  CHECK(later->loader_ids() == kLoaderIds);
  CHECK_FALSE(is_calibrated(later->layout));  // this world has no packages
}
