// SPDX-License-Identifier: Apache-2.0
// What a recording that was recovered is called when the user does not say.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace jrec {

// The recording that a directory of chunks belongs to: app.jfr.chunks, app.jfr.chunks.dead-0123... -> app.jfr;
// 2026_11_21_13_45_10_4711 -> 2026_11_21_13_45_10_4711.jfr
std::string recording_of(const std::string& directory);

std::string with_suffix(const std::string& recording, const std::string& suffix);  // app.jfr, "-x" -> app-x.jfr
std::string beside(const std::string& recording);                                  // app.jfr -> app-recovered.jfr

// The recording's own name if nothing is there, or app-recovered.jfr, or app-recovered-2.jfr ...
std::string free_target(const std::string& recording);

// The names of the recordings that are made of one directory of chunks: -o, which is the name of one recording, or those above.
class TargetNames {
 public:
  // out: -o, or empty.
  TargetNames(const std::string& directory, std::string out) : own_(recording_of(directory)), out_(std::move(out)) {}

  std::string only() const { return out_.empty() ? free_target(own_) : out_; }
  // Of a process beside others.
  std::string of(uint32_t pid) const;
  // What a recovery before this one may have called it.
  std::vector<std::string> earlier(bool only_one) const;

 private:
  std::string own_, out_;
};

}  // namespace jrec
