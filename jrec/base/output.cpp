// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/file_io.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/inputs.h"
#include "jrec/base/local_path.h"
#include "jrec/base/progress.h"
#include "jrec/base/terminal.h"

namespace jrec {

bool Output::is_long() const {
  const size_t lines = terminal_lines();
  return lines != 0 && lines_taken(text_, terminal_columns()) >= lines;
}

bool Output::flush() {
  if (may_page_ && is_long() && pager_.start()) set_quiet(true);
  may_page_ = false;
  if (ok() && !base::write_all(pager_.runs() ? pager_.fd() : fd_, text_.data(), text_.size())) errno_value_ = errno;
  text_.clear();
  if (pager_.runs() && errno_value_ == EPIPE) {
    pager_.wait();
    leave_with(kDone);
  }
  return ok();
}

bool Output::finish() {
  const bool whole = flush();
  pager_.wait();
  return whole;
}

bool Output::is_terminal() const { return ::isatty(fd_) == 1; }

std::string output_error_text(int errno_value) {
  return errno_value == kIsAnInput ? kInputIsKept : std::strerror(errno_value);
}

namespace {

// Beside it; a long name is cut, so that the system takes this one where it takes that.
std::string temporary_of(const std::string& path) {
  constexpr std::string_view kEnding = ".XXXXXX";
  const size_t name = path.rfind('/') + 1;  // npos + 1: it has no directory
  return path.substr(0, name) + path.substr(name, NAME_MAX - kEnding.size()) + std::string(kEnding);
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (!check_local(path_)) {
    errno = EPROTONOSUPPORT;
    return;
  }
  struct stat status;
  const bool special = ::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  if (special) {  // /dev/null, a pipe: there is nothing to replace
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    return;
  }
  temporary_ = temporary_of(path_);
  fd_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (fd_ < 0)
    temporary_.clear();
  else
    in_the_making_.emplace(temporary_);
}

bool OutputFile::commit() {
  if (temporary_.empty()) return true;
  struct stat status;
  if (::stat(path_.c_str(), &status) == 0 && is_input(status)) return errno = kIsAnInput, false;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return false;
  in_the_making_.reset();
  temporary_.clear();
  return true;
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

}  // namespace jrec
