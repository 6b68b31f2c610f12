// SPDX-License-Identifier: Apache-2.0
#include "recorder/epoch/epochs.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cassert>

#include "base/clock.h"

namespace rec {
namespace {

// Of the process: threads keep the tags of a recording that is over, which must not look like those of the next.
constinit std::atomic<uint32_t> last_serial{0};

void sleep_ns(int64_t ns) {
  const timespec time{0, ns};
  nanosleep(&time, nullptr);
}

}  // namespace

void Epochs::release() {
  if (directory_.empty()) return;  // released before: the gate may be another recording's by now
  gate_.close();
  for (Seat& seat : seats_) {
    if (seat.epoch && seat.stuck) abandon(seat);
    seat.epoch.reset();
    if (seat.set >= 0) gate_.release_set(seat.set);
    seat.set = -1;
  }
  rmdir(directory_.c_str());
  directory_.clear();
}

base::Status Epochs::create(const std::string& spool_directory, SpoolBudget& budget) {
  directory_ = spool_directory;
  config_.budget = &budget;
  base::Status status = base::Done{};
  for (uint32_t index = 0; index < 2; ++index)
    if (!fill(seats_[index], index, status)) return status;
  return status;
}

void Epochs::set_home(const SpoolHome& home) {
  if (config_.home == home) return;
  config_.home = home;
  for (Seat& seat : seats_)
    if (seat.epoch) seat.epoch->spool().set_home(home);
}

void Epochs::change(int64_t sample_period_ns, uint32_t live_slots) {
  config_.sample_period_ns = sample_period_ns;
  config_.live_slots = live_slots;
  for (Seat& seat : seats_)
    if (seat.epoch) seat.epoch->change(sample_period_ns, live_slots);
}

bool Epochs::fill(Seat& seat, uint32_t index, base::Status& status) {
  assert(!seat.epoch && seat.set < 0 && "a seat is empty before a fresh epoch takes it");
  seat.stuck = false;
  seat.set = gate_.reserve_set();
  if (seat.set < 0) {
    status = base::Error{base::ErrorCode::kLimit, 0, "too many epochs were abandoned"};
    return false;
  }
  // Spools are numbered on; even ones are for seat 0, odd ones for seat 1.
  auto epoch = Epoch::create(directory_, index + 2 * (spools_++ / 2), config_);
  if (!epoch) {
    gate_.release_set(seat.set);
    seat.set = -1;
    status = epoch.error();
    return false;
  }
  seat.epoch = std::move(*epoch);
  return true;
}

void Epochs::open() {
  current()->open(last_serial.fetch_add(1, std::memory_order_relaxed) + 1);
  gate_.open(seats_[current_].set, current());
}

void Epochs::hold() {
  for (Seat& seat : seats_)
    if (seat.epoch) (void)seat.epoch->spool().hold();
}

void Epochs::flip() {
  assert(can_flip() && "the epoch before is dropped first: there are two seats");
  closing_ = true;
  current_ = other();
  open();
}

void Epochs::shut() { gate_.close(); }

void Epochs::quiesce() {
  Seat& seat = seats_[closing_ ? other() : current_];
  if (seat.set < 0) return;
  const int64_t give_up = base::now_ticks() + quiesce_limit_ns_;
  int64_t pause = 50'000;
  for (unsigned look = 0; !gate_.idle(seat.set); ++look) {
    if (look < 100) {
      sched_yield();
      continue;
    }
    if (base::now_ticks() > give_up) {
      seat.stuck = true;
      config_.losses->note(Note::kEpochsAbandoned);
      return;
    }
    sleep_ns(pause);
    pause = std::min<int64_t>(pause * 2, 1'000'000);
  }
}

void Epochs::drop_closing() {
  assert(closing_ && "what is current is not dropped");
  Seat& seat = seats_[other()];
  closing_ = false;
  if (!seat.stuck) return seat.epoch->drop();
  base::Status status = base::Done{};
  abandon(seat);
  fill(seat, static_cast<uint32_t>(other()), status);  // none: chunks go on without flips, on the epoch there is
}

// The epoch object, its mapping and its pin set are never touched again by us, and never freed: the pinned writer may
// come back.
void Epochs::abandon(Seat& seat) {
  assert(seat.stuck && "an epoch is given up only when a pin in it does not end");
  seat.epoch->abandon();
  (void)seat.epoch.release();
  seat.set = -1;
}

void Epochs::keep_spools() {
  for (Seat& seat : seats_)
    if (seat.epoch) seat.epoch->spool().keep_file();
}

}  // namespace rec
