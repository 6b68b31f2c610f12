// SPDX-License-Identifier: Apache-2.0
// WatchSettings knows from which length on a recording has safepoints, from its jdk.ActiveSetting events: that is why
// there are none, or why short ones are missing.
#pragma once

#include <string>
#include <string_view>

#include "format/reader/chunk.h"
#include "jrec/safepoints/event_fields.h"

namespace jrec {

class WatchSettings {
 public:
  void take(const jfr::read::Chunk& chunk, std::string_view name,
            EventFields& fields);  // one event of each_rec_event()
  // As written, "10 ms", the last one of several; empty: there is none.
  const std::string& threshold() const { return threshold_; }

 private:
  std::string threshold_;
};

}  // namespace jrec
