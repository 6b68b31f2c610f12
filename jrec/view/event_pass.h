// SPDX-License-Identifier: Apache-2.0
// EventPass walks a recording once, and hands out its events, decodable ones only, with the reader of their cells.
//
//   EventPass pass{recording, filter};
//   pass.run([&](CellReader& cells, Chunk& chunk) { ... },                      each chunk, before its events
//            [&](uint32_t type) { return ...; },                                whether a type, by its index, is wanted
//            [&](CellReader& cells, const Event& event, uint32_t type) { ... })  each event of these that passes the filter
#pragma once

#include <cstdint>

#include "format/header_layout.h"
#include "format/reader/chunk.h"
#include "jrec/input/recording.h"
#include "jrec/select/filter.h"
#include "jrec/values/running_clock.h"
#include "jrec/view/cell_reader.h"

namespace jrec {

struct EventPass {
  Recording& recording;
  const Filter& filter;

  template <typename Begin, typename Wants, typename Visit>
  void run(Begin begin, Wants wants, Visit visit) {
    RunningClock clocks;
    recording.each_chunk([&](jfr::read::Chunk& chunk) {
      const jfr::read::Clock& clock = clocks.of(chunk);
      CellReader cells(chunk, clock);
      ChunkFilter wanted(filter, chunk, clock);
      begin(cells, chunk);
      auto walk = chunk.events();
      for (jfr::read::Event event; walk.next(event);) {
        if (event.type_id <= jfr::kCheckpointType) continue;
        const uint32_t index = chunk.metadata().index_of(event.type_id);
        if (index == jfr::read::kNoType || !wants(index)) continue;
        const jfr::read::Type& type = chunk.metadata().types()[index];
        if (wanted.type(type) && wanted.matches(event, type) && is_decodable(chunk, event, type))
          visit(cells, event, index);
      }
    });
  }

  // One that is not is noted as a problem.
  static bool is_decodable(jfr::read::Chunk& chunk, const jfr::read::Event& event, const jfr::read::Type& type);
};

}  // namespace jrec
