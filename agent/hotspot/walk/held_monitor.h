// SPDX-License-Identifier: Apache-2.0
// HeldMonitor is a monitor that a frame of a thread has entered, or is about to: plain data. MonitorSlot is where it was
// found: a word that the collector keeps true, so that the next dump finds the object again, wherever it lies then.
#pragma once

#include <cstdint>
#include <string>

namespace rec::agent {

struct MonitorSlot {
  enum class Kind : uint8_t {
    kWord,      // of a frame: an uncompressed reference
    kNarrow,    // of a frame: a compressed one
    kConstant,  // of compiled code: likewise
    kNone,      // the object was optimised away
  };
  uint32_t frame = 0;  // of the stack, from the innermost
  Kind kind = Kind::kNone;
  bool eliminated = false;  // the compiler does without it, since nobody else can want it
  uint64_t address = 0;
};

struct HeldMonitor {
  uint32_t frame = 0;
  bool eliminated = false;
  uint64_t object = 0;    // where the object lay; 0: it was optimised away
  std::string klass;      // of the object
  std::string mirror_of;  // of an object that is a class: which
};

}  // namespace rec::agent
