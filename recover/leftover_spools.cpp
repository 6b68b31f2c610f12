// SPDX-License-Identifier: Apache-2.0
#include "recover/leftover_spools.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/result.h"
#include "recorder/spool/header_edit.h"
#include "recorder/spool/spool.h"
#include "recover/dead_repository.h"
#include "recover/intent.h"
#include "recover/seal.h"
#include "recover/spool_check.h"

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

// The two take turns, so their serials are neighbours.
void borrow_facts(SpoolHeader& to, const SpoolHeader& from) {
  const HeaderEdit edit(to);
  to.pid = from.pid;
  to.sample_event = from.sample_event;
  to.sample_period_ns = from.sample_period_ns;
  to.clock_unix_ns = from.clock_unix_ns;
  to.clock_ticks = from.clock_ticks;
  to.repository_device = from.repository_device;
  to.repository_inode = from.repository_inode;
  to.repository_born_ns = from.repository_born_ns;
  to.repository_id = from.repository_id;
  to.repository = from.repository;
  if (to.serial + 1 != from.serial && to.serial != from.serial + 1) to.serial = from.serial + 1;
}

}  // namespace

struct LeftoverSpools::Files {
  struct Leftover {
    std::string path;
    Spool spool;
  };
  std::vector<std::string> paths;
  std::vector<Leftover> spools;  // oldest first; each holds its lock
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
      files.spools.push_back({path, std::move(*spool)});
    else
      left.damage_.push_back({path, spool.error()});
  }
  left.lend_facts();
  if (files.spools.empty() && !left.damage_.empty()) return left.damage_.front().as_error();
  if (files.spools.empty()) return Error{ErrorCode::kCorrupt, 0, "there is no spool in " + directory};
  std::sort(files.spools.begin(), files.spools.end(),
            [](Files::Leftover& a, Files::Leftover& b) { return a.spool.header().serial < b.spool.header().serial; });
  left.check();
  const SpoolHeader& newest = files.spools.back().spool.header();
  left.home_ = home_in(newest);
  left.pid_ = newest.pid;
  return left;
}

// What a damaged header says of the recording its fellow says as well, but for the serial.
void LeftoverSpools::lend_facts() {
  using Leftover = Files::Leftover;
  std::vector<Leftover>& all = files_->spools;
  const auto whole = [](Leftover& one) { return facts_are_intact(one.spool.header()); };
  const auto lender = std::find_if(all.begin(), all.end(), whole);
  if (lender == all.end()) {
    for (const Leftover& one : all)
      damage_.push_back(
          {one.path, base::corrupt(kFactsBegin, "the header is damaged; what no chunk has of this spool is lost")});
    return all.clear();
  }
  for (Leftover& one : all) {
    if (whole(one)) continue;
    damage_.push_back(
        {one.path, base::corrupt(kFactsBegin, "the header is damaged; it is taken from " + lender->path)});
    borrow_facts(one.spool.header(), lender->spool.header());
  }
}

void LeftoverSpools::check() {
  for (auto& one : files_->spools) {
    if (one.spool.header().serial == 0) continue;  // never used
    SpoolCheck found = check_spool(one.spool);
    damaged_events_ += found.lost;
    for (base::Error& error : found.damage) damage_.push_back({one.path, std::move(error)});
  }
}

uint64_t LeftoverSpools::waiting_samples(const std::string& chunks_are_in) {
  uint64_t waiting = 0;
  Event event;
  for (auto& one : files_->spools) {
    Spool& spool = one.spool;
    if (spool.header().serial == 0) continue;
    const EventLog log = spool.log();
    for (uint32_t slot = consumed_slots(spool.header(), chunks_are_in); slot < log.claimed(); ++slot)
      waiting += log.read(slot, event) && event.kind == EventKind::kSample;
  }
  return waiting;
}

uint64_t LeftoverSpools::likely_bytes(const std::string& chunks_are_in) {
  uint64_t bytes = 0;
  for (auto& one : files_->spools)
    if (one.spool.header().serial != 0)
      bytes += likely_chunk_bytes(one.spool, consumed_slots(one.spool.header(), chunks_are_in));
  return bytes;
}

base::Result<Recovered> LeftoverSpools::seal(const std::string& to_directory, const std::string& chunks_are_in) {
  const std::string prefix = chunk_prefix(directory_, pid_);
  UntoldCounters counters;
  for (auto& one : files_->spools)
    if (!counters_are_told(one.spool.header(), chunks_are_in)) counters.merge(one.spool.header());
  counters.losses[static_cast<size_t>(Loss::kSpoolDamaged)] += damaged_events_;
  counters.samples = untold_samples(chunks_are_in, pid_);
  Recovered recovered;
  recovered.lost = counters.lost();
  for (auto& one : files_->spools) {
    Spool& spool = one.spool;
    const SpoolHeader& header = spool.header();
    if (header.serial == 0) continue;  // never used
    const bool newest = &one == &files_->spools.back();
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
