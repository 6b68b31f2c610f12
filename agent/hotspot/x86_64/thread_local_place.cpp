// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/x86_64/thread_local_place.h"

#include <pthread.h>

#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint64_t kTableInHeader = 8;  // of the thread, which begins at its pointer
constexpr uint64_t kTableEntryBytes = 16;
constexpr uint64_t kLengthBefore = 16;  // the table's entries are counted in the entry before it
constexpr uint64_t kNoBlock = UINT64_MAX;

// What the loader says in one thread.
struct Seen {
  const ThreadLocalVariable* variable = nullptr;
  uint64_t pointer = 0, address = 0;
  ThreadLocalPlace dynamic;
  bool agrees = false;  // with the thread's table

  int64_t distance() const { return static_cast<int64_t>(address - pointer); }
  void look() {
    pointer = thread_pointer();
    address = variable->address();
    agrees = address_in(dynamic, pointer) == address;
  }
};

void* look_in_thread(void* seen) {
  static_cast<Seen*>(seen)->look();
  return nullptr;
}

}  // namespace

uint64_t thread_pointer() {
  uint64_t pointer;
  asm("movq %%fs:0, %[to]" : [to] "=r"(pointer));
  return pointer;
}

uint64_t address_in(const ThreadLocalPlace& place, uint64_t thread_pointer) {
  if (place.kind == ThreadLocalPlace::Kind::kStatic) return thread_pointer + static_cast<uint64_t>(place.distance);
  const uint64_t table = u64_at(thread_pointer + kTableInHeader);
  if (table == 0 || place.module > u64_at(table - kLengthBefore)) return 0;
  const uint64_t block = u64_at(table + place.module * kTableEntryBytes);
  return block == 0 || block == kNoBlock ? 0 : block + place.offset;
}

bool thread_word_at(uint64_t address, uint64_t& to) { return load64(address, to); }

std::optional<ThreadLocalPlace> place_of(const ThreadLocalSymbol& symbol, const char* name) {
  const ThreadLocalVariable variable(symbol, name);
  const ThreadLocalPlace dynamic{ThreadLocalPlace::Kind::kDynamic, 0, symbol.module, symbol.offset};
  Seen here{.variable = &variable, .dynamic = dynamic}, there = here;
  here.look();
  pthread_t other;
  if (here.address == 0 || pthread_create(&other, nullptr, look_in_thread, &there) != 0) return {};
  pthread_join(other, nullptr);
  if (there.address == 0) return {};
  if (here.distance() == there.distance())
    return ThreadLocalPlace{ThreadLocalPlace::Kind::kStatic, here.distance(), 0, 0};
  if (here.agrees && there.agrees) return dynamic;
  return {};
}

}  // namespace rec::agent
