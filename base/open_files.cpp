// SPDX-License-Identifier: Apache-2.0
#include "base/open_files.h"

#include <unistd.h>

namespace base {

constinit std::array<OpenFiles::Slot, OpenFiles::kMost> OpenFiles::slots_{};

void OpenFiles::add(int fd, const FileMark& mark) {
  if (fd < 0) return;
  for (Slot& slot : slots_) {
    int free = 0;
    // acq_rel: pairs with the exchanges in remove() and close_all(); open() comes before, in a forked child too.
    if (!slot.number.compare_exchange_strong(free, kTaken, std::memory_order_acq_rel)) continue;
    slot.device.store(mark.device, std::memory_order_relaxed);
    slot.inode.store(mark.inode, std::memory_order_relaxed);
    // release: pairs with the exchange in close_all(), which reads the mark.
    slot.number.store(fd + 1, std::memory_order_release);
    return;
  }
}

void OpenFiles::remove(int fd) {
  if (fd < 0) return;
  // acq_rel: pairs with the exchanges in add() and close_all(); the caller's close() comes after.
  for (Slot& slot : slots_) {
    int seen = fd + 1;
    if (slot.number.compare_exchange_strong(seen, 0, std::memory_order_acq_rel)) return;
  }
}

void OpenFiles::close_all() {
  // acq_rel: pairs with the exchanges in add() and remove(), made before the fork; whoever gets the number closes it.
  for (Slot& slot : slots_) {
    const int seen = slot.number.exchange(0, std::memory_order_acq_rel);
    if (seen <= 0) continue;
    const FileMark mark{slot.device.load(std::memory_order_relaxed), slot.inode.load(std::memory_order_relaxed)};
    if (mark.is_of(seen - 1)) close(seen - 1);
  }
}

}  // namespace base
