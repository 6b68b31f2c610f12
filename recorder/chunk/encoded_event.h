// SPDX-License-Identifier: Apache-2.0
// What events share whose fields are encoded before they are committed (EventKind::kEncoded): texts and times that may
// not be known, and the way into the epoch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "format/type_ids.h"
#include "format/writer/byte_sink.h"
#include "recorder/epoch/epoch.h"

namespace rec {

inline constexpr int64_t kUnknownNs = -1;  // of a length of time

inline void text_or_null(jfr::ByteSink& out, const std::string& text) {
  if (text.empty())
    out.null_text();
  else
    out.text(text);
}

// What is not known is written as JFR writes it, whose tools then say "N/A".
inline void timespan(jfr::ByteSink& out, int64_t ns) { out.leb_i64(ns == kUnknownNs ? INT64_MIN : ns); }

inline std::vector<uint8_t> bytes_of(const jfr::ByteSink& sink) { return {sink.bytes().begin(), sink.bytes().end()}; }

struct EncodedEvent {
  jfr::TypeId type;
  int64_t ticks, duration_ns = 0;
  bool has_duration = false, has_stack = false;
  Ref<ThreadFact> thread;
  Ref<StackFact> stack;
  const uint8_t* fields;
  uint32_t size;
  bool has_thread = true, has_parts = false;
};

// In the epoch given, which is pinned. False: there is no room. Signal-safe, if the fields are there.
inline bool commit(Epoch& epoch, const EncodedEvent& what) {
  const Ref<EncodedFact> fields = epoch.copy_encoded({.type = static_cast<uint32_t>(what.type),
                                                      .has_duration = what.has_duration,
                                                      .has_thread = what.has_thread,
                                                      .has_stack = what.has_stack,
                                                      .has_parts = what.has_parts,
                                                      .fields = what.fields,
                                                      .size = what.size});
  if (!fields) return false;
  Event event;
  event.kind = EventKind::kEncoded;
  event.ticks = what.ticks;
  event.thread = what.thread;
  event.stack = what.stack;
  event.other = fields.unit;
  event.value = static_cast<uint64_t>(what.duration_ns);
  return epoch.commit(event);
}

}  // namespace rec
