// SPDX-License-Identifier: Apache-2.0
// The entries and exits of the interpreter that a processor's InterpreterMap has found (interpreter_map.h). Entry has `begin`,
// `end` and builds_frame(), Exit `after_leave` and `end`. At start one thread adds. Signal-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rec::agent {

template <typename Entry, typename Exit>
class InterpreterTable {
 public:
  // False: no entry does, so this is not the interpreter we know.
  bool builds_frames() const {
    for (size_t i = 0; i < entry_count_; ++i)
      if (entries_[i].builds_frame()) return true;
    return false;
  }

  // Null: pc is in none.
  const Entry* entry_at(uint64_t pc) const {
    for (size_t i = 0; i < entry_count_; ++i)
      if (pc >= entries_[i].begin && pc < entries_[i].end) return &entries_[i];
    return nullptr;
  }
  const Exit* exit_at(uint64_t pc) const {
    for (size_t i = 0; i < exit_count_; ++i)
      if (pc >= exits_[i].after_leave && pc < exits_[i].end) return &exits_[i];
    return nullptr;
  }

 protected:
  bool has_room_for_entry() const { return entry_count_ < entries_.size(); }
  bool has_room_for_exit() const { return exit_count_ < exits_.size(); }
  void add(const Entry& entry) { entries_[entry_count_++] = entry; }  // there is room
  void add(const Exit& exit) { exits_[exit_count_++] = exit; }

 private:
  static constexpr size_t kMaxEntries = 64;
  static constexpr size_t kMaxExits = 128;

  std::array<Entry, kMaxEntries> entries_{};
  std::array<Exit, kMaxExits> exits_{};
  size_t entry_count_ = 0, exit_count_ = 0;
};

}  // namespace rec::agent
