// SPDX-License-Identifier: Apache-2.0
// Complaints says each trouble once, until it is over: a disk that stays full for an hour is one line. Recorder thread
// only.
#pragma once

#include <string>
#include <unordered_set>

namespace rec {

class Complaints {
 public:
  explicit Complaints(void (*log)(const char* line)) : log_(log) {}
  // `cause` decides what counts as the same trouble; `line` is what the user reads.
  void say(const std::string& cause, const std::string& line) {
    if (said_.insert(cause).second && log_) log_(line.c_str());
  }
  void over() { said_.clear(); }

 private:
  void (*log_)(const char* line);
  std::unordered_set<std::string> said_;
};

}  // namespace rec
