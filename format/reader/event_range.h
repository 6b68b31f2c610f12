// SPDX-License-Identifier: Apache-2.0
// The events of a chunk for a range-for: all of them, or those of one type.
//
//   for (const Event& event : EventRange(chunk)) ...
//   for (const Event& event : EventRange(chunk, "jdk.ThreadStart")) ...      none where the chunk does not declare it
//
// An input range: it can be gone through once. What is damaged is noted in the chunk's Problems, as EventWalk says. An event that
// is passed over costs its size and its type. The chunk must outlive it.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

#include "format/reader/chunk.h"

namespace jfr::read {

class EventRange {
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

  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = Event;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(EventRange& range) : range_(&range) {}
    const Event& operator*() const { return range_->event_; }
    Iterator& operator++() {
      range_->step();
      return *this;
    }
    void operator++(int) { range_->step(); }
    bool operator==(std::default_sentinel_t) const { return range_->is_over_; }

   private:
    EventRange* range_;
  };

  Iterator begin() {
    if (!is_over_) step();
    return Iterator(*this);
  }
  std::default_sentinel_t end() const { return {}; }

 private:
  void step() {
    do is_over_ = !walk_.next(event_);
    while (!is_over_ && wanted_ && event_.type_id != *wanted_);
  }

  EventWalk walk_;
  std::optional<uint64_t> wanted_;  // a type's number in this chunk; nothing: all
  Event event_;
  bool is_over_ = false;
};

}  // namespace jfr::read
