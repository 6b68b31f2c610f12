// SPDX-License-Identifier: Apache-2.0
#include "recorder/recover.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "format/chunk_file.h"
#include "recorder/loss.h"
#include "recorder/segment_encoder.h"
#include "recorder/system_error.h"

namespace rec {
namespace {

using jfr::Done;
using jfr::Error;

constexpr uint64_t kRecoveredChunkBytes = 16u << 20;
constexpr uint32_t kFirstSerial = 0xF0000000u;           // no chunk of the dead process had it
constexpr uint64_t kFirstContentId = uint64_t{1} << 40;  // nor these: its chunks may stand before ours

std::vector<std::string> spool_paths(const std::string& directory) {
  std::vector<std::string> paths;
  DIR* dir = opendir(directory.c_str());
  if (!dir) return paths;
  while (const dirent* entry = readdir(dir)) {
    const std::string name = entry->d_name;
    if (name.starts_with("epoch-") && name.ends_with(".spool")) paths.push_back(directory + "/" + name);
  }
  closedir(dir);
  return paths;
}

// Writes what one spool holds.
class Recovery {
 public:
  Recovery(Spool& spool, const std::string& directory, Recovered& result)
      : spool_(spool),
        header_(spool.header()),
        directory_(directory),
        result_(result),
        encoder_(header_.sample_event == 0 ? SampleEvent::kExecutionSample : SampleEvent::kCpuTimeSample,
                 header_.sample_period_ns, header_.unsigned5_excess & 1,
                 kFirstContentId + (uint64_t{header_.serial} << 24)) {}

  Status run() {
    uint32_t slot = header_.consumed.load(std::memory_order_relaxed);
    while (slot < spool_.log().claimed()) {
      if (Status opened = open(); !opened) return opened;
      const uint32_t from = slot;
      encoder_.clear();
      encoder_.add_events(spool_, SegmentEncoder::Uncommitted::kSkip, slot);
      Status appended = chunk_->append(encoder_.constants(), encoder_.events().bytes().bytes(), encoder_.last_ticks());
      if (appended) {
        chunk_samples_ += encoder_.samples();
        continue;
      }
      const bool try_next_chunk = appended.error().code == jfr::ErrorCode::kLimit && chunk_samples_ > 0;
      if (!try_next_chunk) return appended;
      slot = from;
      if (Status closed = close(); !closed) return closed;
    }
    return close();
  }

 private:
  Status open() {
    if (chunk_) return Done{};
    const std::string name = "recovered-" + std::to_string(header_.pid) + "-" + std::to_string(header_.serial) + "-" +
                             std::to_string(result_.chunks.size() + 1) + ".jfr";
    auto chunk =
        jfr::ChunkFile::create(directory_, name, kRecoveredChunkBytes, {header_.clock_unix_ns, header_.clock_ticks});
    if (!chunk) return chunk.error();
    chunk_.emplace(std::move(*chunk));
    encoder_.start_chunk(kFirstSerial + chunks_++);
    return Done{};
  }

  Status close() {
    if (!chunk_) return Done{};
    encoder_.clear();
    jfr::ByteSink& counter = encoder_.events().begin(jfr::TypeId::kRecCounters, encoder_.last_ticks());
    counter.text(note_name(Note::kSamples));
    counter.leb(chunk_samples_);
    counter.leb(result_.samples += chunk_samples_);
    encoder_.events().end();
    chunk_samples_ = 0;
    (void)chunk_->append(encoder_.constants(), encoder_.events().bytes().bytes(), encoder_.last_ticks());
    Status closed = chunk_->close(encoder_.last_ticks(), true);
    result_.chunks.push_back(chunk_->path());
    chunk_.reset();
    return closed;
  }

  Spool& spool_;
  SpoolHeader& header_;
  const std::string& directory_;
  Recovered& result_;
  SegmentEncoder encoder_;
  std::optional<jfr::ChunkFile> chunk_;
  uint32_t chunks_ = 0;
  uint64_t chunk_samples_ = 0;
};

}  // namespace

jfr::Result<Recovered> recover_spools(const std::string& spool_directory, const std::string& to_directory) {
  std::vector<Spool> spools;
  for (const std::string& path : spool_paths(spool_directory)) {
    auto spool = Spool::open_leftover(path);
    if (!spool) return spool.error();
    if (spool->header().serial != 0) spools.push_back(std::move(*spool));
  }
  std::sort(spools.begin(), spools.end(), [](Spool& a, Spool& b) { return a.header().serial < b.header().serial; });
  Recovered result;
  for (Spool& spool : spools) {
    const auto& repository = spool.header().repository;
    result.repository.assign(repository.data(), strnlen(repository.data(), repository.size()));
    if (Status recovered = Recovery(spool, to_directory, result).run(); !recovered) return recovered.error();
  }
  return result;
}

void remove_spools(const std::string& spool_directory) {
  for (const std::string& path : spool_paths(spool_directory)) unlink(path.c_str());
  rmdir(spool_directory.c_str());
}

}  // namespace rec
