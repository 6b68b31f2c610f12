// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/timer_refusal.h"

#include <signal.h>
#include <time.h>

#include <cerrno>

#include "base/result.h"

namespace rec::agent {
namespace {

constexpr time_t kFarSeconds = 1000;

}  // namespace

std::string TimerRefusal::text() const {
  return base::system_error(call, error).what + (error == EAGAIN ? " (ulimit -i)" : "");
}

TimerRefusal try_timer() {
  sigevent event{};
  event.sigev_notify = SIGEV_NONE;
  timer_t timer;
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) return {"timer_create", errno};
  const itimerspec spec{{0, 0}, {kFarSeconds, 0}};
  TimerRefusal refusal;
  if (timer_settime(timer, 0, &spec, nullptr) != 0) refusal = {"timer_settime", errno};
  timer_delete(timer);
  return refusal;
}

}  // namespace rec::agent
