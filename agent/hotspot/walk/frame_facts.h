// SPDX-License-Identifier: Apache-2.0
// FrameFacts is what a thread dump shows of one frame, read from the VM while the frame is on a stack. Texts are views
// of the VM's memory, to be copied by copy_text() while that still holds. Signal-safe.
//
//   read_key()    tells a frame from all others: a few loads; who knows the key need not read the rest
//   read_frame()  names and line: symbols and the compressed line table
#pragma once

#include <cstdint>

#include "agent/hotspot/walk/stack_walker.h"
#include "recorder/spool/facts.h"

namespace rec::agent {

// Method* are reused, also within a class; with the ids, the version and the head of its line table the key is not.
struct FrameKey {
  uint64_t method = 0;
  uint64_t const_method = 0;
  uint64_t id = 0;  // class id << 16 | original idnum; 0: could not be read
  uint64_t lines = 0;
  int32_t bci = 0;
  friend bool operator==(const FrameKey&, const FrameKey&) = default;
};

struct FrameFacts {
  static constexpr int32_t kNoLine = -1;
  static constexpr int kTexts = 5;
  FrameKey key;
  TextView klass, name, file, module, module_version;  // "java/lang/Object"; empty: there is none
  int32_t line = kNoLine;
  bool native = false;

  TextView* text(int index) {
    TextView* const all[kTexts] = {&klass, &name, &file, &module, &module_version};
    return all[index];
  }
  const TextView& text(int index) const { return *const_cast<FrameFacts*>(this)->text(index); }
};

// False: the method cannot be read, and is none (any more).
bool read_key(const Layout& layout, const RawFrame& frame, FrameKey& key);
bool read_frame(const Layout& layout, const RawFrame& frame, FrameFacts& facts);

}  // namespace rec::agent
