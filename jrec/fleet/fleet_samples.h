// SPDX-License-Identifier: Apache-2.0
// FleetSamples is the samples of one chunk, as the table samples has them: every event with a stack. Any thread may read
// one, it shares nothing.
//
//   rows, by time --places--> events, threads, states, stacks, contexts: each once. Place 0 of all but events says: none
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/select/chunk_contexts.h"
#include "jrec/sql/stack_store.h"

namespace jrec {

struct FleetSamples {
  struct Row {
    int64_t time_ns = 0, weight = 1;  // weight: as jrec collapsed sums it
    uint32_t event = 0, thread = 0, state = 0, stack = 0, context = 0;
  };
  struct Thread {
    std::string name;
    int64_t id = 0;
  };
  static constexpr uint64_t kUntold = UINT64_MAX;

  std::vector<Row> rows;
  std::vector<std::string> events;
  std::vector<Thread> threads;
  std::vector<std::string> states;
  std::vector<int64_t> stacks;  // numbers in the store
  std::vector<SampleContext> contexts;
  StackStore store;

  // Weights of native memory are sizes until the interval is known, which an earlier chunk may have told.
  static constexpr uint32_t kNoMalloc = UINT32_MAX;
  uint32_t malloc_event = kNoMalloc;  // its place
  uint64_t malloc_interval = kUntold;

  void weigh_malloc(uint64_t interval);
};

FleetSamples read_fleet_samples(jfr::read::Chunk& chunk);

}  // namespace jrec
