// SPDX-License-Identifier: Apache-2.0
// SpanNames gives each name of a span a number, once and for the life of the process, so that a context has room for it and
// a handler can find the text again.
//
//   ordinary threads: number_of("checkout") -> 7         handlers: tag(epoch, 7) -> its text in that epoch
//
// At most kMost names of kMostBytes each. Longer ones are cut between two characters; all that come when it is full are
// kOther, and each use of that is counted (Note::kSpanNamesRefused). Names are for kinds of work: who makes one of each
// request's number will see that.
//
// One for the life of the process, without a constructor.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "recorder/epoch/epoch.h"

namespace rec::agent {

class SpanNames {
 public:
  static constexpr uint32_t kMost = 4096, kOther = kMost;  // "[other]"
  static constexpr size_t kMostBytes = 120;

  // Ordinary threads. 0: an empty name. Takes a lock, and some microseconds the first time.
  uint32_t number_of(std::string_view name);

  // Ordinary threads, for each span that begins and each context that is set: its name's number, or 0 if that was never given.
  // Counts what has no name of its own: kOther, and what was never given.
  uint32_t used(uint32_t number) const;

  // Signal-safe. Empty if there is no such number.
  std::string_view text(uint32_t number) const;
  Ref<EncodedFact> tag(Epoch& epoch, uint32_t number);  // nothing, too, if there is no room

 private:
  struct Name {
    uint32_t size = 0;
    std::array<char, kMostBytes> text{};
    TextTag tag;
  };
  static constexpr uint32_t kSlots = kMost * 2;  // of the index by hash

  Name* name(uint32_t number) const;
  uint32_t find(std::string_view text, uint32_t& slot) const;
  uint32_t enter(uint32_t number, std::string_view text);

  std::mutex mutex_;                                 // of who enters one
  std::array<std::atomic<Name*>, kMost + 1> all_{};  // by number; 0 is none. Set once
  std::array<uint16_t, kSlots> by_hash_{};           // numbers, linear probing; under mutex_
  uint32_t count_ = 0;                               // likewise
};

SpanNames& span_names();

}  // namespace rec::agent
