// SPDX-License-Identifier: Apache-2.0
// Epochs owns the two epochs and moves the writers from one to the other.
//
//   [current] --flip()--> [closing] --quiesce(), the caller writes it out, drop()--> [empty] --flip()--> [current]
//                             |
//                             +-- a pin does not end within the limit: abandoned, a fresh epoch takes the seat
//
// Invariant: writers are only ever let into the current epoch; the closing one is written to by nobody once quiesce()
// said so. Recorder thread only.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "recorder/epoch/epoch.h"
#include "recorder/epoch/epoch_gate.h"

namespace rec {

class Epochs {
 public:
  Epochs(EpochGate& gate, EpochConfig config, int64_t quiesce_limit_ns)
      : gate_(gate), config_(config), quiesce_limit_ns_(quiesce_limit_ns) {}
  ~Epochs() { release(); }

  base::Status create(const std::string& spool_directory, SpoolBudget& budget);
  void set_home(const SpoolHome& home);                        // what the spools tell recovery, from now on
  void change(int64_t sample_period_ns, uint32_t live_slots);  // from the next flip on
  void hold();                                                 // of both spools, at each flush
  void open();                                                 // the first epoch becomes current: recording begins
  Epoch* current() { return seats_[current_].epoch.get(); }
  Epoch* closing() { return closing_ ? seats_[other()].epoch.get() : nullptr; }

  Epoch* next() { return seats_[other()].epoch.get(); }  // can_flip()
  bool can_flip() const { return !closing_ && seats_[other()].epoch; }
  void flip();     // can_flip()
  void shut();     // nothing is current for writers any more; current() stays to be written
  void quiesce();  // of the closing epoch, or of the current one after shut()
  void drop_closing();
  void keep_spools();  // at the end, when they could not be written out
  void release();      // the end: memory and files go; what a writer is still inside of stays mapped
  const std::string& directory() const { return directory_; }

 private:
  struct Seat {
    std::unique_ptr<Epoch> epoch;
    int set = -1;
    bool stuck = false;  // a pin did not end
  };
  size_t other() const { return 1 - current_; }
  bool fill(Seat& seat, uint32_t index, base::Status& status);
  void abandon(Seat& seat);

  EpochGate& gate_;
  EpochConfig config_;
  int64_t quiesce_limit_ns_;
  std::string directory_;
  std::array<Seat, 2> seats_;
  size_t current_ = 0;
  bool closing_ = false;
  uint32_t spools_ = 0;
};

}  // namespace rec
