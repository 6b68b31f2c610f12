// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/stored_change.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "jrec/base/deadline.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

constexpr int64_t kFirstPause_ms = 100, kLongestPause_ms = 5000;

// Twice as long each time, and some chance in it, so that those who met do not meet again.
void pause_after(int conflicts, const Deadline& deadline) {
  static std::minstd_rand chance{std::random_device{}()};
  const int64_t longest_ms = std::min(kFirstPause_ms << std::min(conflicts, 10), kLongestPause_ms);
  const int64_t pause_ms = std::uniform_int_distribution<int64_t>(longest_ms / 2, longest_ms)(chance);
  std::this_thread::sleep_for(std::chrono::milliseconds(std::min<int64_t>(pause_ms, deadline.left_ms())));
}

}  // namespace

ExitCode change_in_store(const StoredChange& change, Output& out) {
  const Deadline deadline{std::chrono::seconds(change.wait_s)};
  if (change.puts)
    if (const Status fit = StoredArchive::check(change.archive); !fit) return change.refused(fit.error());
  for (int conflicts = 0;; ++conflicts) {
    auto archive = StoredArchive::copy(change.archive);
    if (!archive) return change.refused(archive.error());
    const ArchiveChange made = change.make(*archive);
    if (made.code != kDone) return made.code;
    const auto put = made.changed ? archive->put_back() : Result<bool>(true);
    if (!put) return change.refused(put.error());
    if (*put) return out.add(made.text), kDone;
    if (deadline.over()) return change.refused(Error{ErrorCode::kUsage, 0, "others write to it all the time"});
    pause_after(conflicts, deadline);
  }
}

}  // namespace jrec
