// SPDX-License-Identifier: Apache-2.0
#include "base/open_files.h"

#include <unistd.h>

namespace base {

constinit std::array<std::atomic<int>, OpenFiles::kMost> OpenFiles::numbers_{};

void OpenFiles::add(int fd) {
  if (fd < 0) return;
  // acq_rel: pairs with the exchanges in remove() and close_all(); open() comes before, in a forked child too.
  for (std::atomic<int>& number : numbers_) {
    int free = 0;
    if (number.compare_exchange_strong(free, fd + 1, std::memory_order_acq_rel)) return;
  }
}

void OpenFiles::remove(int fd) {
  if (fd < 0) return;
  // acq_rel: pairs with the exchanges in add() and close_all(); the caller's close() comes after.
  for (std::atomic<int>& number : numbers_) {
    int seen = fd + 1;
    if (number.compare_exchange_strong(seen, 0, std::memory_order_acq_rel)) return;
  }
}

void OpenFiles::close_all() {
  // acq_rel: pairs with the exchanges in add() and remove(), made before the fork; whoever gets the number closes it.
  for (std::atomic<int>& number : numbers_)
    if (const int seen = number.exchange(0, std::memory_order_acq_rel); seen != 0) close(seen - 1);
}

}  // namespace base
