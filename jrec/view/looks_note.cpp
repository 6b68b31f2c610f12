// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/looks_note.h"

#include <fmt/core.h>

#include "jrec/values/recorder.h"
#include "jrec/view/cell.h"

namespace jrec {

void LooksNote::begin(const CellReader& cells, const jfr::read::Chunk& chunk) {
  const auto& types = chunk.metadata().types();
  is_virtual_.assign(types.size(), {});
  if (recorder_of(chunk.metadata()) != Recorder::kRec) return;
  for (size_t index = 0; index < types.size(); ++index)
    if (types[index].name == "jdk.ThreadPark" || types[index].name == "jdk.ThreadSleep")
      is_virtual_[index] = cells.bind("eventThread.virtual", types[index]);
}

void LooksNote::add(CellReader& cells, const jfr::read::Event& event, uint32_t index) {
  const jfr::read::Type& type = cells.fields().chunk().metadata().types()[index];
  ++waits_;
  looks_ += cells.read(event, type, is_virtual_[index]).integer != 0;
}

std::string LooksNote::words() const {
  if (looks_ == 0) return "";
  return fmt::format(
      "{} of {} parks and sleeps are looks at virtual threads: their total is what was waited, and neither their "
      "number "
      "nor their length is that of waits",
      show(Cell::of(looks_), 0), show(Cell::of(waits_), 0));
}

}  // namespace jrec
