// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/top_keys.h"

namespace jrec {
namespace {

constexpr char kEscape = '\x1b', kBackspace = '\b', kDelete = '\x7f';

bool is_end(char key) { return key == '\n' || key == '\r'; }

}  // namespace

void TopKeys::take_word(char key) {
  if (key == kEscape) word_.clear();
  if (key == kEscape || is_end(key)) {
    part_ = word_;
    typing_ = false;
  } else if (key == kBackspace || key == kDelete) {
    if (!word_.empty()) word_.pop_back();
  } else {
    word_ += key;
  }
}

void TopKeys::take(char key) {
  if (typing_) return take_word(key);
  switch (key) {
    case 'q': left_ = true; break;
    case ' ':
    case 'p': held_ = !held_; break;
    case 's': by_total_ = !by_total_; break;
    case '/':
      typing_ = true;
      word_.clear();
      break;
    case kEscape: part_.clear(); break;
    case 'h':
    case '?': help_ = !help_; break;
    default: break;
  }
}

std::string TopKeys::line() const {
  if (typing_) return "only methods with: " + word_ + "_";
  if (help_) return "q leave, space hold, s sort by now or since, / a part of a method, Escape all";
  std::string line = held_ ? "held" : "";
  const auto add = [&](const std::string& what) { line += (line.empty() ? "" : ", ") + what; };
  if (by_total_) add("sorted by since");
  if (!part_.empty()) add("only methods with " + part_);
  add("h: keys");
  return line;
}

}  // namespace jrec
