// SPDX-License-Identifier: Apache-2.0
// ContextAttributes copies what a thread tells of its request besides its ids: attributes of OpenTelemetry's thread context (OTEP 4947),
// each an index and a value, of which the process context tells the names (agent/context/process_context.h).
//
//   handler:      fact(epoch, record, name) --> Ref of what a context's slot refers to (recorder/spool/context_event.h)
//   housekeeper:  tend(): where the names are, at first and once somebody tells attributes; and whether there are others
//
// A request's attributes are copied once in an epoch: they are found again by their hash, of 64 bits and who else's they are. At most
// kMostBytes of them, whose last one may be cut, and is left out then. Names that come later are for what comes later.
//
// One for the life of the process, as handlers may come late.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <string>

#include "recorder/epoch/epoch.h"

namespace rec::agent {

class ContextAttributes {
 public:
  static constexpr uint16_t kMostBytes = 256;
  static constexpr size_t kMostKeyBytes = 4096;

  // Signal-safe, where a load may fault, of the calling thread's record; name: of the span, nothing if it has none. Nothing: it tells no
  // attributes, nobody their names, or there is no room: the name alone will do then.
  Ref<EncodedFact> fact(Epoch& epoch, uint64_t record, Ref<EncodedFact> name);

  void open();
  void tend();  // of the housekeeper, once a second, while a library tells contexts

 private:
  static constexpr size_t kKnown = 512, kMostKeyMaps = 64;
  static constexpr uint32_t kLongestWait = 64;  // seconds between two looks for the names

  // What was copied: its hash, and where it is, mixed with the hash, so that two halves of two do not fit together.
  struct Known {
    std::atomic<uint64_t> hash{0}, unit{0};
  };
  struct Keys {
    TextTag tag;
    std::string text;
  };
  void look();
  void publish(std::string keys);

  std::array<Known, kKnown> known_{};
  std::atomic<Keys*> keys_{nullptr};     // null: not known
  std::atomic<bool> are_told_{false};    // by a thread, of which a sample was taken
  std::deque<Keys> all_;                 // that there ever were: a handler may be at any of them
  uint64_t header_ = 0, published_ = 0;  // of the process context
  uint32_t tends_ = 0, wait_ = 1;
  bool has_looked_ = false;
};

}  // namespace rec::agent
