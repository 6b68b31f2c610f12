// SPDX-License-Identifier: Apache-2.0
// The events of a chunk for a range-for: all of them, or those of one type.
//
//   for (const Event& event : EventRange(chunk)) ...
//   for (const Event& event : EventRange(chunk, "jdk.ThreadStart")) ...      none where the chunk does not declare it
//
// An input range: it can be gone through once. What is damaged is noted in the chunk's Problems, as EventWalk says. An event that
// is passed over costs its size and its type. The chunk must outlive it.
#pragma once

#include <optional>
#include <string_view>

#include "format/reader/chunk.h"
#include "format/reader/once_range.h"

namespace jfr::read {

class EventRange : public OnceRange<EventRange, const Event> {
 public:
  explicit EventRange(Chunk& chunk) : walk_(chunk.events()) {}
  EventRange(Chunk& chunk, const Type& type) : walk_(chunk.events()), wanted_(type.id) {}
  EventRange(Chunk& chunk, std::string_view type_name) : walk_(chunk.events()) {
    const Type* const type = chunk.metadata().find(type_name);
    if (type == nullptr)
      is_over_ = true;
    else
      wanted_ = type->id;
  }

 private:
  friend OnceRange;
  const Event& current() { return event_; }
  bool is_over() const { return is_over_; }
  void step() {
    while (!is_over_) {
      is_over_ = !walk_.next(event_);
      if (!wanted_ || event_.type_id == *wanted_) return;
    }
  }

  EventWalk walk_;
  std::optional<uint64_t> wanted_;  // a type's number in this chunk; nothing: all
  Event event_;
  bool is_over_ = false;
};

}  // namespace jfr::read
