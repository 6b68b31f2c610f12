// SPDX-License-Identifier: Apache-2.0
// Texts copies several texts to one caller, and remembers the worst that happened. For handlers.
#pragma once

#include <asgst.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "agent/asgst/caller_text.h"

namespace rec::agent::asgst {

// As long as the text lives.
inline TextView view_of_text(const std::string& text) {
  return {text.c_str(), static_cast<uint16_t>(std::min<size_t>(text.size(), UINT16_MAX))};
}

class Texts {
 public:
  void copy(const TextView& text, char*& to, jint& length) {
    const Copied copied = copy_to_caller(text, to, length);
    cut_ |= copied == Copied::kCut;
    unreadable_ |= copied == Copied::kUnreadable;
  }
  int result(int when_unreadable) const { return unreadable_ ? when_unreadable : cut_ ? ASGST_TRUNCATED : ASGST_OK; }

 private:
  bool cut_ = false, unreadable_ = false;
};

}  // namespace rec::agent::asgst
