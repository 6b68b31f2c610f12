// SPDX-License-Identifier: Apache-2.0
// Virtual threads that are threads of the system themselves, as the VM's list of threads has them.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "agent/hotspot/vm/java_thread_list.h"
#include "agent/hotspot/vm/virtual_thread.h"

using namespace rec::agent;

namespace {

constexpr uint64_t kBoundKlass = 0x300, kPlatformKlass = 0x400;

uint64_t place_of_object(const void* at) { return reinterpret_cast<uint64_t>(at); }

// A JavaThread of one word, a handle of its Thread: an object of mark, class and id.
struct OneThread {
  OneThread(uint64_t klass, uint64_t id) : object{1, klass, id} {}
  uint64_t address() const { return place_of_object(&handle); }
  std::array<uint64_t, 3> object;
  uint64_t reference = place_of_object(object.data());
  uint64_t handle = place_of_object(&reference);
};

Layout layout_of_threads() {
  Layout layout;
  layout.object.klass = 8;
  layout.object.klass_word = Layout::Object::KlassWord::kWide;
  layout.object.reference = Layout::Object::Reference::kWide;
  layout.thread.object = 0;
  layout.thread_object.bound_class = kBoundKlass;
  layout.thread_object.id = 16;
  return layout;
}

}  // namespace

TEST_CASE("a virtual thread that is a thread of the system is known by its class, with its id") {
  Layout layout = layout_of_threads();
  const OneThread bound(kBoundKlass, 41), platform(kPlatformKlass, 42);
  CHECK(bound_thread_id(layout, bound.address()) == 41);
  CHECK(bound_thread_id(layout, platform.address()) == 0);
  layout.thread_object.bound_class = 0;  // this class library has none
  CHECK(bound_thread_id(layout, bound.address()) == 0);
}

TEST_CASE("race: a list of threads that is replaced while it is read is read again") {
  const std::array<uint64_t, 2> threads{0x100, 0x200};
  std::array<uint64_t, 2> before{1, place_of_object(threads.data())}, after{2, place_of_object(threads.data())};
  uint64_t newest = place_of_object(before.data());
  Layout layout;
  layout.threads_list = {place_of_object(&newest), 0, 8};
  std::vector<uint64_t> seen;
  int reads = 0;
  read_settled_list(layout, [&] {
    seen.clear();
    CHECK(visit_java_threads(layout, [&](uint64_t java_thread) { seen.push_back(java_thread); }) ==
          static_cast<uint32_t>(reads + 1));
    if (reads++ == 0) newest = place_of_object(after.data());
  });
  CHECK(reads == 2);
  CHECK(seen == std::vector<uint64_t>{0x100, 0x200});
}
