// SPDX-License-Identifier: Apache-2.0
// NativeModules lists the loaded ELF files: where their code lies, their unwind tables (.eh_frame_hdr), and which library
// each is (library_numbers.h). Handlers search the list; an ordinary thread refreshes it when libraries came or went. But
// for refresh(): Signal-safe.
//
//   list A   current: handlers search it              There are two, which are written in turns. A list has a version,
//   list B   the one before; written anew next        odd while it is written; who found another one behind than in front
//                                                     has searched what was just written anew, and looks into the current.
//
// Between two refreshes a library may go and another one come to its place. find() believes an entry only as long as a
// word of the library still stands in memory: of its build id, or of its table's head. That word may be the next one's, too: without a
// build id it is the loader that has to have the same load still (library_loads.h), and which file it is
// is read from the list of mappings, once a load (base/mapped_files.h).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "agent/hotspot/walk/library_loads.h"
#include "agent/hotspot/walk/native_rows.h"

namespace rec::agent {

struct NativeModule {
  uint64_t low = 0, high = 0;    // of its executable segments
  uint64_t eh_frame_header = 0;  // address of .eh_frame_hdr; 0: it has none
  uint64_t bias = 0;             // an address less this is the file's own
  uint64_t mark_at = 0, mark = 0;
  LibraryLoad load;     // of one without a build id
  uint16_t number = 0;  // of the library; 0: there were too many
  std::array<uint16_t, 3> unused{};
};

// What stands for code that is in no library. Its addresses are these.
inline constexpr uint16_t kNoLibrary = 1;
inline constexpr uint64_t kUnknownCode = 0;
inline constexpr uint64_t kNotUnwound = 1;  // frames are missing here: native code whose callers could not be found
// Code of the VM that is no method's. An address is where its name stands, which stays there (stub_name()).
inline constexpr uint16_t kStubs = 2;

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
  static constexpr size_t kWords = sizeof(NativeModule) / sizeof(uint64_t);
  static_assert(kWords * sizeof(uint64_t) == sizeof(NativeModule));
  class List {
   public:
    void write(std::span<const NativeModule> modules);  // sorted by low
    enum class Search : uint8_t { kFound, kNotThere, kBeingWritten };
    Search find(uint64_t pc, NativeModule& module) const;
    uint16_t number_of(const LibraryLoad& load) const;  // for who writes lists. 0: it is not there, or has none

   private:
    using Words = std::array<std::atomic<uint64_t>, kWords>;  // of a NativeModule
    static uint64_t low_of(const Words& words) { return words[0].load(std::memory_order_relaxed); }
    static uint64_t high_of(const Words& words) { return words[1].load(std::memory_order_relaxed); }
    static NativeModule module_of(const Words& words);
    bool search(uint64_t pc, NativeModule& module) const;

    std::atomic<uint32_t> version_{0}, count_{0};
    std::array<Words, kMaxModules> modules_{};
  };
  void list_anew(uint64_t generation);

  std::array<List, 2> lists_;
  std::atomic<const List*> list_{nullptr};  // release in list_anew() pairs with acquire in find()
  std::atomic<bool> refreshing_{false};
  uint64_t generation_ = 0;  // of who is refreshing
  mutable NativeRows rows_;  // of all that was ever in the list: each is of one library
};

// Searches for one walk, which mostly stays in one library: that is there as long as its frames are on the stack, and is
// not looked for again. Signal-safe.
class ModuleCursor {
 public:
  ModuleCursor(const NativeModules& modules) : modules_(modules) {}
  // Until the next call; null: no module is there.
  const NativeModule* find(uint64_t pc) const {
    if (pc - found_.low < found_.high - found_.low) return &found_;
    NativeModule module;
    if (!modules_.find(pc, module)) return nullptr;
    found_ = module;
    return &found_;
  }
  NativeRows& rows() const { return modules_.rows(); }

 private:
  const NativeModules& modules_;
  mutable NativeModule found_;
};

}  // namespace rec::agent
