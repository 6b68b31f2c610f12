// SPDX-License-Identifier: Apache-2.0
// NativeModules lists the loaded ELF files that have unwind tables (.eh_frame_hdr). Handlers search the list; an
// ordinary thread refreshes it when libraries came or went. A list that was replaced is kept: handlers may still be
// reading it, and it is small. But for refresh(): Signal-safe.
#pragma once

#include <atomic>
#include <cstdint>

namespace rec::agent {

struct NativeModule {
  uint64_t low = 0, high = 0;    // of its executable segment
  uint64_t eh_frame_header = 0;  // address of .eh_frame_hdr
};

class NativeModules {
 public:
  // Ordinary threads, one at a time. Costs nothing when nothing was loaded or unloaded since.
  void refresh();

  // Signal-safe. False when no module with unwind tables is there.
  bool find(uint64_t pc, NativeModule& module) const;

 private:
  static constexpr uint32_t kMaxModules = 1024;
  struct List {
    uint32_t count = 0;
    NativeModule modules[kMaxModules];
  };
  std::atomic<const List*> list_{nullptr};  // release in refresh() pairs with acquire in find()
  uint64_t generation_ = 0;
};

}  // namespace rec::agent
