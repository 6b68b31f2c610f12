// SPDX-License-Identifier: Apache-2.0
#include "recorder/repository/repository.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cinttypes>
#include <cstdio>
#include <utility>

#include "base/result.h"
#include "recorder/repository/chunk_hook.h"

namespace rec {

Status Repository::prepare() {
  hold();
  if (lock_.holds()) return mark(), base::Done{};
  if (identity_.id.empty()) {
    Result<std::string> drawn = draw_identity();
    if (!drawn) return drawn.error();
    identity_.id = std::move(*drawn);
  }
  Result<DirectoryLock> taken = DirectoryLock::take(wished_);
  if (!taken) return taken.error();
  lock_ = std::move(*taken);
  directory_ = lock_.path();
  marked_ = false;
  mark();
  forget_removed();
  return base::Done{};
}

// Without room for it the repository is known by device and inode until there is.
void Repository::mark() {
  if (marked_) return;
  marked_ = write_identity(lock_.descriptor(), identity_.id).ok();
  identity_.take_place(read_identity(lock_.descriptor()));
}

void Repository::succeed(Repository& before) {
  number_ = before.number_;
  last_name_ns_ = before.last_name_ns_;
  std::swap(identity_.id, before.identity_.id);
  for (Repository* each : {this, &before}) {
    if (!each->lock_.holds()) continue;
    unlinkat(each->lock_.descriptor(), kIdentityFile, 0);
    each->marked_ = false;
    each->mark();
  }
}

SpoolHome Repository::home() const { return {directory_, identity_}; }

const std::vector<std::string>& Repository::chunks() {
  forget_removed();
  return paths_;
}

void Repository::forget_removed() {
  size_t kept = 0;
  for (size_t i = 0; i < paths_.size(); ++i) {
    if (access(paths_[i].c_str(), F_OK) != 0 && errno == ENOENT) {
      total_size_ -= chunks_[i].size;
      continue;
    }
    std::swap(paths_[kept], paths_[i]);
    std::swap(chunks_[kept++], chunks_[i]);
  }
  if (kept < paths_.size())
    say("somebody has removed " + std::to_string(paths_.size() - kept) + " finished chunks of the recording from " +
        directory_);
  paths_.resize(kept);
  chunks_.resize(kept);
}

std::string Repository::next_name(int64_t unix_ns) {
  last_name_ns_ = std::max(last_name_ns_, unix_ns);  // a clock set back must not turn the order round
  const time_t seconds = last_name_ns_ / 1'000'000'000;
  tm utc{};
  gmtime_r(&seconds, &utc);
  char date[32], name[64];
  strftime(date, sizeof date, "%Y_%m_%d_%H_%M_%S", &utc);
  std::snprintf(name, sizeof name, "%s-%d-%04" PRIu64 ".jfr", date, static_cast<int>(getpid()), ++number_);
  return name;
}

void Repository::add(const std::string& path, int64_t end_ticks, uint64_t filler) {
  struct stat st {};
  if (lstat(path.c_str(), &st) != 0 && errno == ENOENT) return;  // somebody removed it
  paths_.push_back(path);
  const auto size = static_cast<uint64_t>(st.st_size);
  chunks_.push_back({size - std::min(size, filler), end_ticks});
  total_size_ += chunks_.back().size;
  drop_old(end_ticks, 0);
}

void Repository::drop_old(int64_t now_ticks, uint64_t open_bytes) {
  while (chunks_.size() > 1 && has_to_go(chunks_.front(), now_ticks, open_bytes)) {
    if (is_kept_for_hook(open_bytes)) return;
    drop_oldest();
  }
}

bool Repository::has_to_go(const Chunk& oldest, int64_t now_ticks, uint64_t open_bytes) {
  const bool too_big = max_size_ > 0 && total_size_ + open_bytes > max_size_;
  const bool too_old = max_age_ns_ > 0 && now_ticks - oldest.end_ticks > max_age_ns_;
  return too_big || too_old;
}

bool Repository::is_kept_for_hook(uint64_t open_bytes) {
  if (hook_ == nullptr || !hook_->uses(paths_.front())) return false;
  if (max_size_ == 0 || (total_size_ + open_bytes) / 2 <= max_size_) return true;
  hook_->give_up(paths_.front());
  return false;
}

void Repository::drop_oldest() {
  assert(!chunks_.empty() && paths_.size() == chunks_.size() && "paths_ and chunks_ go side by side");
  assert(chunks_.front().size <= total_size_ && "the total is the sum of what is there");
  unlink(paths_.front().c_str());
  total_size_ -= chunks_.front().size;
  paths_.erase(paths_.begin());
  chunks_.erase(chunks_.begin());
}

void Repository::remove() {
  if (!lock_.holds()) return lock_.release();
  while (!chunks_.empty()) {
    if (hook_ != nullptr && hook_->uses(paths_.front())) {
      total_size_ -= chunks_.front().size;
      paths_.erase(paths_.begin());
      chunks_.erase(chunks_.begin());
      continue;
    }
    drop_oldest();
  }
  unlinkat(lock_.descriptor(), kIdentityFile, 0);
  rmdir(directory_.c_str());
  lock_.release();
}

}  // namespace rec
