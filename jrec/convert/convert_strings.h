// SPDX-License-Identifier: Apache-2.0
// ConvertStrings numbers distinct strings in the order in which they are asked for. Number 0 is the empty one, as
// pprof and OpenTelemetry want it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace jrec {

class ConvertStrings {
 public:
  ConvertStrings() { index(""); }

  int32_t index(std::string_view text) {
    const auto found = places_.find(text);
    if (found != places_.end()) return found->second;
    const auto place = static_cast<int32_t>(all_.size());
    places_.emplace(all_.emplace_back(text), place);
    return place;
  }
  const std::deque<std::string>& all() const { return all_; }

 private:
  std::deque<std::string> all_;  // a deque: the views of places_ stay good
  std::unordered_map<std::string_view, int32_t> places_;
};

}  // namespace jrec
