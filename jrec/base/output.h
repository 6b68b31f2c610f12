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
#include <optional>
#include <string>
#include <string_view>

#include "jrec/base/interrupt.h"
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

inline constexpr int kIsAnInput = EEXIST;
// strerror(), but for that.
std::string output_error_text(int errno_value);

// A file that a command was told to write: it appears under its name when it is whole, with commit(), or not at all. Until
// then it has no name, so who is killed leaves nothing behind; but where the file system knows only files with names, it
// stands beside its place as NAME.XXXXXX.
//
// What it replaces gives it its owner and mode. A link stays, and what it leads to is replaced. Neither holds of what is
// another user's in a directory that all share. A link to a descriptor of this process, such as /dev/stdout, means that.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // -1 when it could not be made; errno says why: EPROTONOSUPPORT if the path is an address (local_path.h).
  int fd() const { return fd_; }
  // A regular file that commit() puts in its place; else what is written is where it goes.
  bool is_new() const { return is_new_; }
  bool commit();  // false: errno says why; kIsAnInput if it would write over a file that the command reads

 private:
  void make_file();
  int make_named();
  bool name_it();

  std::string path_;
  bool is_new_ = false;    // it has to get its name
  std::string temporary_;  // the name that it has meanwhile; empty: none
  std::optional<InTheMaking> in_the_making_;
  int fd_ = -1;
};

}  // namespace jrec
