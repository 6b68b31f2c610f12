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
  write(text_);
  text_.clear();
  return ok();
}

// Not by way of the buffer: whole chunks are megabytes.
void Output::add_large(std::string_view text) {
  flush();
  write(text);
}

void Output::write(std::string_view text) {
  if (ok() && !base::write_all(pager_.runs() ? pager_.fd() : fd_, text.data(), text.size())) errno_value_ = errno;
  if (!pager_.runs() || errno_value_ != EPIPE) return;
  pager_.wait();
  leave_with(kDone);
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

std::string folder_of(const std::string& path) {
  const size_t name = path.rfind('/') + 1;
  return name == 0 ? "." : path.substr(0, name);
}

std::string path_of(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

// A file that goes with its descriptor, and may get a name (open(2), O_TMPFILE). -1: not in this directory.
int open_nameless(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0 || ::access(path_of(fd).c_str(), F_OK) == 0) return fd;
  ::close(fd);
  return -1;
}

bool give_name(int nameless, const std::string& path) {
  return ::linkat(AT_FDCWD, path_of(nameless).c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (!check_local(path_)) {
    errno = EPROTONOSUPPORT;
    return;
  }
  struct stat status;
  const bool special = ::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  if (special)  // /dev/null, a pipe: there is nothing to replace
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  else
    make_file();
}

void OutputFile::make_file() {
  is_new_ = true;
  fd_ = open_nameless(folder_of(path_));
  if (fd_ >= 0) return;
  temporary_ = temporary_of(path_);
  fd_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (fd_ < 0)
    temporary_.clear();
  else
    in_the_making_.emplace(temporary_);
}

bool OutputFile::commit() {
  if (!is_new_) return true;
  struct stat status;
  if (::stat(path_.c_str(), &status) == 0 && is_input(status)) return errno = kIsAnInput, false;
  if (temporary_.empty() && give_name(fd_, path_)) return true;
  if (temporary_.empty() && (errno != EEXIST || !name_it())) return false;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return false;
  in_the_making_.reset();
  temporary_.clear();
  return true;
}

// A name that is free, as what stands at the path cannot be replaced by what has none.
bool OutputFile::name_it() {
  std::string name = temporary_of(path_);
  const int other = ::mkostemp(name.data(), O_CLOEXEC);
  if (other < 0) return false;
  ::close(other);
  in_the_making_.emplace(name);
  temporary_ = std::move(name);
  return ::unlink(temporary_.c_str()) == 0 && give_name(fd_, temporary_);
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

}  // namespace jrec
