// SPDX-License-Identifier: Apache-2.0
// Which library code is in, while libraries come and go.
#include "agent/hotspot/walk/native_modules.h"

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "agent/hotspot/walk/library_numbers.h"

using namespace rec::agent;

namespace {

constexpr char kComing[] = "libthread_db.so.1";  // of the C library, and nobody's

uint64_t address_in(void* library) { return reinterpret_cast<uint64_t>(dlsym(library, "td_init")); }

}  // namespace

TEST_CASE("a library is found while it is there, under one number whenever it comes, and not behind its end") {
  const auto modules = std::make_unique<NativeModules>();
  uint16_t number = 0;
  for (int round = 0; round < 3; ++round) {
    void* const library = dlopen(kComing, RTLD_NOW);
    if (library == nullptr) return;
    const uint64_t inside = address_in(library);
    modules->refresh();
    NativeModule module;
    REQUIRE(modules->find(inside, module));
    REQUIRE(library_numbered(module.number) != nullptr);
    CHECK(library_numbered(module.number)->name == kComing);
    if (round > 0) CHECK(module.number == number);
    number = module.number;
    dlclose(library);
    modules->refresh();
    CHECK_FALSE(modules->find(inside, module));
  }
}

TEST_CASE("race: who looks while the list is written anew again and again finds the library that stays") {
  const auto modules = std::make_unique<NativeModules>();
  modules->refresh();
  const auto here = reinterpret_cast<uint64_t>(&address_in);
  NativeModule own;
  REQUIRE(modules->find(here, own));
  std::atomic<bool> done{false};
  std::atomic<uint64_t> looks{0}, wrong{0};
  std::thread looking([&] {
    while (!done.load(std::memory_order_relaxed)) {
      NativeModule module;
      const bool right = modules->find(here, module) && module.number == own.number && module.low == own.low;
      wrong += right ? 0 : 1;
      ++looks;
    }
  });
  for (int round = 0; round < 300 || looks < 1000; ++round) {
    void* const library = dlopen(kComing, RTLD_NOW);
    modules->refresh();
    if (library != nullptr) dlclose(library);
    modules->refresh();
  }
  done = true;
  looking.join();
  CHECK(wrong == 0);
}
