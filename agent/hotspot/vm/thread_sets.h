// SPDX-License-Identifier: Apache-2.0
// ThreadSets are the sets in which the class library keeps the virtual threads that have been started and have not ended:
//
//   ThreadContainers' root          those of Thread.startVirtualThread() and the like, unless jdk.trackAllThreads=false
//   ThreadContainers' registry      --> ThreadPerTaskExecutor.threads, SharedThreadContainer.virtualThreads: of executors;
//                                       ThreadFlock.threads, where no set has its owner
//   Thread.headStackableScopes      --> ThreadFlock.threads: those that its StructuredTaskScopes have forked
//
// Each is a ConcurrentHashMap, whose table is read where it lies in the heap: of each run of bins as long as the stride one
// is looked into, so that each thread in it stands for `stride` threads, and what a look costs does not depend on how many
// there are.
//
// The sets of scopes are in no list but their owner's own (thread_sets_flocks.cpp). Owners that are platform threads are
// all asked for theirs; more than some hundreds, of whom none had any, more seldom. Those that are virtual are asked when they are met in a set: if they stand for many, so do the
// threads of their scopes, and so on down the tree that scopes are, level by level. Where a level has more owners than
// kMostOwners, so many of them are asked, chosen by chance.
//
// open() once, on a thread that Java knows; the rest on one ordinary thread, which need not be known to Java. No object
// is held but the two maps. (src/java.base/share/classes/jdk/internal/vm/ThreadContainers.java)
#pragma once

#include <jni.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

class ClassLibrary;

class ThreadSets {
 public:
  // False: this class library keeps none, or not as we know it. Holds two global references, for good.
  bool open(JNIEnv* jni, const Layout& layout);
  bool opened() const { return root_ != 0 || registry_ != 0; }

  struct Looked {
    bool sure = true;      // all sets were found; else a collector was moving them
    uint64_t chosen = 0;   // bins that were chosen among all,
    uint64_t bins = 0;     // and with those of the scopes that were found by them
    uint64_t unsure = 0;   // of these: some of their threads could not be read
    uint64_t threads = 0;  // that were in them
  };
  using Visit = std::function<void(uint64_t thread, double stands_for)>;
  using Pick = std::function<uint32_t(uint32_t below)>;
  // Visits the threads in some `bins` of all bins; pick: a random number. thread: a VirtualThread's address, proved when it
  // was found, and worth what its reader proves.
  Looked look(uint64_t bins, const Pick& pick, const Visit& visit);

  // What a virtual thread does that no carrier runs.
  enum class Does : uint8_t { kElse, kWaitsForCarrier, kParked, kBlocked, kInObjectWait };
  Does does(uint64_t thread) const;
  uint64_t newest_chunk(uint64_t thread) const;  // of its stack (stack_chunk.h); 0: none, or not sure
  int64_t id(uint64_t thread) const;             // 0: not sure
  uint64_t park_blocker(uint64_t thread) const;  // what it parks for; 0: nothing, or not sure

 private:
  struct Classes {
    uint64_t view = 0, map = 0, table = 0, node = 0, tree_node = 0, tree = 0, forwarding = 0;
    uint64_t weak = 0, per_task = 0, shared = 0;
    uint64_t platform = 0;                                  // Thread itself
    uint64_t flock = 0, flock_container = 0, bindings = 0;  // ThreadFlock and its container; ScopedValueContainer
  };
  struct Fields {
    uint32_t map = kAbsent, table = kAbsent, key = kAbsent, next = kAbsent, first = kAbsent, next_table = kAbsent;
    uint32_t referent = kAbsent, per_task = kAbsent, shared = kAbsent, state = kAbsent;
    uint32_t park_blocker = kAbsent;  // may be so
    // Of a Thread, of a StackableScope, of ThreadFlock's container and of a ThreadFlock: may be so, all of them.
    uint32_t scopes = kAbsent, previous = kAbsent, flock = kAbsent, flock_threads = kAbsent;
    uint32_t length = kAbsent, elements = kAbsent, scale = 0;  // of an array of objects
  };
  struct Table {
    uint64_t address = 0;
    uint32_t length = 0;
  };
  struct Search {
    const Pick& pick;
    const Visit& visit;
    uint64_t stride;
    Looked looked;
  };
  struct Owner {
    uint64_t address;  // of a thread that owns flocks; or of one flock's container, whose owner is in no set
    double stands_for;
  };
  struct State {
    int32_t value;
    Does does;
  };

  void find_classes(JNIEnv* jni, const ClassLibrary& library);
  void find_fields(const ClassLibrary& library);
  void find_states(const ClassLibrary& library);
  void hold_sets(JNIEnv* jni, const ClassLibrary& library);
  bool all_found() const;
  bool table_of(uint64_t view, Table& table);
  bool open_table(uint64_t address, Table& table) const;
  bool find_tables(Search& search);
  double find_flocks();
  uint32_t find_flocks_once(uint32_t& asked);
  bool flock_table(uint64_t container, Table& table);
  template <typename Each>
  bool each_flock(uint64_t thread, Each each);
  uint32_t look_into(const Table& table, uint64_t stride, double stands_for, Search& search);
  bool note_thread(const Owner& thread, Search& search);
  void note_owner(const Owner& owner, Search& search);
  bool look_into_flocks_of(const Owner& owner, Search& search);
  void look_into_flocks(Search& search);
  bool knows_flocks() const { return fields_.scopes != kAbsent; }
  bool add_container(uint64_t weak, Search& search);
  template <typename Each>
  bool each_key(const Table& table, uint32_t index, int depth, Each each);

  const Layout* layout_ = nullptr;
  Classes classes_;
  Fields fields_;
  std::vector<State> states_;
  uint64_t root_ = 0, registry_ = 0;  // addresses of the words that global references are
  std::vector<Table> tables_;
  uint32_t flock_looks_ = 1;           // one in so many asks platform threads for scopes
  std::vector<Owner> owners_, asked_;  // of scopes that are still to be looked into, chosen among so many:
  uint32_t owners_met_ = 0;
};

}  // namespace rec::agent
