// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/processor/thread_local_place.h"

#include <pthread.h>

#include <array>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/process/handler_local.h"

extern "C" __attribute__((weak)) const char* gnu_get_libc_version();  // null: not glibc

namespace rec::agent {
namespace {

using Kind = ThreadLocalPlace::Kind;

constexpr uint64_t kTableEntryBytes = 16, kMuslEntryBytes = 8;
constexpr uint64_t kLengthBefore =
    16;  // the table's entries are counted in the entry before it; by musl in the first one
constexpr uint64_t kNoBlock = UINT64_MAX;
constexpr uint64_t kMostStatic = 64 << 10;  // bytes beside the thread pointer that the loader gives to libraries
constexpr uint64_t kMostOwn = 256;          // bytes of this library's own variables

REC_HANDLER_LOCAL char one_of_ours = 0;

// What the loader says in one thread.
struct Seen {
  const ThreadLocalVariable* variable = nullptr;
  uint64_t pointer = 0, address = 0;
  std::array<ThreadLocalPlace, 2> dynamic;
  std::array<bool, 2> agree{};  // with the thread's table

  int64_t distance() const { return static_cast<int64_t>(address - pointer); }
  void look() {
    pointer = thread_pointer();
    address = variable->address();
    for (size_t i = 0; i < dynamic.size(); ++i) agree[i] = address_in(dynamic[i], pointer) == address;
  }
};

void* look_in_thread(void* seen) {
  static_cast<Seen*>(seen)->look();
  return nullptr;
}

bool is_glibc() { return gnu_get_libc_version != nullptr; }

bool is_static(const void* here) {
  const uint64_t above = reinterpret_cast<uint64_t>(here) - thread_pointer();
  return is_glibc() && (kLocalsBelow ? -above : above) <= kMostStatic;
}

uint64_t table_of(uint64_t thread_pointer, bool musl) {
  return u64_at(thread_pointer + static_cast<uint64_t>(musl ? kBlocksOfMusl : kBlocksOfGlibc));
}

}  // namespace

uint64_t address_in(const ThreadLocalPlace& place, uint64_t thread_pointer) {
  if (place.kind == Kind::kStatic) return thread_pointer + static_cast<uint64_t>(place.distance);
  const bool musl = place.kind == Kind::kDynamicMusl;
  const uint64_t table = table_of(thread_pointer, musl);
  if (table == 0 || place.module > u64_at(musl ? table : table - kLengthBefore)) return 0;
  const uint64_t block = u64_at(table + place.module * (musl ? kMuslEntryBytes : kTableEntryBytes));
  return block == 0 || block == kNoBlock ? 0 : block + place.offset;
}

// glibc gives the place beside the thread pointer, or makes a block of each thread's first use; musl makes all at once.
bool has_handler_locals() { return is_static(&one_of_ours) || !is_glibc(); }

ThreadLocalPlace place_of_own(const void* here) {
  const auto address = reinterpret_cast<uint64_t>(here);
  if (is_static(here)) return {Kind::kStatic, static_cast<int64_t>(address - thread_pointer()), 0, 0};
  const uint64_t table = table_of(thread_pointer(), true);
  for (uint64_t module = u64_at(table); module != 0; --module) {
    const uint64_t block = u64_at(table + module * kMuslEntryBytes);
    if (address - block < kMostOwn) return {Kind::kDynamicMusl, 0, module, address - block};
  }
  return {Kind::kDynamicMusl, 0, UINT64_MAX, 0};  // nowhere
}

bool thread_word_at(uint64_t address, uint64_t& to) { return load64(address, to); }

std::optional<ThreadLocalPlace> place_of(const ThreadLocalSymbol& symbol, const char* name) {
  const ThreadLocalVariable variable(symbol, name);
  Seen here{.variable = &variable,
            .dynamic = {{{Kind::kDynamic, 0, symbol.module, symbol.offset},
                         {Kind::kDynamicMusl, 0, symbol.module, symbol.offset}}}};
  Seen there = here;
  here.look();
  pthread_t other;
  if (here.address == 0 || pthread_create(&other, nullptr, look_in_thread, &there) != 0) return {};
  pthread_join(other, nullptr);
  if (there.address == 0) return {};
  if (here.distance() == there.distance()) return ThreadLocalPlace{Kind::kStatic, here.distance(), 0, 0};
  for (size_t i = 0; i < here.dynamic.size(); ++i)
    if (here.agree[i] && there.agree[i]) return here.dynamic[i];
  return {};
}

}  // namespace rec::agent
