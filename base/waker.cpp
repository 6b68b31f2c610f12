// SPDX-License-Identifier: Apache-2.0
#include "base/waker.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>

#include "base/open_files.h"

namespace base {

Waker::~Waker() {
  OpenFiles::remove(event_);
  if (event_ >= 0) close(event_);
}

bool Waker::open() {
  event_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  OpenFiles::add(event_);
  return event_ >= 0;
}

void Waker::wake() {
  // acq_rel: pairs with both exchanges in wait(): either we find it asleep and write, or it finds itself wanted and
  // does not sleep. Whatever was done before the wake is seen after the wait.
  if (state_.exchange(kWanted, std::memory_order_acq_rel) != kAsleep) return;
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(event_, &one, sizeof one);  // a full counter wakes just as well
}

void Waker::wait(int64_t timeout_ns) {
  assert(event_ >= 0 && "open() comes before anything else");
  uint32_t seen = kAwake;
  // acq_rel: pairs with the exchange in wake(), which must find us asleep from here on.
  if (state_.compare_exchange_strong(seen, kAsleep, std::memory_order_acq_rel)) {
    pollfd event{event_, POLLIN, 0};
    poll(&event, 1, static_cast<int>(std::clamp<int64_t>((timeout_ns + 999'999) / 1'000'000, 0, INT32_MAX)));
  }
  // acq_rel: pairs with the exchange in wake(). An exchange and no store: it sees the latest wake(), and with it what
  // that was about.
  state_.exchange(kAwake, std::memory_order_acq_rel);
  uint64_t count = 0;
  [[maybe_unused]] const ssize_t n = read(event_, &count, sizeof count);
}

}  // namespace base
