// SPDX-License-Identifier: Apache-2.0
// The last branches forwards that a path through code has not taken (code_path.h): where it goes on when it has come to the
// same jump again. Signal-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rec::agent {

class LoopExits {
 public:
  struct Exit {
    uint64_t pc = 0;
    int64_t sp_up = 0;  // how far sp had risen there
  };

  void note(const Exit& exit) { exits_[count_++ % kExits] = exit; }

  // The last one that leads beyond pc; null: there is none.
  const Exit* beyond(uint64_t pc) const {
    for (size_t back = 1; back <= kExits && back <= count_; ++back) {
      const Exit& exit = exits_[(count_ - back) % kExits];
      if (exit.pc >= pc) return &exit;
    }
    return nullptr;
  }

 private:
  static constexpr size_t kExits = 4;
  std::array<Exit, kExits> exits_{};  // a ring
  size_t count_ = 0;
};

}  // namespace rec::agent
