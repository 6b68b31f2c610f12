// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/fetched_file.h"

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

#include "base/file_io.h"
#include "jrec/input/input.h"
#include "jrec/input/scratch_file.h"

namespace jrec {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using base::system_error;

namespace {

constexpr uint64_t kFetchedBlock = 1024;
constexpr uint64_t kLeast = 2;          // blocks of a request: heads are small, and so is mostly what follows them
constexpr uint64_t kGap = 8;            // blocks between two runs that cost less than a request
constexpr size_t kConnections = 8;      // at most
constexpr size_t kRunsAConnection = 4;  // from which on another one is worth it

}  // namespace

Result<std::unique_ptr<FetchedFile>> FetchedFile::open(const std::string& path) {
  auto object = RemoteObject::of(path);
  if (!object) return object.error();
  std::vector<uint8_t> first;
  const Status begun = object->begin([&](std::span<const uint8_t> bytes) {
    if (!object->gives_ranges()) return false;
    first.insert(first.end(), bytes.begin(), bytes.end());
    return true;
  });
  if (!begun) return begun.error();
  if (!object->gives_ranges())
    return Error{ErrorCode::kUsage, 0, "the server gives no parts of files (range requests): copy the archive"};
  if (object->size() == 0) return Error{ErrorCode::kUsage, 0, "is empty"};
  auto scratch = make_scratch_file();
  if (!scratch) return scratch.error();
  std::unique_ptr<FetchedFile> file(new FetchedFile(std::move(*object), std::move(*scratch)));
  if (const Status mapped = file->map(first); !mapped) return mapped.error();
  return file;
}

Status FetchedFile::map(const std::vector<uint8_t>& first) {
  const uint64_t size = object_.size();
  if (size > INT64_MAX || ::ftruncate(file_.fd(), static_cast<off_t>(size)) != 0)
    return Error{ErrorCode::kUsage, 0, fmt::format("is too long for this machine, says the server: {} bytes", size)};
  void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file_.fd(), 0);
  if (mapping == MAP_FAILED) return system_error("cannot map");
  bytes_ = {static_cast<const uint8_t*>(mapping), size};
  there_.resize((size + kFetchedBlock - 1) / kFetchedBlock);
  if (!base::write_all_at(file_.fd(), first.data(), first.size(), 0))
    return system_error("cannot write a temporary file");
  std::fill_n(there_.begin(), first.size() == size ? there_.size() : first.size() / kFetchedBlock, true);
  fetched_ = first.size();
  return base::Done{};
}

FetchedFile::~FetchedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<uint8_t*>(bytes_.data()), bytes_.size());
}

std::optional<Error> FetchedFile::failure() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return failure_;
}

bool FetchedFile::fetch(uint64_t at, uint64_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (size == 0) return true;
  for (const Run& run : missing(at / kFetchedBlock, (at + size - 1) / kFetchedBlock + 1)) {
    if (failure_ || !note(allow({&run, 1})) || !note(bring(object_, run))) return false;
    std::fill(there_.begin() + static_cast<ptrdiff_t>(run.first), there_.begin() + static_cast<ptrdiff_t>(run.end),
              true);
  }
  return true;
}

void FetchedFile::expect(std::span<const uint64_t> places) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<uint64_t> blocks;
  for (const uint64_t place : places)
    for (uint64_t block = place / kFetchedBlock; block < place / kFetchedBlock + kLeast; ++block)
      if (block < there_.size() && !there_[block]) blocks.push_back(block);
  std::ranges::sort(blocks);
  std::vector<Run> runs;
  for (const uint64_t block : blocks) {
    if (!runs.empty() && block < runs.back().end + kGap)
      runs.back().end = std::max(runs.back().end, block + 1);
    else
      runs.push_back({block, block + 1});
  }
  if (failure_ || runs.empty() || !note(allow(runs)) || !note(bring_side_by_side(runs))) return;
  for (const Run& run : runs)
    std::fill(there_.begin() + static_cast<ptrdiff_t>(run.first), there_.begin() + static_cast<ptrdiff_t>(run.end),
              true);
}

// What of these blocks is not there; a gap that is there and short is fetched again.
std::vector<FetchedFile::Run> FetchedFile::missing(uint64_t first, uint64_t end) const {
  std::vector<Run> runs;
  for (uint64_t block = first; block < end; ++block) {
    if (there_[block]) continue;
    if (!runs.empty() && block < runs.back().end + kGap)
      runs.back().end = block + 1;
    else
      runs.push_back({block, block + 1});
  }
  for (Run& run : runs) run.end = std::min<uint64_t>(std::max(run.end, run.first + kLeast), there_.size());
  return runs;
}

Status FetchedFile::allow(std::span<const Run> runs) {
  for (const Run& run : runs) fetched_ += (run.end - run.first) * kFetchedBlock;
  const uint64_t most = input_limits().unpacked_bytes;
  if (fetched_ <= most) return base::Done{};
  return Error{ErrorCode::kLimit, runs.front().first * kFetchedBlock,
               fmt::format("more than {} bytes of it would be fetched; --max-unpacked allows more", most)};
}

Status FetchedFile::bring(RemoteObject& object, const Run& run) const {
  uint64_t at = run.first * kFetchedBlock;
  const uint64_t size = std::min<uint64_t>(run.end * kFetchedBlock, bytes_.size()) - at;
  Status written = base::Done{};
  const Status read = object.read(at, size, [&](std::span<const uint8_t> bytes) {
    if (!base::write_all_at(file_.fd(), bytes.data(), bytes.size(), at))
      written = system_error("cannot write a temporary file");
    at += bytes.size();
    return written.ok();
  });
  return written.ok() ? read : written;
}

Status FetchedFile::bring_side_by_side(std::span<const Run> runs) {
  const size_t connections = std::clamp<size_t>(runs.size() / kRunsAConnection, 1, kConnections);
  std::atomic<size_t> next = 0;
  std::vector<Status> ended(connections, base::Done{});
  const auto work = [&](RemoteObject& object, Status& status) {
    // relaxed: whoever takes a number has it alone, and the threads are joined before anybody looks at what they wrote.
    for (size_t i; status.ok() && (i = next.fetch_add(1, std::memory_order_relaxed)) < runs.size();)
      status = bring(object, runs[i]);
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (size_t i = 1; i < connections; ++i)
        threads.emplace_back([&, i] {
          RemoteObject object = object_.another();
          work(object, ended[i]);
        });
    } catch (const std::system_error&) {  // no more threads are to be had: those that there are do it all
    }
    work(object_, ended[0]);
  }
  for (const Status& status : ended)
    if (!status.ok()) return status;
  return base::Done{};
}

// The first failure is the one that is told.
bool FetchedFile::note(const Status& status) {
  if (!status.ok() && !failure_) failure_ = status.error();
  return status.ok();
}

}  // namespace jrec
