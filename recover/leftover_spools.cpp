// SPDX-License-Identifier: Apache-2.0
#include "recover/leftover_spools.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/result.h"
#include "recorder/spool/header_edit.h"
#include "recorder/spool/spool.h"
#include "recover/intent.h"
#include "recover/seal.h"

namespace rec {
namespace {

using base::Error;
using base::ErrorCode;

constexpr size_t kMostSpools = 64;  // a process has two, and one for each epoch it gave up

std::vector<std::string> spool_paths(const std::string& directory) {
  std::vector<std::string> paths;
  DIR* dir = opendir(directory.c_str());
  if (!dir) return paths;
  while (const dirent* entry = readdir(dir)) {
    const std::string name = entry->d_name;
    if (Spool::is_name(name) && paths.size() < kMostSpools) paths.push_back(directory + "/" + name);
  }
  closedir(dir);
  return paths;
}

// rec-4711-0123456789abcdef... -> recovered-4711-0123456789abcdef...: the same for the same spools each time.
std::string chunk_prefix(const std::string& spool_directory, uint32_t pid) {
  std::string name = spool_directory.substr(spool_directory.find_last_of('/') + 1);
  if (name.starts_with("rec-")) return "recovered-" + name.substr(4);
  return "recovered-" + std::to_string(pid) + "-" + name;
}

}  // namespace

struct LeftoverSpools::Files {
  std::vector<std::string> paths;
  std::vector<Spool> spools;  // oldest first; each holds its lock
};

LeftoverSpools::LeftoverSpools() : files_(std::make_unique<Files>()) {}
LeftoverSpools::LeftoverSpools(LeftoverSpools&&) noexcept = default;
LeftoverSpools& LeftoverSpools::operator=(LeftoverSpools&&) noexcept = default;
LeftoverSpools::~LeftoverSpools() = default;

base::Result<LeftoverSpools> LeftoverSpools::open(const std::string& directory) {
  LeftoverSpools left;
  left.directory_ = directory;
  while (left.directory_.size() > 1 && left.directory_.ends_with('/')) left.directory_.pop_back();
  Files& files = *left.files_;
  for (const std::string& path : spool_paths(left.directory_)) {
    auto spool = Spool::open_leftover(path);
    if (!spool && spool.error().code == ErrorCode::kUsage) return spool.error();
    files.paths.push_back(path);
    if (spool)
      files.spools.push_back(std::move(*spool));
    else
      left.damage_.push_back(spool.error());
  }
  if (files.spools.empty() && !left.damage_.empty()) return left.damage_.front();
  if (files.spools.empty()) return Error{ErrorCode::kCorrupt, 0, "there is no spool in " + directory};
  std::sort(files.spools.begin(), files.spools.end(),
            [](Spool& a, Spool& b) { return a.header().serial < b.header().serial; });
  const SpoolHeader& newest = files.spools.back().header();
  left.home_ = home_in(newest);
  left.pid_ = newest.pid;
  return left;
}

uint64_t LeftoverSpools::waiting_samples(const std::string& chunks_are_in) {
  uint64_t waiting = 0;
  Event event;
  for (Spool& spool : files_->spools) {
    if (spool.header().serial == 0) continue;
    const EventLog log = spool.log();
    for (uint32_t slot = consumed_slots(spool.header(), chunks_are_in); slot < log.claimed(); ++slot)
      waiting += log.read(slot, event) && event.kind == EventKind::kSample;
  }
  return waiting;
}

base::Result<Recovered> LeftoverSpools::seal(const std::string& to_directory, const std::string& chunks_are_in) {
  const std::string prefix = chunk_prefix(directory_, pid_);
  UntoldCounters counters;
  for (Spool& spool : files_->spools)
    if (!counters_are_told(spool.header(), chunks_are_in)) counters.merge(spool.header());
  Recovered recovered;
  recovered.lost = counters.lost();
  for (Spool& spool : files_->spools) {
    const SpoolHeader& header = spool.header();
    if (header.serial == 0) continue;  // never used
    const bool newest = &spool == &files_->spools.back();
    SealedSpool sealed;
    Status status = seal_spool(spool, consumed_slots(header, chunks_are_in), newest ? counters : UntoldCounters(),
                               to_directory, prefix + "-" + std::to_string(header.serial), sealed);
    recovered.samples += sealed.samples;
    recovered.chunks.insert(recovered.chunks.end(), sealed.chunks.begin(), sealed.chunks.end());
    if (status) continue;
    for (const std::string& chunk : recovered.chunks) unlink(chunk.c_str());
    return status.error();
  }
  return recovered;
}

void LeftoverSpools::remove() {
  for (const std::string& path : files_->paths) unlink(path.c_str());
  rmdir(directory_.c_str());
}

}  // namespace rec
