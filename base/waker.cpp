// SPDX-License-Identifier: Apache-2.0
#include "base/waker.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

#include "base/open_files.h"

namespace base {

Waker::~Waker() { close_own(); }

bool Waker::is_own() const {
  const int fd = event_.load(std::memory_order_relaxed);
  return fd >= 0 && mark_.is_of(fd);
}

void Waker::close_own() {
  const bool own = is_own();
  const int fd = event_.exchange(-1, std::memory_order_relaxed);
  OpenFiles::remove(fd);
  if (own) close(fd);
}

bool Waker::open() {
  close_own();
  const int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) return false;
  mark_ = FileMark::of(fd);
  OpenFiles::add(fd, mark_);
  event_.store(fd, std::memory_order_relaxed);
  return true;
}

void Waker::wake() {
  // acq_rel: pairs with both exchanges in wait(): either we find it asleep and write, or it finds itself wanted and
  // does not sleep. Whatever was done before the wake is seen after the wait.
  if (state_.exchange(kWanted, std::memory_order_acq_rel) != kAsleep) return;
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t n =
      write(event_.load(std::memory_order_relaxed), &one, sizeof one);  // a full counter wakes just as well
}

void Waker::wait(int64_t timeout_ns) {
  if (!is_own()) (void)open();  // without one it sleeps for the whole time
  const int fd = event_.load(std::memory_order_relaxed);
  uint32_t seen = kAwake;
  // acq_rel: pairs with the exchange in wake(), which must find us asleep from here on.
  if (state_.compare_exchange_strong(seen, kAsleep, std::memory_order_acq_rel)) {
    pollfd event{fd, POLLIN, 0};
    poll(&event, 1, static_cast<int>(std::clamp<int64_t>((timeout_ns + 999'999) / 1'000'000, 0, INT32_MAX)));
  }
  // acq_rel: pairs with the exchange in wake(). An exchange and no store: it sees the latest wake(), and with it what
  // that was about.
  state_.exchange(kAwake, std::memory_order_acq_rel);
  uint64_t count = 0;
  [[maybe_unused]] const ssize_t n = read(fd, &count, sizeof count);
}

}  // namespace base
