// SPDX-License-Identifier: Apache-2.0
// The sets of threads that a StructuredTaskScope has forked. Each scope has a ThreadFlock, which keeps its threads for as
// long as they live, whatever jdk.trackAllThreads says; who owns it has its container on a stack of his own:
//
//   Thread.headStackableScopes --> the newest --> StackableScope.previous --> ...
//                                      a ScopedValueContainer: it has no threads
//                                      a ThreadFlock$ThreadContainerImpl --> ThreadFlock --> its set
//
// In ThreadContainers' registry are only those whose owner is virtual and in no set itself, under
// jdk.trackAllThreads=false (ThreadFlock.ThreadContainerImpl.push): so each flock is found in one way.
// (src/java.base/share/classes/jdk/internal/misc/ThreadFlock.java, jdk/internal/vm/StackableScope.java; 21 to 28)
#include <algorithm>
#include <bit>

#include "agent/hotspot/vm/heap_object.h"
#include "agent/hotspot/vm/java_thread_list.h"
#include "agent/hotspot/vm/thread_sets.h"

namespace rec::agent {
namespace {

constexpr int kMostScopes = 64;          // that one thread owns
constexpr size_t kMostOwners = 1 << 10;  // that are asked on one level of the tree
constexpr uint32_t kMostOfFlock = 64;    // bins of one flock that are looked into
constexpr uint32_t kAlwaysAsked = 256, kMostLooks = 32;

}  // namespace

bool ThreadSets::flock_table(uint64_t container, Table& table) {
  uint64_t flock = 0, set = 0;
  if (!load_reference(*layout_, container + fields_.flock, flock)) return false;
  flock = object_of(*layout_, flock, classes_.flock);
  return flock != 0 && load_reference(*layout_, flock + fields_.flock_threads, set) && table_of(set, table);
}

// False: it is not sure that these are all.
template <typename Each>
bool ThreadSets::each_flock(uint64_t thread, Each each) {
  uint64_t scope = 0;
  bool sure = load_reference(*layout_, thread + fields_.scopes, scope);
  for (int i = 0; i < kMostScopes && sure && scope != 0; ++i) {
    uint64_t plain = object_of(*layout_, scope, classes_.flock_container);
    Table table;
    if (plain != 0) {
      sure = flock_table(plain, table);
    } else {
      plain = object_of(*layout_, scope, classes_.bindings);
    }
    if (plain == 0) return false;
    if (sure && table.length != 0) each(table);
    sure = load_reference(*layout_, plain + fields_.previous, scope) && sure;
  }
  return sure;
}

// Of platform threads. Where these are many, and none of them owned a scope when they were last asked, they are asked in
// one of several looks, chosen by chance, and what is found stands for so many looks. How many more there are for each that was found: those that could not be asked own as many as the
// others, on the average.
double ThreadSets::find_flocks() {
  if (!knows_flocks() || !knows_java_thread_list(*layout_)) return 0;
  const size_t others = tables_.size();
  uint32_t asked = 0, unsure = 0;
  read_settled_list(*layout_, [&] {
    tables_.resize(others);
    unsure = find_flocks_once(asked);
  });
  flock_looks_ = tables_.size() > others ? 1 : std::clamp(asked / kAlwaysAsked, 1u, kMostLooks);
  return static_cast<double>(unsure) / std::max(asked - unsure, 1u);
}

// How many are not sure.
uint32_t ThreadSets::find_flocks_once(uint32_t& asked) {
  uint32_t unsure = 0;
  asked = visit_java_threads(*layout_, [&](uint64_t java_thread) {
    uint64_t thread = 0;
    if (!load_handle(*layout_, java_thread + layout_->thread.object, thread) ||
        !each_flock(thread, [&](const Table& table) { tables_.push_back(table); }))
      ++unsure;
  });
  return unsure;
}

// False: it is not sure whether it owns a scope.
bool ThreadSets::note_thread(const Owner& thread, Search& search) {
  uint64_t scope = 0;
  if (!knows_flocks()) return true;
  if (!load_reference(*layout_, thread.address + fields_.scopes, scope)) return false;
  if (scope != 0) note_owner(thread, search);
  return true;
}

// Each has the same chance (Vitter's algorithm R).
void ThreadSets::note_owner(const Owner& owner, Search& search) {
  ++owners_met_;
  if (owners_.size() < kMostOwners) return owners_.push_back(owner);
  if (const uint32_t at = search.pick(owners_met_); at < kMostOwners) owners_[at] = owner;
}

// Of the owners that were noted; then those are noted that they lead to.
void ThreadSets::look_into_flocks(Search& search) {
  asked_.swap(owners_);
  owners_.clear();
  const double owners_for_one = static_cast<double>(owners_met_) / static_cast<double>(asked_.size());
  owners_met_ = 0;
  for (const Owner& owner : asked_) {
    if (look_into_flocks_of({owner.address, owner.stands_for * owners_for_one}, search)) continue;
    ++search.looked.bins;
    ++search.looked.unsure;
  }
}

// A large one by chance, a small one whole. False: it is not sure that these are all.
bool ThreadSets::look_into_flocks_of(const Owner& owner, Search& search) {
  const auto look_at_flock = [&](const Table& table) {
    const auto wished = static_cast<uint64_t>(static_cast<double>(search.stride) / owner.stands_for);
    const uint64_t stride = std::max<uint64_t>({wished, table.length / kMostOfFlock, 1});
    look_into(table, std::bit_floor(stride), owner.stands_for, search);
  };
  if (const uint64_t thread = object_of(*layout_, owner.address, layout_->thread_object.virtual_class))
    return each_flock(thread, look_at_flock);
  Table table;
  const uint64_t container = object_of(*layout_, owner.address, classes_.flock_container);
  if (container == 0 || !flock_table(container, table)) return false;
  look_at_flock(table);
  return true;
}

}  // namespace rec::agent
