// SPDX-License-Identifier: Apache-2.0
// RecordingList are the recordings that were asked for and are under way, each with what it asked for. They share one
// engine and its clocks: what runs is what any of them wants, as fine as any of them wants it. The first one's options
// are also those of the engine (stack depth, which clock counts CPU time, ...). Under Control's lock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/options/options.h"
#include "recorder/engine/engine.h"

namespace rec::agent {

struct ListedRecording {
  uint64_t id = kFirstRecording;
  Options options;
  RecordingTarget target;  // as it was started with
  int64_t start_ticks = 0;

  int64_t end_ticks() const { return options.duration_ns == 0 ? INT64_MAX : start_ticks + options.duration_ns; }
};

class RecordingList {
 public:
  bool empty() const { return all_.empty(); }
  bool several() const { return all_.size() > 1; }
  size_t size() const { return all_.size(); }
  uint64_t next_id() const { return all_.empty() ? kFirstRecording : all_.back().id + 1; }
  const ListedRecording& oldest() const { return all_.front(); }

  void add(ListedRecording recording) { all_.push_back(std::move(recording)); }
  void remove(uint64_t id);
  void clear() { all_.clear(); }

  // That a command means: the one of its name, or the only one. The error names those that there are.
  base::Result<ListedRecording*> meant(const Options& command);
  ListedRecording* named(const std::string& name);  // null: none
  ListedRecording* overdue(int64_t now_ticks);      // null: none
  int64_t first_end_ticks() const;                  // INT64_MAX: none has a duration

  std::vector<Options> wishes() const;
  std::string text() const;  // "rec to /srv/a.jfr, b to /srv/b.jfr"

 private:
  std::vector<ListedRecording> all_;  // oldest first
};

}  // namespace rec::agent
