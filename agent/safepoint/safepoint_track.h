// SPDX-License-Identifier: Apache-2.0
// SafepointTrack makes of looks at the VM's counters what happened between them: which safepoints were reached, after
// how long, which one is waited for, and what the parts of one that is over were.
//
// With SafepointWords it knows. Without, it counts: a request is seen at most a look late, and its length is the JVM's
// own sum; several within one look are told together, and whether the last of them is under way shows later.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agent/hotspot/state/safepoint_words.h"

namespace rec::agent {

class SafepointTrack {
 public:
  // One that was asked for and is not known to be reached. Times are CLOCK_MONOTONIC, ns.
  struct Request {
    uint64_t number = 0;     // what the JVM's count was when it was asked for
    uint64_t sync_ns = 0;    // what the sync time was before it
    int64_t from_ticks = 0;  // it began after this
    int64_t seen_ticks = 0;  // and before this; both are the same if the VM says when
    bool certain = true;     // false: it may be over already
    bool doubted = false;    // nothing shows that it is not: who comes next decides
    std::optional<uint32_t> type;
  };
  // Were reached since the look before: `count` of them, from `first` on.
  struct Reached {
    uint64_t first = 0;
    int64_t count = 1;
    int64_t length_ns = 0;  // of all of them, from being asked for to being reached
    int64_t from_ticks = 0, seen_ticks = 0;
    std::optional<uint32_t> type;  // of the operation, if it is one
  };
  // One that is over. Parts that nobody saw are 0.
  struct Stop {
    uint64_t number = 0;
    SafepointParts parts;
    uint32_t type = 0;
    uint64_t caller = 0;
    int32_t threads = 0, running = 0;
  };
  struct News {
    std::vector<Reached> reached;  // oldest first
    std::vector<Stop> stops;
    uint64_t stops_unseen = 0;  // are over too, and nothing else is known of them
    int64_t unseen_ns = 0;      // they took at most so long altogether
    uint64_t unsummed = 0;      // were reached, and the VM tells no sum of their lengths,
    int64_t unsummed_ns = 0;    // which is at most this
  };

  // look may be of its counts alone, though later ones are not.
  void begin(const SafepointLook& look, int64_t now);
  News look(const SafepointLook& look, int64_t now);

  const std::optional<Request>& request() const { return request_; }
  void doubt() { request_->doubted = true; }
  // What the request's own counters are while it waits.
  bool waits(const SafepointCounts& counts) const {
    return counts.requested == request_->number && counts.sync_ns == request_->sync_ns;
  }
  const SafepointCounts& seen() const { return seen_; }

 private:
  void look_exactly(const SafepointLook& look, int64_t now, News& news);
  void follow_stop(const SafepointLook& look, News& news);
  void note_unsummed(int64_t count, const SafepointLook& look, News& news) const;
  void look_by_counts(const SafepointCounts& counts, int64_t now, News& news);
  void forget_if_over(const SafepointCounts& counts, int64_t now);
  void settle(const SafepointCounts& counts, int64_t now, News& news);

  SafepointCounts seen_;
  int64_t last_look_ = 0;
  std::optional<Request> request_;
  uint64_t reached_ = 0;     // of all that were asked for, with words
  uint64_t over_ = 0;        // number of the last one that is over, with words
  std::optional<Stop> now_;  // that goes on, as far as it was seen
};

}  // namespace rec::agent
