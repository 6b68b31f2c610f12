// SPDX-License-Identifier: Apache-2.0
// OutputFile is a file that a command was told to write: it appears under its name when it is whole, with commit(), or not
// at all. Until then it has no name, so who is killed leaves nothing behind; but where the file system knows only files
// with names, it stands beside its place as NAME.XXXXXX.
//
// What it replaces gives it its owner and mode. A link stays, and what it leads to is replaced. Neither holds of what is
// another user's in a directory that all share. A link to a descriptor of this process, such as /dev/stdout, means that.
#pragma once

#include <cerrno>
#include <optional>
#include <string>

#include "jrec/base/interrupt.h"

namespace jrec {

inline constexpr int kIsAnInput = EEXIST;
// strerror(), but for that.
std::string output_error_text(int errno_value);

// What a file holds, from its beginning, to where `to` stands. false: errno says why.
[[nodiscard]] bool copy_all(int from, int to);

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
