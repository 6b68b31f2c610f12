// SPDX-License-Identifier: Apache-2.0
// TopKeys is what the reader of `jrec top` has asked for by keys.
//
//   q            leave
//   space, p     hold the screen; the program is still followed
//   s            sort by now, or by since the beginning
//   /            then a part of a name and Enter: these methods only; Escape, or nothing: all
//   h, ?         what there is
#pragma once

#include <string>

namespace jrec {

class TopKeys {
 public:
  void take(char key);

  bool left() const { return left_; }
  bool held() const { return held_; }
  bool by_total() const { return by_total_; }
  const std::string& part() const { return part_; }  // of a name; empty: all
  // The last line of the screen.
  std::string line() const;

 private:
  void take_word(char key);

  bool left_ = false, held_ = false, by_total_ = false, typing_ = false, help_ = false;
  std::string part_, word_;  // word_: as typed so far
};

}  // namespace jrec
