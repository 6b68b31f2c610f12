// SPDX-License-Identifier: Apache-2.0
#include "recorder/repository.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "recorder/system_error.h"

namespace rec {
namespace {

bool make_directories(const std::string& path) {
  if (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return true;
  const size_t slash = path.find_last_of('/');
  if (errno != ENOENT || slash == 0 || slash == std::string::npos) return false;
  return make_directories(path.substr(0, slash)) && (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST);
}

}  // namespace

Status Repository::prepare() {
  if (!make_directories(directory_)) return system_error("cannot make the repository", directory_);
  struct stat st {};
  if (lstat(directory_.c_str(), &st) != 0) return system_error("cannot use the repository", directory_);
  const bool ours = S_ISDIR(st.st_mode) && st.st_uid == geteuid() && (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  if (ours) return jfr::Done{};
  return jfr::Error{jfr::ErrorCode::kUsage, 0,
                    "the repository " + directory_ + " is not a directory that only its user may write to"};
}

std::string Repository::next_name(int64_t unix_ns) {
  last_name_ns_ = std::max(last_name_ns_, unix_ns);  // a clock set back must not turn the order round
  const time_t seconds = last_name_ns_ / 1'000'000'000;
  tm utc{};
  gmtime_r(&seconds, &utc);
  char date[32], name[64];
  strftime(date, sizeof date, "%Y_%m_%d_%H_%M_%S", &utc);
  // The process' id: a recorder that was killed may have left chunks of the same second.
  std::snprintf(name, sizeof name, "%s-%d-%04" PRIu64 ".jfr", date, static_cast<int>(getpid()), ++number_);
  return name;
}

void Repository::add(const std::string& path, int64_t end_unix_ns) {
  struct stat st {};
  if (stat(path.c_str(), &st) != 0) return;  // somebody removed it
  paths_.push_back(path);
  chunks_.push_back({static_cast<uint64_t>(st.st_size), end_unix_ns});
  total_size_ += chunks_.back().size;
  drop_old(end_unix_ns);
}

void Repository::drop_old(int64_t now_unix_ns) {
  while (chunks_.size() > 1) {
    const bool too_big = max_size_ > 0 && total_size_ > max_size_;
    const bool too_old = max_age_ns_ > 0 && now_unix_ns - chunks_.front().end_unix_ns > max_age_ns_;
    if (!too_big && !too_old) return;
    drop_oldest();
  }
}

void Repository::drop_oldest() {
  unlink(paths_.front().c_str());
  total_size_ -= chunks_.front().size;
  paths_.erase(paths_.begin());
  chunks_.erase(chunks_.begin());
}

void Repository::remove() {
  while (!chunks_.empty()) drop_oldest();
  rmdir(directory_.c_str());
}

}  // namespace rec
