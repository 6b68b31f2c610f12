// SPDX-License-Identifier: Apache-2.0
// RustParser reads the letters of a v0 symbol (RFC 2603): numbers, identifiers, references to what stood before. What does
// not fit fails it for good: it then yields nothing, and failed() says so. It counts steps. A view.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rec {

class RustParser {
 public:
  // Behind "_R": references count from there.
  explicit RustParser(std::string_view text) : text_(text) {}

  bool failed() const { return failed_; }
  void fail() { failed_ = true; }
  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return failed_ || at_end() ? '\0' : text_[at_]; }
  bool eat(char wanted) { return peek() == wanted && wanted != '\0' ? ++at_, true : false; }
  char next();  // a step; '\0' when it failed

  uint64_t decimal();
  uint64_t base62();               // with its "_"
  uint64_t tagged(char tag);       // [tag base62] as 0, or one more than it says
  std::string_view hexadecimal();  // digits up to "_", without it
  std::string identifier();        // without a disambiguator; punycode is decoded
  size_t at() const { return at_; }
  // The place that a reference, whose letter has been read, names. Fails unless that lies in front of it.
  size_t reference();
  void go_to(size_t at) { at_ = at; }

 private:
  static constexpr unsigned kMostSteps = 5000;
  std::string_view text_;
  size_t at_ = 0;
  unsigned steps_ = 0;
  bool failed_ = false;
};

}  // namespace rec
