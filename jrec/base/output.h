// SPDX-License-Identifier: Apache-2.0
// Output collects what a command prints and hands it to a file descriptor in large pieces.
//
// The first write that fails is remembered and everything after it is dropped: ask ok() at the end, and exit with
// kOutputFailed.
//
// On a terminal a text that is longer than the screen goes to a pager, where page_long_text() was called before. Whoever
// leaves the pager has seen enough: the process ends then, with kDone.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>

#include "jrec/base/pager.h"

namespace jrec {

class Output {
 public:
  static constexpr size_t kFlushSize = 256 * 1024;

  explicit Output(int fd) : fd_(fd) { text_.reserve(kFlushSize + 4096); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // The buffer itself, to append to; call flush_if_large() now and then.
  std::string& text() { return text_; }
  void add(std::string_view text) {
    if (text.size() >= kFlushSize && !may_page_) return add_large(text);
    text_ += text;
    flush_if_large();
  }
  void flush_if_large() {
    if (text_.size() >= kFlushSize) flush();
  }
  bool flush();
  // Nothing was written yet, and what was added so far and until finish() is one text.
  void page_long_text() { may_page_ = is_terminal(); }
  // Writes what is left, and waits for the reader where there is a pager.
  bool finish();
  bool is_terminal() const;
  bool ok() const { return errno_value_ == 0; }
  int errno_value() const { return errno_value_; }

 private:
  bool is_long() const;
  void add_large(std::string_view text);
  void write(std::string_view text);

  int fd_;
  bool may_page_ = false;
  Pager pager_;
  int errno_value_ = 0;
  std::string text_;
};

}  // namespace jrec
