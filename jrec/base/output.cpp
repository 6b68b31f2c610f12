// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/output.h"

#include <unistd.h>

#include <cerrno>

#include "base/file_io.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/progress.h"
#include "jrec/base/terminal.h"

namespace jrec {

bool Output::is_long() const {
  const size_t lines = terminal_lines();
  return lines != 0 && lines_taken(text_, terminal_columns()) >= lines;
}

bool Output::flush() {
  if (may_page_ && is_long() && pager_.start()) show_progress(false);
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

}  // namespace jrec
