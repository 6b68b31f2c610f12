// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/missing_spool.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "jrec/values/time_text.h"
#include "recover/spool_places.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;

constexpr size_t kMostTold = 5;

struct Left {
  std::string directory;
  int64_t made_s = 0;  // when the recording began: what is written to it by memory does not change its time
};

std::vector<Left> newest_first(const std::vector<std::string>& directories) {
  std::vector<Left> all;
  for (const std::string& directory : directories) {
    struct stat st {};
    if (::lstat(directory.c_str(), &st) == 0) all.push_back({directory, st.st_mtim.tv_sec});
  }
  std::stable_sort(all.begin(), all.end(), [](const Left& a, const Left& b) { return a.made_s > b.made_s; });
  return all;
}

// "4711 (since 2026-11-21T13:45:10Z, chunks in /srv/app.jfr.chunks)"
std::string text_of(const Left& left) {
  std::string text = fmt::format("{} (since ", rec::pid_of(left.directory));
  append_time(left.made_s, 0, 0, text);
  const std::string chunks = rec::home_of(left.directory).path;
  return text + (chunks.empty() ? ")" : ", chunks in " + chunks + ")");
}

std::string list_of(const std::vector<Left>& all) {
  std::string text;
  for (size_t i = 0; i < std::min(all.size(), kMostTold); ++i) text += (i == 0 ? "" : ", ") + text_of(all[i]);
  return all.size() > kMostTold ? fmt::format("{}, and {} older ones", text, all.size() - kMostTold) : text;
}

}  // namespace

Error not_ours(const std::string& spools) {
  struct stat st {};
  const bool is_there = ::lstat(spools.c_str(), &st) == 0;
  if (is_there && st.st_uid == ::geteuid())
    return {ErrorCode::kUsage, 0, "others can write to it, so nothing in it is believed"};
  const std::string owner = is_there ? std::to_string(st.st_uid) : "another one";
  return {ErrorCode::kUsage, 0, "Permission denied: it belongs to user " + owner + ", who can recover it", EACCES};
}

Error no_spool_of(uint32_t pid, const std::vector<std::string>& dead) {
  const std::vector<Left> all = newest_first(dead);
  std::string what = fmt::format("there is no spool of a process {} and no file of that name; ", pid);
  if (all.empty()) return {ErrorCode::kUsage, 0, what + "give the directory of its chunks"};
  what += "give the directory of its chunks, or the pid that the JVM itself had (in a container its own): there are ";
  return {ErrorCode::kUsage, 0, what + "spools of " + list_of(all)};
}

}  // namespace jrec
