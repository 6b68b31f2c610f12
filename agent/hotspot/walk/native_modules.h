// SPDX-License-Identifier: Apache-2.0
// NativeModules lists the loaded ELF files: where their code lies, their unwind tables (.eh_frame_hdr), and which library
// each is (library_numbers.h). Handlers search the list; an ordinary thread refreshes it when libraries came or went. A list that was
// replaced is kept: handlers may still be reading it, and it is small. But for refresh(): Signal-safe.
//
// Between two refreshes a library may go and another one come to its place. find() believes an entry only as long as a
// word of the library still stands in memory: of its build id, or of its table's head.
#pragma once

#include <atomic>
#include <cstdint>

#include "agent/hotspot/walk/native_rows.h"

namespace rec::agent {

struct NativeModule {
  uint64_t low = 0, high = 0;    // of its executable segments
  uint64_t eh_frame_header = 0;  // address of .eh_frame_hdr; 0: it has none
  uint64_t bias = 0;             // an address less this is the file's own
  uint64_t mark_at = 0, mark = 0;
  uint16_t number = 0;  // of the library; 0: there were too many
};

// What stands for code that is in no library. Its addresses are these.
inline constexpr uint16_t kNoLibrary = 1;
inline constexpr uint64_t kUnknownCode = 0;
inline constexpr uint64_t kNotUnwound = 1;  // frames are missing here: native code whose callers could not be found
inline constexpr uint64_t kStubCode = 2;    // code of the VM that is no method's, where such frames are shown

class NativeModules {
 public:
  // Ordinary threads; who finds another one at it leaves it to him. Costs next to nothing when nothing was loaded or
  // unloaded since.
  void refresh();

  // Signal-safe. False when no module is there.
  bool find(uint64_t pc, NativeModule& module) const;
  NativeRows& rows() const { return rows_; }

 private:
  static constexpr uint32_t kMaxModules = 1024;
  struct List {
    uint32_t count = 0;
    NativeModule modules[kMaxModules];
  };
  void list_anew(uint64_t generation);

  std::atomic<const List*> list_{nullptr};  // release in refresh() pairs with acquire in find()
  std::atomic<bool> refreshing_{false};
  uint64_t generation_ = 0;  // of who is refreshing
  mutable NativeRows rows_;  // of all that was ever in the list: each is of one library
};

}  // namespace rec::agent
