// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/recording.h"

#include <fmt/core.h>

#include <cstdio>

#include "jrec/base/escape.h"
#include "jrec/input/input.h"

namespace jrec {

void complain(const std::string& subject, const base::Error& error) {
  const bool placed = error.code == base::ErrorCode::kCorrupt || error.code == base::ErrorCode::kLimit;
  const std::string where = placed ? fmt::format("at {:#x}: ", error.offset) : "";
  const std::string line = fmt::format("jrec: {}: {}{}\n", plain(subject), where, plain(error.what));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

bool Recording::open() {
  base::Result<jfr::read::MappedFile> file = open_input(path_, problems_, times_, range_);
  if (file) {
    file_.emplace(std::move(*file));
    if (file_->bytes().empty() && problems_.empty()) problems_.add(base::Error{base::ErrorCode::kUsage, 0, "is empty"});
    return !file_->bytes().empty();
  }
  open_failed_ = true;
  problems_.add(file.error());
  return false;
}

void Recording::refuse(const base::Error& error) {
  complain(path_, error);
  refused_ = true;
}

ExitCode Recording::finish() const {
  for (const base::Error& problem : problems_.kept()) complain(path_, problem);
  const size_t more = problems_.count() - problems_.kept().size();
  if (more != 0)
    complain(path_, base::Error{base::ErrorCode::kUsage, 0, fmt::format("{} more problems of this kind", more)});
  if (open_failed_ || refused_) return kUsageError;
  if (chunks_ == 0) return kNothingReadable;
  return problems_.empty() ? kDone : kDamaged;
}

}  // namespace jrec
