// SPDX-License-Identifier: Apache-2.0
// Problems is where a reader notes what is damaged while it goes on with what is good.
//
// Offsets are bytes into the file. Only the first kMaxKept are kept, the others are counted: a hostile file must not
// make us hold a sentence for each of its bytes.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/result.h"

namespace jfr::read {

class Problems {
 public:
  static constexpr size_t kMaxKept = 20;

  void add(base::Error error) {
    ++count_;
    if (kept_.size() < kMaxKept) kept_.push_back(std::move(error));
  }
  void add(const Problems& others) {
    for (const base::Error& error : others.kept_)
      if (kept_.size() < kMaxKept) kept_.push_back(error);
    count_ += others.count_;
  }
  bool empty() const { return count_ == 0; }
  size_t count() const { return count_; }
  const std::vector<base::Error>& kept() const { return kept_; }
  void clear() { *this = Problems(); }  // what was noted has been told

 private:
  std::vector<base::Error> kept_;
  size_t count_ = 0;
};

}  // namespace jfr::read
